/**
 * Brings a mirror in step with a shop: reads the index of the bulk files, fetches the buckets whose digests are not as they are
 * held, and hands them over together. Digests alone say what is to be done, wherever the mirror stood and whatever it missed.
 * Knows no HTTP and no disk: both are ports.
 */
import { gunzipSync } from "node:zlib";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS } from "../base/formats.ts";
import type { Log } from "../base/log.ts";
import type { ResourceName } from "../catalog/resources.ts";
import {
  BULK_INDEX,
  type Bucket,
  type BulkIndex,
  bucketKey,
  resourceIndexKey,
  resourceIndexText,
  shortDigestOf,
} from "../feeds/bulk-format.ts";
import { forEachAtOnce } from "../publish/calls.ts";
import {
  type HeldBuckets,
  invalid,
  type MirrorState,
  MOST,
  readIndex,
  readResourceIndex,
} from "./schemas.ts";

export interface Got {
  readonly bytes: Buffer;
  readonly etag: string | null;
}

/** A shop's files, by their keys. */
export interface Remote {
  /** How messages call a file: its address. */
  nameOf(key: string): string;
  /** Null where there is no such file; `unchanged` where it is the one with this ETag. @throws VitrineError remote_failed */
  get(key: string, mostBytes: number, etag?: string | null): Promise<Got | "unchanged" | null>;
}

export interface ChangedBucket {
  readonly resource: ResourceName;
  readonly bucket: string;
  readonly key: string;
  /** Records in it; 0 where it is gone. */
  readonly records: number;
}

/** What a mirror becomes. */
export interface Step {
  readonly index: BulkIndex;
  readonly indexBytes: Buffer;
  /** All that are not as they were; those that are not gone are kept by now. */
  readonly changed: readonly ChangedBucket[];
  readonly next: MirrorState;
}

/** How many records came or changed, and went. */
export interface Applied {
  readonly put: number;
  readonly deleted: number;
}

/** What a mirror holds. */
export interface Held {
  /** Null where nothing was mirrored yet. */
  readonly state: MirrorState | null;
  /** True where a bucket with this digest was kept by a run that was cut off. */
  has(key: string, digest: string): boolean;
  /** Keeps a bucket for the step to come. */
  keep(key: string, bytes: Buffer): void;
  /** Takes a step: all of it, or nothing where it fails. */
  commit(step: Step): Promise<Applied> | Applied;
}

export interface SyncOptions {
  readonly log: Log;
  /** Files that are fetched at once. */
  readonly concurrency: number;
  /** Called before it is tried again, since what was fetched did not fit together. */
  readonly pause: (round: number) => Promise<void>;
}

export interface SyncReport extends Applied {
  /** False where no bucket was another. */
  readonly isChanged: boolean;
  /** Records that are held, by their list. */
  readonly records: Readonly<Record<string, number>>;
  /** Buckets that were fetched, those that went, and bytes of all that was fetched. */
  readonly buckets: number;
  readonly gone: number;
  readonly fetchedBytes: number;
}

/** What was fetched does not fit together: most likely a publish is going on. */
class Unfit extends Error {}

/** How often is looked anew where what is fetched does not fit together. */
const ROUNDS = 5;

/** @throws VitrineError remote_failed, remote_invalid, newer_format: what is held stands then */
export async function sync(remote: Remote, held: Held, options: SyncOptions): Promise<SyncReport> {
  for (let round = 0; ; round++) {
    try {
      return await new Run(remote, held, options).run();
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      if (round === ROUNDS - 1)
        throw new VitrineError(
          "remote_invalid",
          `${error.message}, and so it was ${ROUNDS} times: a publish there is not done, or caches are behind. What is held ` +
            "stands as it was: try again later.",
        );
      options.log.info(`${error.message}: looking again`);
      await options.pause(round);
    }
  }
}

type Buckets = Map<ResourceName, Map<string, Bucket>>;

class Run {
  readonly #remote: Remote;
  readonly #held: Held;
  readonly #options: SyncOptions;
  #fetchedBytes = 0;
  #fetchedBuckets = 0;

  constructor(remote: Remote, held: Held, options: SyncOptions) {
    this.#remote = remote;
    this.#held = held;
    this.#options = options;
  }

