/**
 * This package: its version, the oldest Node that it runs on, the paths of its modules and of the texts that it ships. The only
 * module that may use its own path: in `src`, or bundled in `dist`.
 */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder: one above this file's, in `src` as in `dist`, where `npm run build` sees to it. */
const root = new URL("../", import.meta.url);

const about = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  version: string;
  engines: { node: string };
};

export const TOOL_VERSION: string = about.version;

/** `engines` of package.json without its `>=`, for example `22.14`. */
export const LEAST_NODE: string = about.engines.node.replace(/[^\d.]/g, "");

/** Modules that are started as a thread: files in `dist` as they are in `src`. */
export const STARTED_MODULES = ["serve/catalog-thread"] as const;

/** The file of such a module, for `new Worker`. */
export function startedModule(name: (typeof STARTED_MODULES)[number]): URL {
  return new URL(`${name}${extname(import.meta.filename)}`, import.meta.url);
}

/** The folder of the pages' files, made by `npm run build`. */
export const PAGES_FOLDER: string = fileURLToPath(new URL("dist/public", root));

/** The Worker that has the fallback in it, made by `npm run build`. */
export const OBJECT_WORKER_FILE: string = fileURLToPath(new URL("dist/edge/object-worker.js", root));

/** A folder below `templates/`, as a path. */
export function templateFolder(name: string): string {
  return fileURLToPath(new URL(`templates/${name}`, root));
}

/** The shop of `vitrine demo`: its store, pictures and configuration. */
export const EXAMPLE_SHOP: string = fileURLToPath(new URL("examples/demo", root));

/** JSON Schema of the configuration, for editors. */
export const CONFIG_SCHEMA_FILE: string = fileURLToPath(new URL("vitrine.config.schema.json", root));
