/**
 * Checks once an hour whether a place still has the objects of all kept releases. Otherwise a missing object would only be noticed
 * when a fallback starts or a rollback needs it. It takes one listing: a request for each 1,000 objects.
 */
import { renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { VitrineError } from "../base/error.ts";
import { makePrivateFolder, PRIVATE_FILE, readPlainFile, refusePipe } from "../base/files.ts";
import { type Notes, SILENT } from "../base/log.ts";
import { damagedMemory, type Memory, readMemory, writeMemory } from "../base/memory.ts";
import { OBJECTS, objectKey } from "../release/objects.ts";
import { objectsOf } from "../release/release-index.ts";
import type { OutLayout } from "../site/layout.ts";
import type { Bucket } from "./bucket.ts";
import { type Pointer, readPointer } from "./documents.ts";
import { findIndex } from "./fetch-release.ts";
import { memoryFile, PlaceMemory } from "./place-memory.ts";

export interface ObjectsCount {
  /** RFC 3339. */
  readonly lookedAt: string;
  /** How many objects are missing. */
  readonly missing: number;
  /** Kept releases that need them, newest first. */
  readonly releases: readonly string[];
  /** True if the live release is one of them. */
  readonly isLive: boolean;
}

const EVERY_MILLISECONDS = 60 * 60 * 1000;
/** How often the live release may change during a listing. */
const ROUNDS = 4;

/**
 * Returns the last result, or lists again if it is an hour old or had objects missing. Null if nothing was published.
 * @throws VitrineError remote_failed, remote_invalid, newer_format, publisher_busy; the next count is due an hour later even then
 */
export async function countObjects(
  bucket: Bucket,
  layout: Pick<OutLayout, "places">,
  now: Date,
  log: Notes = SILENT,
): Promise<ObjectsCount | null> {
  const file = memoryFile(layout, bucket);
  const memory: Memory = {
    file: file.replace(/sqlite$/, "look.json"),
    what: "when this place's objects were last listed",
    follows: "they are listed again",
    log,
  };
  const last = readCount(memory);
  const sinceLast = Math.abs(now.getTime() - Date.parse(last?.lookedAt ?? ""));
  if (last !== null && last.missing === 0 && sinceLast < EVERY_MILLISECONDS) return last;
  const lookedAt = now.toISOString();
  writeCount(memory, { ...(last ?? NOTHING_MISSING), lookedAt });
  const found = await findMissing(bucket, file, log);
  if (found === null) return null;
  const count = { ...found, lookedAt };
  writeCount(memory, count);
  return count;
}

const NOTHING_MISSING: Omit<ObjectsCount, "lookedAt"> = { missing: 0, releases: [], isLive: false };

async function findMissing(
  bucket: Bucket,
  file: string,
  log: Notes,
): Promise<Omit<ObjectsCount, "lookedAt"> | null> {
  for (let round = 0; round < ROUNDS; round++) {
    const live = await readPointer(bucket);
    if (live === null) return null;
    const named = await namesByRelease(bucket, live.pointer, new PlaceMemory(file, log));
    const missing = new Set([...named.values()].flatMap((names) => [...names].map(objectKey)));
    for await (const key of bucket.list(OBJECTS)) {
      missing.delete(key);
      if (missing.size === 0) return NOTHING_MISSING;
    }
    // Another publisher may have dropped a release and its objects since the pointer was read.
    if ((await readPointer(bucket))?.etag !== live.etag) continue;
    const needsMissing = (names: ReadonlySet<string>) =>
      [...names].some((name) => missing.has(objectKey(name)));
    const releases = [...named].filter(([, names]) => needsMissing(names)).map(([id]) => id);
    return { missing: missing.size, releases, isLive: releases[0] === live.pointer.release };
  }
  throw new VitrineError(
    "publisher_busy",
    `The live release of ${bucket.url} keeps changing while its objects are listed. The next count is in an hour.`,
  );
}

/**
 * Names of the objects of each kept release, including its index; only the index's name if the index is missing. Closes the place's
 * memory before the listing starts: a publish that begins meanwhile needs it.
 */
async function namesByRelease(
  bucket: Bucket,
  { releases }: Pointer,
  remembered: PlaceMemory,
): Promise<Map<string, ReadonlySet<string>>> {
  using memory = remembered;
  const named = new Map<string, ReadonlySet<string>>();
  for (const { id, index: name } of releases) {
    const known = memory.indexOf(name);
    const index = known ?? (await findIndex(bucket, name));
    if (known === undefined && index !== null) memory.keepIndex(name, index);
    named.set(id, new Set(index === null ? [name] : [name, ...objectsOf(index)]));
  }
  return named;
}

/** Null if there was no count yet, or it cannot be read. */
function readCount(memory: Memory): ObjectsCount | null {
  return readMemory(memory, () => {
    const text = readPlainFile(memory.file).toString();
    try {
      const count = JSON.parse(text) as ObjectsCount | null;
      if (Number.isInteger(count?.missing) && Array.isArray(count?.releases)) return count;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw damagedMemory("it is not the result of a listing");
  });
}

function writeCount(memory: Memory, count: ObjectsCount): void {
  writeMemory(memory, () => {
    makePrivateFolder(dirname(memory.file));
    refusePipe(`${memory.file}.new`);
    writeFileSync(`${memory.file}.new`, JSON.stringify(count), { mode: PRIVATE_FILE });
    renameSync(`${memory.file}.new`, memory.file);
  });
}