  async run(): Promise<SyncReport> {
    const { state } = this.#held;
    const found = await this.#get(BULK_INDEX, MOST.index, state?.indexEtag);
    if (found === "unchanged")
      return { ...this.#report(state), put: 0, deleted: 0, gone: 0, isChanged: false };
    if (found === null)
      throw new VitrineError(
        "remote_failed",
        `${this.#name(BULK_INDEX)} is not there: only a shop whose configuration has feeds.bulk can be mirrored.`,
      );
    const index = readIndex(found.bytes, this.#name(BULK_INDEX));
    const buckets = heldBuckets(state?.resources ?? {}, index);
    await this.#takeDiffering(index, buckets);
    const resources = plainBuckets(buckets);
    const next = { format: FORMATS.bulk.newest, indexEtag: found.etag, resources };
    const changed = changesBetween(state?.resources ?? {}, buckets);
    this.#options.log.progress(() => "writing the catalog");
    const applied = await this.#held.commit({ index, indexBytes: found.bytes, changed, next });
    const gone = changed.filter(({ records }) => records === 0).length;
    return { ...this.#report(next), ...applied, gone, isChanged: changed.length > 0 };
  }

  #name(key: string): string {
    return this.#remote.nameOf(key);
  }

  async #get(key: string, mostBytes: number, etag?: string | null): Promise<Got | "unchanged" | null> {
    const got = await this.#remote.get(key, mostBytes, etag);
    if (got !== null && got !== "unchanged") this.#fetchedBytes += got.bytes.length;
    return got;
  }

  #report(state: MirrorState | null) {
    const count = (own: Readonly<Record<string, Bucket>> = {}) =>
      Object.values(own).reduce((sum, [records]) => sum + records, 0);
    const records = Object.entries(state?.resources ?? {}).map(([name, own]) => [name, count(own)]);
    return {
      records: Object.fromEntries(records) as Record<string, number>,
      ...{ buckets: this.#fetchedBuckets, fetchedBytes: this.#fetchedBytes },
    };
  }

  /** Fetches what differs from the indexes. */
  async #takeDiffering(index: BulkIndex, buckets: Buckets): Promise<void> {
    const wanted: { key: string; bucket: Bucket; take: (bucket: Bucket) => void }[] = [];
    for (const [resource, own] of buckets) {
      const digest = index.resources[resource]?.digest;
      if (shortDigestOf(resourceIndexText(resource, own)) === digest) continue;
      const named = await this.#resourceIndex(resource, digest);
      for (const name of own.keys()) if (!named.has(name)) own.delete(name);
      for (const [name, bucket] of named) {
        const [records, held] = own.get(name) ?? [];
        const key = bucketKey(resource, name);
        if (held !== bucket[1]) wanted.push({ key, bucket, take: (taken) => void own.set(name, taken) });
        else if (records !== bucket[0]) throw miscounted(this.#name(key), records, bucket[0]);
      }
    }
    let done = 0;
    await forEachAtOnce(wanted, this.#options.concurrency, async ({ key, bucket, take }) => {
      await this.#takeBucket(key, bucket);
      take(bucket);
      done += 1;
      this.#options.log.progress(() => ({ what: "fetching", done, of: wanted.length, unit: "buckets" }));
    });
  }

  async #resourceIndex(resource: ResourceName, digest: string | undefined): Promise<Map<string, Bucket>> {
    const key = resourceIndexKey(resource);
    const found = await this.#get(key, MOST.resourceIndex);
    if (found === null || found === "unchanged" || shortDigestOf(found.bytes) !== digest)
      throw new Unfit(`${this.#name(key)} is not the one that ${BULK_INDEX} names`);
    const read = readResourceIndex(found.bytes, this.#name(key));
    const buckets = new Map(Object.entries(read.buckets));
    // What this version makes of the same buckets must be the same: by that it knows later that nothing has changed.
    if (read.resource !== resource || shortDigestOf(resourceIndexText(resource, buckets)) !== digest)
      throw invalid(this.#name(key), "is not as this version writes it");
    return buckets;
  }

  async #takeBucket(key: string, [records, digest]: Bucket): Promise<void> {
    if (this.#held.has(key, digest)) return;
    const found = await this.#get(key, MOST.bucket);
    if (found === null || found === "unchanged" || shortDigestOf(found.bytes) !== digest)
      throw new Unfit(`${this.#name(key)} is not the one that its index names`);
    const [counted] = this.#keep(key, found.bytes);
    if (counted !== records) throw miscounted(this.#name(key), counted, records);
  }

  #keep(key: string, bytes: Buffer): Bucket {
    const records = countLines(linesIn(bytes, this.#name(key)));
    this.#held.keep(key, bytes);
    this.#fetchedBuckets += 1;
    return [records, shortDigestOf(bytes)];
  }
}

function miscounted(name: string, found: number | undefined, said: number): VitrineError {
  return invalid(name, `has ${found} records, not ${said} as its index says`);
}

/** The lines of a bucket. @throws VitrineError remote_invalid */
export function linesIn(bytes: Buffer, name: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST.lines });
  } catch (error) {
    throw invalid(name, `can't be unzipped: ${messageOf(error)}`, error);
  }
}

const LINE_END = 0x0a;

function countLines(lines: Buffer): number {
  let count = 0;
  for (let end = lines.indexOf(LINE_END); end >= 0; end = lines.indexOf(LINE_END, end + 1)) count += 1;
  return count;
}

/** What is held of the lists that a shop offers now. */
function heldBuckets(held: HeldBuckets, { resources }: BulkIndex): Buckets {
  const names = Object.keys(resources) as ResourceName[];
  return new Map(names.map((name) => [name, new Map(Object.entries(held[name] ?? {}))]));
}

function plainBuckets(buckets: Buckets): HeldBuckets {
  return Object.fromEntries([...buckets].map(([name, own]) => [name, Object.fromEntries(own)]));
}

function changesBetween(before: HeldBuckets, after: Buckets): ChangedBucket[] {
  const names = [...new Set([...Object.keys(before), ...after.keys()])] as ResourceName[];
  return names.flatMap((resource) => {
    const [old, next] = [before[resource] ?? {}, after.get(resource) ?? new Map<string, Bucket>()];
    const all = [...new Set([...Object.keys(old), ...next.keys()])].sort();
    return all.flatMap((bucket) => {
      const is = next.get(bucket);
      if (old[bucket]?.[1] === is?.[1]) return [];
      return [{ resource, bucket, key: bucketKey(resource, bucket), records: is?.[0] ?? 0 }];
    });
  });
}
