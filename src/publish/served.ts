/**
 * What a bucket or a public address really serves, against the manifest of the live release or of a snapshot; and whether what
 * releases are made of is all there, and what it was when it was put.
 */
import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import { isStamped } from "../api/validator.ts";
import { itemAt } from "../base/arrays.ts";
import { contentTypeOf } from "../base/content-type.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { etagOf } from "../catalog/envelope.ts";
import { queryOfKey, targetOf } from "../key/key.ts";
import { readHeader } from "../site/delta.ts";
import type { Manifest } from "../site/manifest.ts";
import {
  type Bucket,
  catalogKey,
  deltaKey,
  MOST_OBJECT_BYTES,
  manifestKey,
  type ObjectHead,
  readingObject,
} from "./bucket.ts";
import { type Deadline, gather, type RetryPolicy, withDeadline, withRetries } from "./calls.ts";
import { fetchLiveEntries } from "./changes.ts";
import { digestInId, type ReleasePart, readFoundLive } from "./documents.ts";
import { fetchManifest, fetchPart } from "./fetch-release.ts";
import { type Cdn, planPurge, runPurge } from "./purge.ts";
import type { ReleasedEntry } from "./release-files.ts";
import { lacksLive } from "./releases.ts";

/** An object as it is served; null where it is not. */
interface Served {
  readonly body: Buffer;
  readonly head: ObjectHead | null;
}
export type Reader = (key: string) => Promise<Served | null>;

type Expected = Pick<ReleasedEntry, "key" | "digest" | "etag">;
type Entries = AsyncIterable<Expected> | Iterable<Expected>;

export function readBucket(bucket: Bucket): Reader {
  return async (key) => {
    const found = await bucket.get(key);
    return found === null ? null : { body: found.body, head: await bucket.head(key) };
  };
}

const PUBLIC_RETRIES: RetryPolicy = {
  attempts: 3,
  baseMilliseconds: 200,
  maxMilliseconds: 2000,
  callMilliseconds: 20_000,
  budgetMilliseconds: 30_000,
};

async function fetchWhole(url: string, { signal, moved }: Deadline) {
  const response = await fetch(url, { signal });
  const long = () => new Error(`${url} does not end`);
  return { response, body: await gather(response.body ?? [], MOST_OBJECT_BYTES, long, moved) };
}

/** Reads as a client does: at the request's own address, past no cache. */
export function readPublic(origin: string, change: Partial<RetryPolicy> = {}): Reader {
  const retries = { ...PUBLIC_RETRIES, ...change };
  return async (key) => {
    const query = queryOfKey(key);
    const url = origin + (query === null ? `/${key}` : targetOf(query));
    const { response, body } = await withRetries(
      retries,
      () => true,
      () => withDeadline(retries.callMilliseconds, (deadline) => fetchWhole(url, deadline)),
    );
    if (!response.ok) return null;
    const head = {
      contentType: response.headers.get("content-type") ?? "",
      cacheControl: response.headers.get("cache-control") ?? "",
      metadata: {},
      sizeBytes: body.length,
    };
    return { body, head };
  };
}

/** What is wrong with one object, or null. The fallback may have answered: then only `generated_at` differs. */
function compareServed({ key, digest, etag }: Expected, served: Served | null): string | null {
  if (served === null) return `${key}: is not served`;
  const { body, head } = served;
  const same =
    hash("sha256", body, "hex") === digest || etagOf({ bytes: body, stamped: isStamped(key) }) === etag;
  if (!same) return `${key}: other bytes are served than the release's`;
  const contentType = contentTypeOf(key);
  if (contentType === null || head === null || head.contentType === contentType) return null;
  return `${key}: its content type is ${head.contentType || "missing"}, not ${contentType}`;
}

const CONCURRENCY = 16;

/**
 * Problems of all entries, in no order.
 * @throws VitrineError remote_failed where nothing answers any more: to ask for the rest would take hours
 */
export async function checkServed(
  entries: Entries,
  read: Reader,
  progress: (done: number) => void,
): Promise<{ readonly key: string; readonly problem: string }[]> {
  let done = 0;
  let silent = 0;
  const problems: { key: string; problem: string }[] = [];
  await pMap(
    entries,
    async (entry) => {
      const { key } = entry;
      const problem = await read(key).then(
        (served) => {
          silent = 0;
          return compareServed(entry, served);
        },
        (error: unknown) => {
          silent += 1;
          if (silent >= CONCURRENCY) throw goneError(key, error);
          return `${key}: ${messageOf(error)}`;
        },
      );
      if (problem !== null) problems.push({ key, problem });
      done += 1;
      progress(done);
    },
    { concurrency: CONCURRENCY },
  );
  return problems;
}

function goneError(key: string, cause: unknown): VitrineError {
  return new VitrineError(
    "remote_failed",
    `Nothing answers any more: ${CONCURRENCY} requests in a row failed, the last for ${key}: ${messageOf(cause)}. ` +
      "Look whether the address is right and reachable, and check again.",
    { cause },
  );
}

/** Every n-th of a list, `size` in all: the same list gives the same sample. */
function sampleOf<Item>(items: readonly Item[], size: number): Item[] {
  if (items.length <= size) return [...items];
  let next = 0;
  return items.filter((_, at) => {
    if (at < Math.floor((next * items.length) / size)) return false;
    next += 1;
    return true;
  });
}

