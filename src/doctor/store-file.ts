/** A store in a file: who else may read or change it, and whether writers wait for builds. */
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { SqlTime } from "../base/time.ts";
import { openStore } from "../build/store.ts";
import { askingStore } from "../capture.ts";
import type { AllowListQuery } from "../extract/allow-list.ts";
import { checkCapture } from "./capture.ts";
import { type Found, ok, warning } from "./finding.ts";

const OTHERS = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/** Byte 18 of a file: 2 where it has a write-ahead log. */
const WRITE_VERSION = { place: 18, wal: 2 } as const;

function hasLog(file: string): boolean {
  const byte = Buffer.alloc(1);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, byte, 0, 1, WRITE_VERSION.place);
  } finally {
    closeSync(descriptor);
  }
  return byte[0] === WRITE_VERSION.wal;
}

function modeOf(path: string): number {
  return statSync(path).mode;
}

/** True where others may enter a folder and all above it: elsewhere the modes of what is in it do not count. */
function isReachable(folder: string): boolean {
  if ((modeOf(folder) & OTHERS.enter) === 0) return false;
  return dirname(folder) === folder || isReachable(dirname(folder));
}

function judgeModes(file: string): Found[] {
  const folder = dirname(realpathSync(file));
  if (!isReachable(folder)) return [];
  const mode = modeOf(file);
  if (((mode | modeOf(folder)) & OTHERS.write) !== 0)
    return [warning(`Anybody on this machine may change ${file}`, "chmod o-w it, and its folder.")];
  if ((mode & OTHERS.read) === 0) return [];
  return [
    warning(
      `Anybody on this machine may read ${file}, which is private (mode ${(mode & 0o777).toString(8)})`,
      "chmod o-r it, and let the user that builds be its owner or of its group.",
    ),
  ];
}

/** @throws VitrineError store_unreadable */
export async function checkStoreFile(
  file: string,
  now: SqlTime,
  queries: readonly AllowListQuery[] | null,
): Promise<Found[]> {
  await (await openStore(file, now)).close();
  const journal = hasLog(file)
    ? "its writers go on during a build (WAL)"
    : "its writers wait for a build (no WAL: docs/allow-list.md)";
  const capture = await askingStore(file, (ask, dialect) => checkCapture(ask, dialect, queries ?? []));
  return [ok(`${file} can be read; ${journal}`), ...judgeModes(file), ...capture];
}
