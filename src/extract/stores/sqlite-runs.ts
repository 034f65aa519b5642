/**
 * Runs of pages that threads digest side by side: each takes the next run that nobody has taken. A thread that comes late,
 * or never, only leaves more to the others.
 */
import { createCipheriv, createSecretKey, hash, type KeyObject } from "node:crypto";
import { byteArray, sharedMemory } from "../../base/memory.ts";
import { type PageSource, readPages } from "./sqlite-picture.ts";

/** Of a page: half of its SHA-256. */
export const DIGEST_BYTES = 16;
const TAG_BYTES = 16;

/** A run: what the processor's cache holds while it is digested. */
const RUN_BYTES = 262_144;

/** Parts of the first page that any commit changes: the counter, the size, the free list, and who wrote them last. */
const COUNTERS: readonly (readonly [from: number, to: number])[] = [
  [24, 40],
  [92, 100],
];

/** Places in {@link RunsJob.state}. */
const NEXT = 0;
const DONE = 1;
const FAILED = 2;

/** What is to be digested, and where to: all of it data that threads have in common, or that is copied for them. */
export interface RunsJob {
  readonly source: PageSource;
  readonly key: Uint8Array;
  /** Tags of the runs as they were: where one is what it was, its pages' digests are left as they stand in `digests`. */
  readonly known: Uint8Array | null;
  /** The next run that nobody has taken, how many are done, and whether one could not be read. */
  readonly state: Int32Array;
  readonly tags: Uint8Array;
  readonly digests: Uint8Array;
}

export function pagesPerRun(pageSize: number): number {
  return Math.ceil(RUN_BYTES / pageSize);
}

/** @param digests of pages as they were, from the first, and tags of their runs */
export function runsJob(
  source: PageSource,
  key: Uint8Array,
  before: { readonly tags: Uint8Array; readonly digests: Uint8Array } | null,
): RunsJob {
  const { pages, pageSize } = source;
  const digests = byteArray(pages * DIGEST_BYTES);
  if (before !== null) digests.set(before.digests.subarray(0, digests.length));
  return {
    source,
    key,
    known: before?.tags ?? null,
    state: new Int32Array(sharedMemory(3 * Int32Array.BYTES_PER_ELEMENT)),
    tags: byteArray(Math.ceil(pages / pagesPerRun(pageSize)) * TAG_BYTES),
    digests,
  };
}

/** GHASH is a universal hash: tags of two contents that were chosen without seeing any are equal once in 2^110. */
function tagOf(key: KeyObject, run: Buffer): Buffer {
  const cipher = createCipheriv("aes-128-gcm", key, Buffer.alloc(12));
  cipher.setAAD(run);
  cipher.final();
  return cipher.getAuthTag();
}

/** Digests runs until there is none left that nobody has taken. Returns at once where others have taken all. */
export function digestRuns({ source, key, known, state, tags, digests }: RunsJob): void {
  const { pageSize, pages } = source;
  const perRun = pagesPerRun(pageSize);
  // Bytes would be made a key anew for each run.
  const secret = createSecretKey(key);
  const memory = Buffer.allocUnsafeSlow(perRun * pageSize);
  while (Atomics.load(state, FAILED) === 0) {
    const first = Atomics.add(state, NEXT, 1) * perRun;
    if (first >= pages) return;
    const count = Math.min(perRun, pages - first);
    const run = memory.subarray(0, count * pageSize);
    if (readRun(source, first, run)) {
      const tag = tagOf(secret, run);
      const place = (first / perRun) * TAG_BYTES;
      tags.set(tag, place);
      const isKnown = known !== null && tag.equals(known.subarray(place, place + TAG_BYTES));
      if (!isKnown) digests.set(pageDigests(run, pageSize), first * DIGEST_BYTES);
      Atomics.add(state, DONE, 1);
      Atomics.notify(state, DONE);
    } else failRuns(state);
  }
}

/** Tells all who work at a job, or wait for it, that there is no end to it. */
export function failRuns(state: RunsJob["state"]): void {
  Atomics.store(state, FAILED, 1);
  Atomics.add(state, DONE, 1);
  Atomics.notify(state, DONE);
}

function readRun(source: PageSource, first: number, target: Buffer): boolean {
  if (!readPages(source, first + 1, target.length / source.pageSize, target)) return false;
  if (first === 0) for (const [from, to] of COUNTERS) target.fill(0, from, to);
  return true;
}

function pageDigests(run: Buffer, pageSize: number): Buffer {
  const digests = Buffer.alloc((run.length / pageSize) * DIGEST_BYTES);
  for (let at = 0; at * pageSize < run.length; at++) {
    const page = run.subarray(at * pageSize, (at + 1) * pageSize);
    digests.write(hash("sha256", page, "binary"), at * DIGEST_BYTES, DIGEST_BYTES, "binary");
  }
  return digests;
}

/** What has become of a job: waits for runs that other threads have taken. `stuck`: nothing of them was done for too long. */
export function finishRuns(
  { source, state }: RunsJob,
  mostMilliseconds: number,
): "done" | "failed" | "stuck" {
  const runs = Math.ceil(source.pages / pagesPerRun(source.pageSize));
  for (;;) {
    const done = Atomics.load(state, DONE);
    if (Atomics.load(state, FAILED) !== 0) return "failed";
    if (done >= runs) return "done";
    if (Atomics.wait(state, DONE, done, mostMilliseconds) === "timed-out") return "stuck";
  }
}
