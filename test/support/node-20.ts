/** The system's Node where it is version 20, the oldest that the client and the examples of docs/api.md are said to run in. */
import { spawnSync } from "node:child_process";

const FILE = "/usr/bin/node";

/** False with a warning where it is missing. */
export function hasNode20(): boolean {
  if (/^v20\./.test(spawnSync(FILE, ["--version"], { encoding: "utf8" }).stdout ?? "")) return true;
  console.warn(`What runs in Node 20 is not tested: ${FILE} is another version or missing.`);
  return false;
}

export const NODE_20 = FILE;
