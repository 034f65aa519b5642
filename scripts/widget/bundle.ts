/** The widgets as the package ships them: made here by esbuild, so that nobody who uses it needs esbuild. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { WIDGETS } from "../../src/api/endpoints.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Name = (typeof WIDGETS)[number];

/** Absolute path of a widget's bundle. */
export function widgetFile(name: Name): string {
  return `${root}templates/widgets/${name}.js`;
}

/** One function, which is handed how a store's API is asked: nothing else of the widget is global. */
export async function bundleWidget(name: Name): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [`src/widget/${name}.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    charset: "utf8",
    target: "es2021",
    banner: {
      js: "// Made from src/widget.\nfunction vitrineWidget(api){",
    },
    footer: { js: "}" },
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}
