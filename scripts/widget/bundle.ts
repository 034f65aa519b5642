/** The widget as the package ships it: made here by esbuild, so that nobody who uses it needs esbuild. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Absolute path of the widget's bundle. */
export const WIDGET_FILE = `${root}templates/widgets/reviews.js`;

/** One function, which is handed how a store's API is asked: nothing else of the widget is global. */
export async function bundleWidget(): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ["src/widget/reviews.ts"],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    charset: "utf8",
    target: "es2021",
    banner: {
      js: "// Made from src/widget.\nfunction vitrineReviews(api){",
    },
    footer: { js: "}" },
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}
