/** The widgets and the client that the package ships: bundlers make them here, so that users need none. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { CLIENT_FILE, type WIDGETS } from "../../src/api/endpoints.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Name = (typeof WIDGETS)[number];

/** Absolute path of a widget's bundle. */
export function widgetFile(name: Name): string {
  return `${root}templates/widgets/${name}.js`;
}

/**
 * Wraps the widget in one function that receives a way to call the store's API: nothing else is global. Rolldown's minifier
 * makes it 2 % smaller than esbuild's.
 */
export async function bundleWidget(name: Name): Promise<string> {
  await using bundle = await rolldown({ cwd: root, input: `src/widget/${name}.ts`, platform: "browser" });
  const { output } = await bundle.generate({
    format: "iife",
    minify: { compress: { target: "es2021" } },
    comments: false,
    postBanner: "// Made from src/widget.\nfunction vitrineWidget(api){",
    postFooter: "}",
  });
  return output[0].code;
}

/** Absolute path of the client's bundle. */
export const clientFile = `${root}templates/${CLIENT_FILE}`;

/** The client as one module. */
export async function bundleClient(): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ["src/client/client.ts"],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    charset: "utf8",
    target: "es2022",
    banner: { js: "// Made from src/client." },
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}
