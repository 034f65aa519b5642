/** A store in a file: who else may read or change it, and whether writers wait for builds. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { SqlTime } from "../base/time.ts";
import { openStore } from "../open-store.ts";
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

function judgeModes(file: string, mode: number, folder: number): Found[] {
  // Where others may not enter the folder, the file's own mode does not count.
  if ((folder & OTHERS.enter) === 0) return [];
  const shown = (mode & 0o777).toString(8);
  if ((mode & OTHERS.write) !== 0 || (folder & OTHERS.write) !== 0)
    return [warning(`Anybody on this machine may change ${file}`, "chmod o-w it, and its folder.")];
  if ((mode & OTHERS.read) !== 0)
    return [
      warning(
        `Anybody on this machine may read ${file}, which is private (mode ${shown})`,
        "chmod o-r it, and let the user that builds be its owner or of its group.",
      ),
    ];
  return [];
}

/** @throws VitrineError store_unreadable */
export async function checkStoreFile(file: string, now: SqlTime): Promise<Found[]> {
  await (await openStore(file, now)).close();
  const journal = hasLog(file)
    ? "its writers go on during a build (WAL)"
    : "its writers wait for a build (no WAL: docs/allow-list.md)";
  return [
    ok(`${file} can be read; ${journal}`),
    ...judgeModes(file, statSync(file).mode, statSync(dirname(file)).mode),
  ];
}
