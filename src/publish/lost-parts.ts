/** Whether what releases are made of is all there, and what it was when it was put. */
import { rmSync } from "node:fs";
import pMap from "p-map";
import { systemCodeOf, VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { readHeader } from "../snapshot/delta.ts";
import { type Bucket, catalogKey, deltaKey, manifestKey } from "./bucket.ts";
import { digestInId, type Part } from "./documents.ts";
import { fetchManifest, fetchPart } from "./fetch-release.ts";
import { readingObject } from "./invalid.ts";
import { chainOf } from "./parts.ts";
import type { Publication } from "./ports.ts";

const HEADS_AT_ONCE = 16;

/** The objects that a part is. */
export function keysOfPart({ id, kind }: Part): string[] {
  return kind === "delta" ? [deltaKey(id)] : [catalogKey(id), manifestKey(id)];
}

/** Told by sizes, which requests without a body say. */
async function hasItsSize(bucket: Bucket, part: Part): Promise<boolean> {
  const heads = await Promise.all(keysOfPart(part).map((key) => bucket.head(key)));
  const found = heads.reduce((sum, head) => sum + (head?.sizeBytes ?? 0), 0);
  return heads.every((head) => head !== null) && (part.sizeBytes === 0 || found === part.sizeBytes);
}

const NO_DAMAGE: readonly string[] = ["remote_failed", "write_failed", "newer_format"];

/** True for what is wrong with bytes that came, and not with the way to them or the disk that they are written to. */
function isDamage(error: unknown): boolean {
  if (error instanceof VitrineError) return !NO_DAMAGE.includes(error.code);
  return systemCodeOf(error).startsWith("Z_");
}

function leadsToIts(bucket: Bucket, { id }: Part, file: string): boolean {
  const { to } = readingObject(`${bucket.url}/${deltaKey(id)}`, () => readHeader(file));
  return to.catalog.startsWith(digestInId(id));
}

/** A gzipped file says itself whether a byte of it changed. */
async function isSound(bucket: Bucket, part: Part, folder: string): Promise<boolean> {
  try {
    const file = await fetchPart(bucket, part, folder);
    if (file === null) return false;
    const isIts = part.kind === "base" || leadsToIts(bucket, part, file);
    rmSync(file);
    if (part.kind === "delta" || !isIts) return isIts;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
  const entries = await fetchManifest(bucket, [part], folder);
  if (entries === null) return false;
  try {
    for await (const _ of entries());
    return true;
  } catch (error) {
    // The file is here by now: whatever is told of it is its own fault.
    if (error instanceof VitrineError ? error.code !== "newer_format" : isDamage(error)) return false;
    throw error;
  }
}

/**
 * Releases whose part the bucket has lost, or has as another one. `reads`: every part is fetched and read; else its size
 * decides.
 */
export async function findLostParts(
  bucket: Bucket,
  parts: readonly Part[],
  { reads }: { readonly reads: boolean },
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const look = async (part: Part) => {
    if (!(await hasItsSize(bucket, part))) lost.add(part.id);
  };
  await pMap(parts, look, { concurrency: HEADS_AT_ONCE });
  if (!reads) return lost;
  await using folder = await temporaryFolder();
  for (const part of parts)
    if (!lost.has(part.id) && !(await isSound(bucket, part, folder.path))) lost.add(part.id);
  return lost;
}

/** True where the bucket has lost something of what the live release is made of. */
export function lacksLive({ state, lost }: Pick<Publication, "state" | "lost">): boolean {
  const { parts, release } = state.live?.pointer ?? { parts: [], release: null };
  return lost.size > 0 && release !== null && chainOf(parts, release).some(({ id }) => lost.has(id));
}
