/** The widgets and the client that the package ships: esbuild makes them here, so that users do not need it. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CLIENT_FILE, type WIDGETS } from "../../src/api/endpoints.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Name = (typeof WIDGETS)[number];

/** Absolute path of a widget's bundle. */
export function widgetFile(name: Name): string {
  return `${root}templates/widgets/${name}.js`;
}

/** Wraps the widget in one function that receives a way to call the store's API: nothing else is global. */
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
