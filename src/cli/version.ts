/** This package's version, the least Node that it runs on, and where the texts that it ships stand. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The package's folder: two above this file, in `src` as in `dist`. */
const root = new URL("../../", import.meta.url);

const about = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  version: string;
  engines: { node: string };
};

export const TOOL_VERSION: string = about.version;

/** `engines` of package.json without its `>=`, for example `22.12`. */
export const LEAST_NODE: string = about.engines.node.replace(/[^\d.]/g, "");

/** Compares versions part by part: `9.1` is older than `22.12`, `22.12.0` is not. */
export function isOlder(version: string, least: string): boolean {
  const parts = version.split(".").map(Number);
  const wanted = least.split(".").map(Number);
  for (let at = 0; at < wanted.length; at++) {
    const [has, needs] = [parts[at] ?? 0, wanted[at] ?? 0];
    if (has !== needs) return has < needs;
  }
  return false;
}

/** A folder below `templates/`, as a path. */
export function templateFolder(name: string): string {
  return fileURLToPath(new URL(`templates/${name}`, root));
}
