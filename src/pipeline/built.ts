/** The snapshot that was built in an output folder, with what its build remembers of it. */
import { existsSync, statSync } from "node:fs";
import { TOOL_VERSION } from "../package.ts";
import type { Snapshot } from "../publish/options.ts";
import { openSnapshot } from "../publish/snapshot.ts";
import type { OutLayout } from "../site/layout.ts";
import { readAtIn } from "./remembered.ts";

/**
 * When the store was read, RFC 3339 in milliseconds. It is no part of the snapshot, whose bytes know no clock: without the memory of
 * the readings it is when the manifest was written, some seconds later.
 */
function readAtOf({ readings, manifest }: OutLayout): string {
  const remembered = readAtIn(readings) ?? "";
  if (!Number.isNaN(Date.parse(remembered))) return remembered;
  return existsSync(manifest) ? statSync(manifest).mtime.toISOString() : "";
}

/** @throws VitrineError snapshot_unreadable */
export function openBuilt(layout: OutLayout): Snapshot & Disposable {
  return openSnapshot(layout, TOOL_VERSION, readAtOf(layout));
}
