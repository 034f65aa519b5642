#!/usr/bin/env node
/**
 * The command `vitrine`: refuses a Node that is too old before anything else, native code above all, is loaded. An old
 * Node must be able to read this file and what it imports: no syntax newer than 2020, no top-level await, no package.
 */
import { LEAST_NODE } from "../package.ts";

/** Compares versions part by part: `9.1` is older than `22.14`, `22.14.0` is not. */
function isOlder(version: string, least: string): boolean {
  const parts = version.split(".").map(Number);
  const wanted = least.split(".").map(Number);
  for (let at = 0; at < wanted.length; at++) {
    const [has, needs] = [parts[at] ?? 0, wanted[at] ?? 0];
    if (has !== needs) return has < needs;
  }
  return false;
}

if (isOlder(process.versions.node, LEAST_NODE)) {
  process.stderr.write(
    `error: usage: this is Node ${process.versions.node}; Vitrine needs ${LEAST_NODE} or newer: https://nodejs.org, or npm install node@24 in this project.\n`,
  );
  process.exitCode = 2;
} else {
  import("./small-heap.ts").then(async ({ loadWithSmallHeap }) => {
    const { run } = await loadWithSmallHeap(() => import("./program.ts"));
    await run();
  });
}
