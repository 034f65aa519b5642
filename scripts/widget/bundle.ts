/** The widgets and the client that the package ships: a bundler makes them here, so that users do not need it. */
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { CLIENT_FILE, type WIDGETS } from "../../src/api/endpoints.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Name = (typeof WIDGETS)[number];

/** Absolute path of a widget's bundle. */
export function widgetFile(name: Name): string {
  return `${root}templates/widgets/${name}.js`;
}

/** Wraps the widget in one function that receives a way to call the store's API: nothing else is global. */
export async function bundleWidget(name: Name): Promise<string> {
  const code = await bundle(`src/widget/${name}.ts`, "iife", "es2021");
  return `// Made from src/widget.\nfunction vitrineWidget(api){${code}}\n`;
}

/** Absolute path of the client's bundle. */
export const clientFile = `${root}templates/${CLIENT_FILE}`;

/** The client as one module. */
export async function bundleClient(): Promise<string> {
  return `// Made from src/client.\n${await bundle("src/client/client.ts", "es", "es2022")}\n`;
}

/** By Rolldown: the review widget is 150 bytes shorter than esbuild's, compressed. */
async function bundle(input: string, format: "es" | "iife", target: string): Promise<string> {
  const bundler = await rolldown({
    cwd: root,
    input,
    platform: "browser",
    transform: { target },
    logLevel: "silent",
  });
  const minify = { compress: { target }, mangle: true, codegen: { removeWhitespace: true } };
  const made = await bundler.generate({ format, minify, comments: false });
  await bundler.close();
  return made.output[0].code.trim();
}
