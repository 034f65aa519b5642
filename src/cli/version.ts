/** This package's version, and where the texts that it ships stand. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The package's folder: two above this file, in `src` as in `dist`. */
const root = new URL("../../", import.meta.url);

export const TOOL_VERSION: string = (
  JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { version: string }
).version;

/** A folder below `templates/`, as a path. */
export function templateFolder(name: string): string {
  return fileURLToPath(new URL(`templates/${name}`, root));
}
