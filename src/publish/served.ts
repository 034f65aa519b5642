/**
 * Compares what a bucket or a public address serves with the manifest of the live release or of a snapshot; and checks that all
 * objects of the kept releases exist and match their names.
 */

import { hash } from "node:crypto";
import pMap from "p-map";
import type { PublicConfig } from "../api/config.ts";
import { RATE_LIMIT } from "../api/errors.ts";
import { isStamped } from "../api/validator.ts";
import { itemAt } from "../base/arrays.ts";
import { CLOCK, type ClockOption } from "../base/clock.ts";
import { contentTypeOf } from "../base/content-type.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { type Log, SILENT } from "../base/log.ts";
import { Pause } from "../base/pause.ts";
import { retryAfter, sharedLimitReason, wholeBody } from "../base/responses.ts";
import { type RetryPolicy, withRetries } from "../base/retries.ts";
import { etagOf } from "../catalog/envelope.ts";
import { queryOfKey, targetOf } from "../key/key.ts";
import { objectKey } from "../release/objects.ts";
import type { ReleasedEntry } from "../release/partitions.ts";
import { configIn, objectsOf, type ReleaseIndex } from "../release/release-index.ts";
import type { Manifest } from "../site/manifest.ts";
import {
  type Bucket,
  headerProblem,
  MOST_OBJECT_BYTES,
  type ObjectHeaders,
  type StoredObject,
} from "./bucket.ts";
import { type Deadline, withDeadline } from "./calls.ts";
import { readFoundLive } from "./documents.ts";
import { fetchEntries, fetchObject, findIndex } from "./fetch-release.ts";
import { createHeaderMaker, headerPolicy } from "./headers.ts";
import { createSeen, type Seen } from "./options.ts";
import { type Cdn, planPurge, runPurge } from "./purge.ts";

/** An answer as it is served. `headers`: null if they are not to be compared. */
type Served = Pick<StoredObject, "body" | "headers"> & {
  /** How long caches have had it, by its `Age`. */
  readonly keptSeconds?: number;
};
export type Reader = (key: string) => Promise<Served | null>;

type Expected = Pick<ReleasedEntry, "key" | "etag">;
type Entries = AsyncIterable<Expected> | Iterable<Expected>;

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
  return { response, body: await wholeBody(response.body ?? [], MOST_OBJECT_BYTES, long, moved) };
}

/** An address that answers nothing but 429 for so long never ends that. */
const MOST_REFUSED_MILLISECONDS = 180_000;
const RATE_WINDOW_MILLISECONDS = RATE_LIMIT.windowSeconds * 1000;

/**
 * Reads as a client does: at the public request's address, through all caches. At the rate limit, all calls of the reader wait as
 * long as the answer says.
 */
export function readPublic(origin: string, change: Partial<RetryPolicy> = {}, log: Log = SILENT): Reader {
  const retries = { ...PUBLIC_RETRIES, ...change };
  const { clock = CLOCK } = retries;
  const limit = new Pause(RATE_WINDOW_MILLISECONDS, clock);
  let isLimited = false;
  let sent = 0;
  let lastPassed = clock.elapsed();

  const ask = async (url: string) => {
    for (;;) {
      await limit.isOver();
      const found = await withRetries(
        retries,
        () => true,
        () => {
          sent += 1;
          return withDeadline(retries, (deadline) => fetchWhole(url, deadline));
        },
      );
      const { status, headers } = found.response;
      if (status !== 429) {
        lastPassed = clock.elapsed();
        return found;
      }
      if (clock.elapsed() - lastPassed >= MOST_REFUSED_MILLISECONDS)
        throw new Error("there were too many requests, and waiting did not help");
      if (!isLimited) {
        const shared = sharedLimitReason(headers, sent);
        if (shared !== null) log.warn(`${origin} ${shared}`);
        log.warn(`${origin} limits requests: reading as fast as it allows`);
      }
      isLimited = true;
      const wait = retryAfter(headers, clock.now().getTime());
      limit.atLeast(wait > 0 ? wait : RATE_WINDOW_MILLISECONDS);
    }
  };

  return async (key) => {
    const query = queryOfKey(key);
    const { response, body } = await ask(origin + (query === null ? `/${key}` : targetOf(query)));
    if (!response.ok) return null;
    const headers = {
      contentType: response.headers.get("content-type") ?? "",
      // Decoded already: edges compress answers, and choose their own lifetimes.
      contentEncoding: "",
      cacheControl: response.headers.get("cache-control") ?? "",
      metadata: {},
    };
    const age = response.headers.get("age") ?? "";
    return { body, headers, keptSeconds: /^\d+$/.test(age) ? Number(age) : 0 };
  };
}

