/**
 * A look, once an hour, at whether a place still has the objects of all kept releases. What is lost of one shows only when it is
 * needed: by a fallback that starts, or by a rollback. One listing finds it: a request for 1,000 objects.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { VitrineError } from "../base/error.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../base/modes.ts";
import { OBJECTS, objectKey } from "../release/objects.ts";
import { objectsOf } from "../release/release-index.ts";
import type { OutLayout } from "../site/layout.ts";
import type { Bucket } from "./bucket.ts";
import { type Pointer, readPointer } from "./documents.ts";
import { findIndex } from "./fetch-release.ts";
import { memoryFile, PlaceMemory } from "./place-memory.ts";

export interface ObjectsLook {
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
/** How often the live release may change while the objects are listed. */
const ROUNDS = 4;

/**
 * What the last look found; if that was an hour ago, or objects were missing, it is looked again. Null if nothing was published.
 * @throws VitrineError remote_failed, remote_invalid, newer_format, publisher_busy; the next look is due an hour later all the same
 */
export async function lookAtObjects(
  bucket: Bucket,
  layout: Pick<OutLayout, "places">,
  now: Date,
): Promise<ObjectsLook | null> {
  const memory = memoryFile(layout, bucket);
  const file = memory.replace(/sqlite$/, "look.json");
  const last = readLook(file);
  const sinceLast = Math.abs(now.getTime() - Date.parse(last?.lookedAt ?? ""));
  if (last !== null && last.missing === 0 && sinceLast < EVERY_MILLISECONDS) return last;
  const lookedAt = now.toISOString();
  writeLook(file, { ...(last ?? NOTHING_MISSING), lookedAt });
  const found = await findMissing(bucket, memory);
  if (found === null) return null;
  const look = { ...found, lookedAt };
  writeLook(file, look);
  return look;
}

const NOTHING_MISSING: Omit<ObjectsLook, "lookedAt"> = { missing: 0, releases: [], isLive: false };

async function findMissing(bucket: Bucket, file: string): Promise<Omit<ObjectsLook, "lookedAt"> | null> {
  for (let round = 0; round < ROUNDS; round++) {
    const live = await readPointer(bucket);
    if (live === null) return null;
    const named = await namesByRelease(bucket, file, live.pointer);
    const missing = new Set([...named.values()].flatMap((names) => [...names].map(objectKey)));
    for await (const key of bucket.list(OBJECTS)) {
      missing.delete(key);
      if (missing.size === 0) return NOTHING_MISSING;
    }
    // Another publisher may have let go a release, and its objects, since the pointer was read.
    if ((await readPointer(bucket))?.etag !== live.etag) continue;
    const needsMissing = (names: ReadonlySet<string>) =>
      [...names].some((name) => missing.has(objectKey(name)));
    const releases = [...named].filter(([, names]) => needsMissing(names)).map(([id]) => id);
    return { missing: missing.size, releases, isLive: releases[0] === live.pointer.release };
  }
  throw new VitrineError(
    "publisher_busy",
    `The live release of ${bucket.url} keeps changing while its objects are listed. The next look is in an hour.`,
  );
}

/**
 * Names of the objects of each kept release, its index included; the index alone if it is missing. What is remembered of the place
 * is closed again then: a publish that begins while objects are listed needs it.
 */
async function namesByRelease(
  bucket: Bucket,
  file: string,
  { releases }: Pointer,
): Promise<Map<string, ReadonlySet<string>>> {
  using memory = new PlaceMemory(file);
  const named = new Map<string, ReadonlySet<string>>();
  for (const { id, index: name } of releases) {
    const known = memory.indexOf(name);
    const index = known ?? (await findIndex(bucket, name));
    if (known === undefined && index !== null) memory.keepIndex(name, index);
    named.set(id, new Set(index === null ? [name] : [name, ...objectsOf(index)]));
  }
  return named;
}

/** Null if it was never looked, or the file is damaged: then it is looked again. */
function readLook(file: string): ObjectsLook | null {
  try {
    const look = JSON.parse(readFileSync(file, "utf8")) as ObjectsLook;
    return Number.isInteger(look.missing) && Array.isArray(look.releases) ? look : null;
  } catch {
    return null;
  }
}

/** Without a folder that can be written it is looked each time. */
function writeLook(file: string, look: ObjectsLook): void {
  try {
    makePrivateFolder(dirname(file));
    writeFileSync(file, JSON.stringify(look), { mode: PRIVATE_FILE });
  } catch {
    // The folder of the snapshot may be read-only.
  }
}
