/** The widgets and the client that the package ships: a bundler makes them here, so that users do not need it. */
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { CLIENT_FILE, JSON_LD_FILE, type WIDGET_LANGUAGES, type WIDGETS } from "../../src/api/endpoints.ts";
import { TRANSLATIONS } from "../../src/widget/translations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Name = (typeof WIDGETS)[number];

/** Absolute path of a widget's bundle. */
export function widgetFile(name: Name): string {
  return `${root}templates/widgets/${name}.js`;
}

type Language = (typeof WIDGET_LANGUAGES)[number];

/** Absolute path of the texts in a language. */
export function textsFile(language: Language): string {
  return `${root}templates/widgets/${language}.json`;
}

/** The texts in a language, in the form of an answer of the API. */
export function textsOf(language: Language): string {
  return `${JSON.stringify({ success: true, data: TRANSLATIONS[language] })}\n`;
}

/** Wraps the widget in one function that receives a way to call the store's API: nothing else is global. */
export async function bundleWidget(name: Name): Promise<string> {
  return `function vitrineWidget(api){${await bundle(`src/widget/${name}.ts`, "es2021")}}\n`;
}

/** Absolute path of the client's bundle. */
export const clientFile = `${root}templates/${CLIENT_FILE}`;

/** The client as one module. */
export async function bundleClient(): Promise<string> {
  return `// Made from src/client.\n${await bundle("src/client/client.ts", "es2022")}\n`;
}

/** Absolute path of the bundle of JSON-LD. */
export const jsonLdFile = `${root}templates/${JSON_LD_FILE}`;

/** JSON-LD as one module. */
export async function bundleJsonLd(): Promise<string> {
  return `${await bundle("src/widget/json-ld.ts", "es2021")}\n`;
}

/** By Rolldown: the review widget is 150 bytes shorter than esbuild's, compressed. */
async function bundle(input: string, target: string): Promise<string> {
  const bundler = await rolldown({
    cwd: root,
    input,
    platform: "browser",
    transform: { target },
    logLevel: "silent",
    // The other tables of the contract are made of these.
    treeshake: { manualPureFunctions: ["WIDGETS", "WIDGET_LANGUAGES"] },
  });
  const minify = { compress: { target }, mangle: { toplevel: true }, codegen: { removeWhitespace: true } };
  const made = await bundler.generate({ format: "es", minify, comments: false });
  await bundler.close();
  // The style sheets have a line for each rule.
  return made.output[0].code.trim().replaceAll("}\n", "}");
}