/** What is wrong with one answer, or null. If the fallback answered, only `generated_at` differs. */
function compareServed({ key, etag }: Expected, served: Served | null, wanted: WantedHeaders): string | null {
  if (served === null) return `${key}: is not served`;
  const { body, headers, keptSeconds = 0 } = served;
  if (etagOf({ bytes: body, stamped: isStamped(key) }) !== etag) {
    const kept = keptSeconds > 0 ? `; a cache has kept them for ${keptSeconds} s` : "";
    return `${key}: the bytes differ from the release's${kept}`;
  }
  if (headers === null) return null;
  const problem = headerProblem(headers, wanted(key, body) ?? { ...headers, ...typeOf(key) });
  return problem === null ? null : `${key}: ${problem}`;
}

/** The type of a key, if its extension has one. */
function typeOf(key: string): Partial<Pick<ObjectHeaders, "contentType">> {
  const contentType = contentTypeOf(key);
  return contentType === null ? {} : { contentType };
}

/** The headers that an answer should have; null if only its type is known, as at a public address. */
type WantedHeaders = (key: string, body: Buffer) => ObjectHeaders | null;
const TYPE_ONLY: WantedHeaders = () => null;

/** The headers that a publish gives the answers of a release with this configuration. */
export function publishedHeaders(config: PublicConfig): WantedHeaders {
  const maker = createHeaderMaker(config);
  return (key, body) => maker.of(key, hash("sha256", body, "hex"));
}

const CONCURRENCY = 16;

/**
 * Problems of all entries, in no particular order.
 * @throws VitrineError remote_failed after many failures in a row: trying all the rest would take hours
 */
export async function checkServed(
  entries: Entries,
  { read, wanted = TYPE_ONLY }: { readonly read: Reader; readonly wanted?: WantedHeaders },
  progress: (done: number) => void,
  { answers }: Pick<Seen, "answers"> = createSeen(),
): Promise<{ readonly key: string; readonly problem: string }[]> {
  let done = 0;
  let silent = 0;
  const problems: { key: string; problem: string }[] = [];
  await pMap(
    entries,
    async (entry) => {
      const { key, etag } = entry;
      if (answers.get(key) !== etag) {
        const problem = await read(key).then(
          (served) => {
            silent = 0;
            return compareServed(entry, served, wanted);
          },
          (error: unknown) => {
            silent += 1;
            if (silent >= CONCURRENCY) throw goneError(key, error);
            return `${key}: ${messageOf(error)}`;
          },
        );
        if (problem === null) answers.set(key, etag);
        else problems.push({ key, problem });
      }
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
    `No answer: ${CONCURRENCY} requests in a row failed, the last for ${key}: ${messageOf(cause)}. ` +
      "Check the address and the network, then run the check again.",
    { cause },
  );
}

/** `size` items, evenly spread: the same list gives the same sample. */
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
  /** How many of them to request. */
  readonly size: number;
}

export interface VerifyPorts extends ClockOption {
  readonly read: Reader;
  readonly cdns: readonly Cdn[];
}

const VERIFY_ROUNDS = 4;
const VERIFY_PAUSE_MILLISECONDS = 2000;

/**
 * After a publish: does the public address serve it? Purges stale answers again, by key, and requests them again. Returns the size
 * of the sample.
 * @throws VitrineError remote_stale
 */
export async function verifyPublic(inputs: VerifyInputs, ports: VerifyPorts): Promise<number> {
  const { clock = CLOCK } = ports;
  const sample = sampleOf(inputs.keys, inputs.size);
  // Checks freshness only; vitrine check compares content types.
  const read: Reader = async (key) => {
    const served = await ports.read(key);
    return served === null ? null : { ...served, headers: null };
  };
  let keys = sample;
  for (let round = 1; ; round++) {
    const entries = keys.flatMap((key) => inputs.manifest.get(key) ?? []);
    const problems = await checkServed(entries, { read }, () => undefined);
    if (problems.length === 0) return sample.length;
    if (round === VERIFY_ROUNDS) {
      throw new VitrineError(
        "remote_stale",
        `Release ${inputs.release} is live, but ${problems.length} of ${sample.length} sampled answers are stale: ` +
          `${problems[0]?.problem}. Check that the public address leads to this bucket, and purge the CDN.`,
      );
    }
    keys = problems.map(({ key }) => key);
    const pending = { release: inputs.release, keys, tags: [] };
    for (const cdn of ports.cdns) await runPurge(cdn, planPurge(pending, cdn), pending.release);
    await clock.sleep(VERIFY_PAUSE_MILLISECONDS * round);
  }
}

