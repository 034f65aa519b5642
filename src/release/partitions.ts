/**
 * Lists and the manifest, cut into partitions of about 100 rows. A row's partition follows from its id or key alone, so a
 * change of one row changes one partition. Its rows are in order, one line of JSON each.
 */
import { createHash, hash } from "node:crypto";
import type Database from "better-sqlite3";
import * as Type from "typebox";
import { closed } from "../api/field.ts";
import { parseShallowJson } from "../base/json.ts";
import { schemaCheck } from "../base/schema.ts";
import type { RowDigests } from "../catalog/record-digests.ts";
import { recordLines } from "../catalog/record-line.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { isSiteKey } from "../key/key.ts";
import type { ManifestEntry } from "../site/manifest.ts";

const ROWS = 100;
/** Limit for a list and for the manifest: an index with this many in each list is some 45 MB. Beyond it, partitions grow. */
export const MAX_PARTITIONS: number = 2 ** 16;

/**
 * The number of partitions for a number of rows: a power of two. The previous release's number is kept while a partition
 * has 50 to 200 rows, so that a shop near the limit of two numbers does not upload everything again each time.
 */
export function partitionCount(rows: number, previous: number | null): number {
  const isNear = previous !== null && rows >= (previous * ROWS) / 2 && rows <= previous * ROWS * 2;
  if (isNear || (previous === 1 && rows <= ROWS * 2)) return previous;
  return Math.min(MAX_PARTITIONS, 2 ** Math.max(0, Math.round(Math.log2(rows / ROWS || 1))));
}

/** Ids by their partition, ascending in each. */
export function idsByPartition(ids: Iterable<number>, count: number): number[][] {
  const partitions = Array.from({ length: count }, (): number[] => []);
  for (const id of ids) partitions[id % count]?.push(id);
  return partitions;
}

/** The complete lines of a partition's records, in order of id (see `recordLines`). */
export function recordPartition(
  db: Database.Database,
  resource: ResourceName,
  ids: readonly number[],
): Buffer {
  const pieces: Buffer[] = [];
  for (const [, line] of recordLines(db, resource, ids, true)) pieces.push(...line);
  return Buffer.concat(pieces);
}

/**
 * Fingerprints of a list's partitions: digests of their rows' digests, in order of id. A row's digest covers its id, so partitions
 * with the same fingerprint have the same lines, whatever their number. `ids`: of all rows, ascending.
 */
export function partitionFingerprints(digests: RowDigests, ids: Iterable<number>, count: number): string[] {
  const hashes = Array.from({ length: count }, () => createHash("sha256"));
  let row = 0;
  for (const id of ids) {
    hashes[id % count]?.update(digests.list(row)).update(digests.detail(row));
    row += 1;
  }
  return hashes.map((each) => each.digest("hex"));
}

/** A release's entry for a key. It lacks the digest of the bytes: validator and time are enough to tell versions apart. */
export type ReleasedEntry = Pick<ManifestEntry, "key" | "etag" | "sizeBytes" | "generatedAt">;

/**
 * True if a partition of the manifest begins at this key: one key in a hundred, chosen by the key's own digest. So a cut does
 * not move when keys elsewhere are added or deleted, and keys that change together, like a list's pages, share partitions.
 */
function beginsPartition(key: string): boolean {
  return hash("sha256", key, "buffer").readUInt32BE(0) % ROWS === 0;
}

/** Entries in order of key, cut into partitions. */
export function* cutEntries(entries: Iterable<ReleasedEntry>): Generator<readonly ReleasedEntry[]> {
  let partition: ReleasedEntry[] = [];
  for (const entry of entries) {
    if (partition.length > 0 && beginsPartition(entry.key)) {
      yield partition;
      partition = [];
    }
    partition.push(entry);
  }
  if (partition.length > 0) yield partition;
}

/** The lines of a partition's entries. */
export function entryPartition(entries: readonly ReleasedEntry[]): Buffer {
  return Buffer.from(entries.map(formatEntry).join(""));
}

/** Upper bound of a partition of the manifest: several times the size of 1,000 entries with the longest keys. */
export const MAX_ENTRIES_BYTES: number = 4 * 1024 * 1024;

/** One line: `["api/v1/products/page=1.json","W/\"9a…\"",15231,"2026-11-26T00:00:00+00:00"]` */
function formatEntry({ key, etag, sizeBytes, generatedAt }: ReleasedEntry): string {
  return `${JSON.stringify([key, etag, sizeBytes, generatedAt])}\n`;
}

const isEntry = schemaCheck<ReleasedEntry>(
  Type.Object(
    {
      key: Type.String({ maxLength: 900 }),
      etag: Type.String({ pattern: '^W/"[0-9a-f]{32}"$' }),
      sizeBytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      generatedAt: Type.String({ pattern: "^[0-9]{4}-[0-9TZ:.+-]{6,30}$" }),
    },
    closed,
  ),
);

/**
 * The entries of a partition of the manifest, in order of key.
 * @throws Error if a line is not an entry of this partition, or not in order
 */
export function parseEntries(content: Buffer): ReleasedEntry[] {
  const lines = content.toString("utf8").split("\n");
  if (lines.pop() !== "") throw new Error("its last line is cut off");
  if (lines.length === 0) throw new Error("it is empty");
  let before = "";
  return lines.map((line) => {
    const value = parseShallowJson(line);
    const [key, etag, sizeBytes, generatedAt, ...more]: unknown[] = Array.isArray(value) ? value : [];
    const entry: unknown = { key, etag, sizeBytes, generatedAt };
    if (more.length > 0 || !isEntry(entry) || !isSiteKey(entry.key))
      throw new Error("a line is not an entry of a manifest");
    if (entry.key <= before) throw new Error("its keys are not in order");
    if (before !== "" && beginsPartition(entry.key)) throw new Error(`${entry.key} begins another partition`);
    before = entry.key;
    return entry;
  });
}
