#!/usr/bin/env node
/**
 * The command `vitrine`: refuses a Node that is too old before anything else, native code above all, is loaded. An old
 * Node must be able to read this file and what it imports: no syntax newer than 2020, no top-level await, no package.
 */
import { isOlder, LEAST_NODE } from "./version.ts";

if (isOlder(process.versions.node, LEAST_NODE)) {
  process.stderr.write(
    `vitrine: this is Node ${process.versions.node}; Vitrine needs ${LEAST_NODE} or newer, see https://nodejs.org.\n`,
  );
  process.exitCode = 2;
} else {
  import("./program.ts");
}