export interface VerifyInputs {
  /** Keys that were put. */
  readonly keys: readonly string[];
  readonly manifest: Manifest;
  readonly release: string;
  /** How many of them are asked for. */
  readonly size: number;
}

export interface VerifyPorts {
  readonly read: Reader;
  readonly cdns: readonly Cdn[];
  readonly pauseMilliseconds?: number;
}

const VERIFY_ROUNDS = 4;
const VERIFY_PAUSE_MILLISECONDS = 2000;

/**
 * After a publish: does the public address serve it? What is stale is purged again, by its key, and asked for again. Returns
 * how many were asked for.
 * @throws VitrineError remote_stale
 */
export async function verifyPublic(inputs: VerifyInputs, ports: VerifyPorts): Promise<number> {
  const sample = sampleOf(inputs.keys, inputs.size);
  // Whether it is fresh, and no more: types are vitrine check's to compare.
  const read: Reader = async (key) => {
    const served = await ports.read(key);
    return served === null ? null : { ...served, head: null };
  };
  let keys = sample;
  for (let round = 1; ; round++) {
    const entries = keys.flatMap((key) => inputs.manifest.get(key) ?? []);
    const problems = await checkServed(entries, read, () => undefined);
    if (problems.length === 0) return sample.length;
    if (round === VERIFY_ROUNDS) {
      throw new VitrineError(
        "remote_stale",
        `Release ${inputs.release} is live, but ${problems.length} of ${sample.length} answers that were asked for are ` +
          `not: ${problems[0]?.problem}. Look whether the public address leads to this bucket, and purge the CDN.`,
      );
    }
    keys = problems.map(({ key }) => key);
    const pending = { release: `${inputs.release}-verify${round}`, keys, tags: [] };
    for (const cdn of ports.cdns) await runPurge(cdn, planPurge(pending, cdn), pending.release);
    await sleep((ports.pauseMilliseconds ?? VERIFY_PAUSE_MILLISECONDS) * round);
  }
}

/** The objects that a part is. */
export function keysOfPart({ id, kind }: ReleasePart): string[] {
  return kind === "delta" ? [deltaKey(id)] : [catalogKey(id), manifestKey(id)];
}

/** Told by sizes, which requests without a body say. */
async function hasItsSize(bucket: Bucket, part: ReleasePart): Promise<boolean> {
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

function leadsToIts(bucket: Bucket, { id }: ReleasePart, file: string): boolean {
  const { to } = readingObject(`${bucket.url}/${deltaKey(id)}`, () => readHeader(file));
  return to.catalog.startsWith(digestInId(id));
}

/** A gzipped file says itself whether a byte of it changed. */
async function isSound(bucket: Bucket, part: ReleasePart, folder: string): Promise<boolean> {
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
    // The file has been received: whatever is wrong now is wrong in it.
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
  parts: readonly ReleasePart[],
  { reads }: { readonly reads: boolean },
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const look = async (part: ReleasePart) => {
    if (!(await hasItsSize(bucket, part))) lost.add(part.id);
  };
  await pMap(parts, look, { concurrency: CONCURRENCY });
  if (!reads) return lost;
  await using folder = await temporaryFolder();
  for (const part of parts)
    if (!lost.has(part.id) && !(await isSound(bucket, part, folder.path))) lost.add(part.id);
  return lost;
}

export interface ServedReport {
  readonly files: number;
  readonly problems: readonly string[];
}

export interface CheckOptions {
  /** Check only about so many, spread over all; 0 checks every one. */
  readonly sample: number;
  readonly progress: (done: number, files: number) => void;
}

/** Every n-th of `files` entries, so that about `sample` come through; 0: all. */
async function* sampled(entries: Entries, files: number, sample: number): AsyncGenerator<Expected> {
  const step = sample === 0 ? 1 : Math.max(1, Math.floor(files / sample));
  let at = 0;
  for await (const entry of entries) if (at++ % step === 0) yield entry;
}

async function checkEntries(
  entries: Entries,
  files: number,
  read: Reader,
  { sample, progress }: CheckOptions,
): Promise<ServedReport> {
  let checked = 0;
  const problems = await checkServed(sampled(entries, files, sample), read, (done) => {
    checked = done;
    progress(done, files);
  });
  return { files: checked, problems: problems.map(({ problem }) => problem).sort() };
}

/** Against the manifest of the live release, fetched to a folder: it says what the bucket should hold. */
export async function checkBucket(
  bucket: Bucket,
  folder: string,
  options: CheckOptions,
): Promise<ServedReport> {
  const live = await readFoundLive(bucket);
  const { parts, releases } = live.pointer;
  const lost = await findLostParts(bucket, parts, { reads: options.sample === 0 });
  const problems = parts
    .filter(({ id }) => lost.has(id))
    .map((part) => `${keysOfPart(part).join(" or ")}: is missing, or not what was put`);
  // Without it nothing says what answers there are.
  if (lacksLive(live.pointer, lost)) return { files: 0, problems };
  const entries = await fetchLiveEntries(bucket, live, folder);
  const report = await checkEntries(entries(), itemAt(releases, 0).files, readBucket(bucket), options);
  return { ...report, problems: [...problems, ...report.problems] };
}

/** Against a snapshot: the public address is asked as a client asks. */
export function checkPublic(read: Reader, manifest: Manifest, options: CheckOptions): Promise<ServedReport> {
  return checkEntries(manifest.entries(), manifest.totals().files, read, options);
}
