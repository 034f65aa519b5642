/** This package: its version, the least Node that it runs on, and where the texts that it ships stand. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The package's folder: one above this file's, in `src` as in `dist`. */
const root = new URL("../", import.meta.url);

const about = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  version: string;
  engines: { node: string };
};

export const TOOL_VERSION: string = about.version;

/** `engines` of package.json without its `>=`, for example `22.12`. */
export const LEAST_NODE: string = about.engines.node.replace(/[^\d.]/g, "");

/** Where the pages' files stand once `npm run build` made them. */
export const PAGES_FOLDER: string = fileURLToPath(new URL("dist/public", root));

/** A folder below `templates/`, as a path. */
export function templateFolder(name: string): string {
  return fileURLToPath(new URL(`templates/${name}`, root));
}