/** Objects that the bucket has lost, or whose content is wrong. With `reads`, each object is fetched and checked. */
export async function findLostObjects(
  bucket: Bucket,
  names: Iterable<string>,
  { reads, seen = createSeen() }: { readonly reads: boolean; readonly seen?: Seen | undefined },
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const look = async (name: string) => {
    if (seen.objects.has(name)) return;
    const isThere = reads ? await isSound(bucket, name) : (await bucket.head(objectKey(name))) !== null;
    if (!isThere) lost.add(name);
    else if (reads) seen.objects.add(name);
  };
  await pMap(new Set(names), look, { concurrency: CONCURRENCY });
  return lost;
}

async function isSound(bucket: Bucket, name: string): Promise<boolean> {
  try {
    return (await fetchObject(bucket, name)) !== null;
  } catch (error) {
    if (error instanceof VitrineError && error.code === "remote_invalid") return false;
    throw error;
  }
}

export interface ServedReport {
  readonly files: number;
  readonly problems: readonly string[];
}

export interface CheckOptions {
  /** How many to check, about, spread over all; 0 checks every one. */
  readonly sample: number;
  readonly progress: (done: number, files: number) => void;
  /** Collects what is found right. */
  readonly seen?: Seen | undefined;
}

/** Every `step`-th entry. */
async function* sampled(entries: Entries, step: number): AsyncGenerator<Expected> {
  let at = 0;
  for await (const entry of entries) if (at++ % step === 0) yield entry;
}

async function checkEntries(
  entries: Entries,
  files: number,
  source: Parameters<typeof checkServed>[1],
  { sample, progress, seen }: CheckOptions,
): Promise<ServedReport> {
  let checked = 0;
  const step = sample === 0 ? 1 : Math.max(1, Math.floor(files / sample));
  const report = (done: number) => {
    checked = done;
    progress(done, Math.ceil(files / step));
  };
  const problems = await checkServed(sampled(entries, step), source, report, seen);
  return { files: checked, problems: problems.map(({ problem }) => problem).sort() };
}

/**
 * The headers that the live release's answers should have. Only their types are known if a newer version made its catalog, or if
 * another version put other headers: the next publish of this one puts all of them again.
 */
function wantedOf(live: ReleaseIndex, policy: string): WantedHeaders {
  const config = configIn(live);
  return config !== null && policy === headerPolicy(config) ? publishedHeaders(config) : TYPE_ONLY;
}

/** Compares a bucket with the manifest of its live release. */
export async function checkBucket(bucket: Bucket, options: CheckOptions): Promise<ServedReport> {
  const { releases, headerPolicy: policy } = (await readFoundLive(bucket)).pointer;
  const names = new Set<string>();
  const problems: string[] = [];
  let live: ReleaseIndex | null = null;
  for (const [at, { index: name }] of releases.entries()) {
    const index = await findIndex(bucket, name).catch((error: unknown) => {
      if (!(error instanceof VitrineError && error.code === "remote_invalid")) throw error;
      problems.push(messageOf(error));
      return undefined;
    });
    if (index === null) names.add(name);
    if (!index) continue;
    if (at === 0) live = index;
    for (const object of objectsOf(index)) names.add(object);
  }
  const lost = await findLostObjects(bucket, names, { reads: options.sample === 0, seen: options.seen });
  for (const name of [...lost].sort()) problems.push(`${objectKey(name)}: is missing, or not what was put`);
  if (live === null) return { files: 0, problems };
  const manifest = live.manifest.filter((name) => !lost.has(name));
  if (manifest.length < live.manifest.length) {
    const count = `${live.manifest.length - manifest.length} of ${live.manifest.length}`;
    problems.push(
      `the live release's manifest: ${count} parts are lost, and the answers in them are not checked`,
    );
  }
  const entries = fetchEntries(bucket, { ...live, manifest });
  const source = { read: bucket.get, wanted: wantedOf(live, policy) };
  const report = await checkEntries(entries, itemAt(releases, 0).files, source, options);
  return { ...report, problems: [...problems, ...report.problems] };
}

/** Compares the public address with a snapshot. */
export function checkPublic(read: Reader, manifest: Manifest, options: CheckOptions): Promise<ServedReport> {
  return checkEntries(manifest.entries(), manifest.totals().files, { read }, options);
}
