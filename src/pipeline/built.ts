/** The snapshot that was built in an output folder, with what its build remembers of it. */
import { existsSync, statSync } from "node:fs";
import type { VitrineError } from "../base/error.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { RESOURCES } from "../catalog/resources.ts";
import { isTooLarge, tooLargeError } from "../object/bounds.ts";
import { TOOL_VERSION } from "../package.ts";
import type { Snapshot } from "../publish/options.ts";
import { openSnapshot } from "../publish/snapshot.ts";
import { partitionCount } from "../release/partitions.ts";
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

/** The error to report if the catalog that was built does not fit into a Durable Object; null if it fits, or if there is none yet. */
export function objectProblem(file: string): VitrineError | null {
  if (!existsSync(file)) return null;
  using catalog = openCatalog(file);
  // As a first publish would cut its lists.
  const partitions = RESOURCES.reduce((sum, { name }) => {
    const rows = catalog.db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get() ?? 0;
    return sum + partitionCount(rows, null);
  }, 0);
  return isTooLarge(partitions) ? tooLargeError(file, partitions, "usage") : null;
}
