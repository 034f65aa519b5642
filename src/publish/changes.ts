/**
 * What one publish puts, phase by phase, and deletes: found by the deltas that the builds have kept, where they lead from what
 * is live to the snapshot, else by a merge of both manifests. It stands in a temporary SQLite file, so that a first publish of
 * any size needs no more memory than a small one.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Endpoint } from "../api/endpoints.ts";
import { itemAt } from "../base/arrays.ts";
import { VitrineError } from "../base/error.ts";
import { type Keyed, mergeByKey } from "../base/merge.ts";
import { queryOfKey } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import { keysOf, openDelta } from "../site/delta.ts";
import { composeDeltas, deltasBetween } from "../site/delta-chain.ts";
import { endsOf, type ManifestEntry } from "../site/manifest.ts";
import { deltaFiles } from "../site/writer.ts";
import { type Bucket, manifestKey } from "./bucket.ts";
import {
  type FoundPointer,
  JOURNAL_KEYS,
  type Journal,
  type Pointer,
  type ReleasePart,
} from "./documents.ts";
import { fetchManifest } from "./fetch-release.ts";
import { createHeaderMaker, headerPolicy, tagOf } from "./headers.ts";
import type { ChangeCounts, Publication, Snapshot } from "./options.ts";
import { createReleaseManifest, type ReleasedEntry, zip } from "./release-files.ts";
import { chainOf, lacksLive, takesDelta } from "./releases.ts";

/** The order of a publish: details before the lists that name them, what is one file last. Each stands before the next begins. */
export const PHASES = ["details", "lists", "status"] as const;
type Phase = (typeof PHASES)[number];

interface UploadOrder {
  readonly phase: Phase;
  /** Within the phase, the smaller the sooner: what is asked for most is fresh while the rest is under way. */
  readonly rank: number;
}

const FIRST_PAGES = 0;
const PAGES_TO_10 = 1;
const DEEPER_PAGES = 2;
const LINKS = 3;

function pageRank({ endpoint, values }: Query): number {
  const textOf = (name: string) => values[endpoint.params.findIndex((param) => param.name === name)] ?? null;
  if (textOf("id") !== null || textOf("product_id") !== null) return LINKS;
  const page = Number(textOf("page") ?? 1);
  return page === 1 ? FIRST_PAGES : page <= 10 ? PAGES_TO_10 : DEEPER_PAGES;
}

/** Asked of one record by its name alone, as `/product` is. */
function isDetails({ paginated, needs }: Endpoint): boolean {
  return !paginated && needs !== undefined;
}

function isList({ paginated, params }: Endpoint): boolean {
  return paginated || params.some(({ role }) => role === "filter");
}

/**
 * A record's own file, or a widget; a list; store, categories, openapi and the status. What stands already may come after
 * lists that name it: a record by its id, the same bytes as by its slug. `mayBeNew`: a key that is perhaps not live yet.
 */
export function uploadOrderOf(key: string, mayBeNew: boolean): UploadOrder {
  const query = queryOfKey(key);
  if (query === null) return { phase: "details", rank: FIRST_PAGES };
  const { endpoint, values } = query;
  const rank = pageRank(query);
  if (isDetails(endpoint) || endpoint.params.some((param, at) => param.selects && values[at] !== null))
    return { phase: rank === LINKS && !mayBeNew ? "lists" : "details", rank };
  return { phase: isList(endpoint) ? "lists" : "status", rank };
}

/** A file that is put: its key, the SHA-256 of its bytes, and how many they are. */
export type PlannedPut = Pick<ReleasedEntry, "key" | "digest" | "sizeBytes">;

export const NO_CHANGES: ChangeCounts = {
  new: 0,
  changed: 0,
  headers: 0,
  uncertain: 0,
  deleted: 0,
  kept: 0,
  putBytes: 0,
};
const DELETED = "deletions";
/** What a release has besides its answers, gzipped: its delta from the live one, or its manifest, for a new base. */
const FILES = { delta: "delta.ndjson.gz", base: "manifest.tsv.gz" } as const;

export class ReleaseChanges implements Disposable {
  readonly kind: ReleasePart["kind"];
  readonly file: string;
  readonly #db: Database.Database;
  readonly #insert: Database.Statement<[string, number, string, string | null, number | null]>;
  readonly #tags = new Set<string>();
  #putBytes = 0;
  #counts = NO_CHANGES;

  /** In a folder that must live as long. */
  constructor(folder: string, kind: ReleasePart["kind"]) {
    this.kind = kind;
    this.file = join(folder, FILES[kind]);
    this.#db = new Database(join(folder, `${kind}.sqlite`));
    this.#db.pragma("journal_mode = OFF");
    this.#db.pragma("synchronous = OFF");
    // Two MB, as SQLite counts them: what is beyond stands in the file.
    this.#db.pragma("cache_size = -2000");
    // By phase, rank and key: how puts are read. Deletions are a phase of their own.
    this.#db.exec(`
      CREATE TABLE change (
        phase TEXT NOT NULL, rank INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT, sizeBytes INTEGER,
        PRIMARY KEY (phase, rank, key)
      ) WITHOUT ROWID;
      BEGIN`);
    this.#insert = this.#db.prepare("INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?)");
  }

  /** A key that is named twice counts as it was named first. `mayBeNew`: where it is perhaps not live yet. */
  put({ key, digest, sizeBytes }: PlannedPut, mayBeNew: boolean): void {
    const { phase, rank } = uploadOrderOf(key, mayBeNew);
    this.#insert.run(phase, rank, key, digest, sizeBytes);
    this.#putBytes += sizeBytes;
    this.#tags.add(tagOf(key));
  }

  delete(key: string): void {
    this.#insert.run(DELETED, 0, key, null, null);
    this.#tags.add(tagOf(key));
  }

  /** All is in it; from now on it is read. */
  finish(counts: Omit<ChangeCounts, "putBytes">): void {
    this.#db.exec("COMMIT");
    this.#counts = { ...counts, putBytes: this.#putBytes };
  }

  get counts(): ChangeCounts {
    return this.#counts;
  }

  /** Files that are put: all kinds together. */
  get puts(): number {
    const { new: added, changed, headers, uncertain } = this.#counts;
    return added + changed + headers + uncertain;
  }

  /** Cache tags of the keys that are put or deleted. */
  get tags(): string[] {
    return [...this.#tags].sort();
  }

  puttable(phase: Phase | typeof DELETED): IterableIterator<PlannedPut> {
    const sql = "SELECT key, digest, sizeBytes FROM change WHERE phase = ? ORDER BY rank, key";
    return this.#db.prepare<[string], PlannedPut>(sql).iterate(phase);
  }

  *deletions(): Generator<string> {
    for (const { key } of this.puttable(DELETED)) yield key;
  }

  /** Keys that are put or deleted, in order; null where they are more than `most`. */
  touched(most: number): string[] | null {
    const sql = "SELECT key FROM change ORDER BY key LIMIT ?";
    const keys = this.#db
      .prepare<[number], string>(sql)
      .pluck()
      .all(most + 1);
    return keys.length > most ? null : keys;
  }

  /** Up to so many of the keys that are put. */
  sample(most: number): string[] {
    const sql = "SELECT key FROM change WHERE phase <> ? LIMIT ?";
    return this.#db.prepare<[string, number], string>(sql).pluck().all(DELETED, most);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

async function* nothing(): AsyncGenerator<ReleasedEntry> {}

/** The live release's entries; none before the first. @throws VitrineError remote_failed where its manifest is gone */
export async function fetchLiveEntries(
  bucket: Bucket,
  live: FoundPointer | null,
  folder: string,
): Promise<() => AsyncGenerator<ReleasedEntry>> {
  if (live === null) return nothing;
  const chain = chainOf(live.pointer.parts, live.pointer.release);
  const entries = await fetchManifest(bucket, chain, folder);
  if (entries !== null) return entries;
  throw new VitrineError(
    "remote_failed",
    `${bucket.url}/${manifestKey(itemAt(chain, 0).id)} is missing, and with it what is live. Somebody deleted it: publish to an ` +
      "empty prefix, or restore it from the bucket's versions.",
  );
}

/** What a publish that was cut off may have touched: from its journal, and from manifests where those keys are too many. */
export async function fetchTouched(bucket: Bucket, journal: Journal, folder: string): Promise<KeyRuns> {
  const { keys, fromParts, attempted } = journal;
  if (keys !== null) return [() => keys.map((key) => ({ key }))];
  const runs: KeyRuns[number][] = [];
  const tried = attempted.map((id): ReleasePart[] => [{ id, kind: "base", sizeBytes: 0 }]);
  for (const chain of [...(fromParts.length === 0 ? [] : [fromParts]), ...tried]) {
    const entries = await fetchManifest(bucket, chain, folder);
    // No manifest: that attempt died before its first put.
    if (entries !== null) runs.push(entries);
  }
  return runs;
}

/** A file is the same where its validator is: one that was only rebuilt elsewhere keeps the bytes that are live. */
export type KeyChange =
  | { readonly kind: "kept"; readonly entry: ReleasedEntry }
  /** To be put: new, other content, other headers, or left uncertain by a publish that was cut off. */
  | { readonly kind: PutKind; readonly entry: ReleasedEntry }
  | { readonly kind: "deleted"; readonly key: string };
type PutKind = "new" | "changed" | "headers" | "uncertain";

export interface CompareInputs {
  /** The snapshot, in order of key. */
  readonly local: Iterable<ManifestEntry>;
  /** The live release, in order of key; empty before the first. */
  readonly released: AsyncIterable<ReleasedEntry>;
  readonly headersOf: (key: string) => string;
  /** True for keys that a publish which was cut off may have put. */
  readonly isUncertain: (key: string) => boolean;
}

function changeOf(
  inputs: CompareInputs,
  local: ManifestEntry,
  released: ReleasedEntry | undefined,
): KeyChange {
  const headers = inputs.headersOf(local.key);
  const entry = { ...local, headers };
  if (released === undefined) return { kind: "new", entry };
  if (inputs.isUncertain(local.key)) return { kind: "uncertain", entry };
  if (local.etag !== released.etag) return { kind: "changed", entry };
  return headers === released.headers ? { kind: "kept", entry: released } : { kind: "headers", entry };
}

export async function* compareManifests(inputs: CompareInputs): AsyncGenerator<KeyChange> {
  for await (const { key, left: local, right: released } of mergeByKey(inputs.local, inputs.released)) {
    if (local === undefined) yield { kind: "deleted", key };
    else yield changeOf(inputs, local, released);
  }
}

/** Keys in order; several runs where several releases are concerned. */
export type KeyRuns = readonly (() => Keyed<{ readonly key: string }>)[];

/** Keys of runs that are not among `present`, which is in order of key and may be read several times. */
export async function* keysWithout(
  runs: KeyRuns,
  present: () => Keyed<{ readonly key: string }>,
): AsyncGenerator<string> {
  for (const run of runs)
    for await (const { key, left, right } of mergeByKey(run(), present()))
      if (left !== undefined && right === undefined) yield key;
}

/**
 * What is live: where the bucket has lost what says it, a snapshot of the same content does; else nothing, and everything is
 * put.
 */
async function findReleased(
  publication: Publication,
  folder: string,
): Promise<() => AsyncGenerator<ReleasedEntry>> {
  const { snapshot, ports, state, options, lost } = publication;
  const live = state.live?.pointer;
  const { manifest, config } = snapshot;
  const isSame = live?.content === manifest.meta["content"] && live?.headerPolicy === headerPolicy(config);
  // What goes at once need not be what it should be.
  const isUnread = lacksLive(live, lost) || (options.alone && isSame);
  if (!isUnread) return fetchLiveEntries(ports.bucket, state.live, folder);
  const headers = createHeaderMaker(config);
  return async function* () {
    if (!isSame) return;
    for (const entry of manifest.entries()) yield { ...entry, headers: headers.digestOf(entry.key) };
  };
}

/**
 * Compares with the live release, and with whatever a publish that was cut off may have touched; makes the next release's
 * manifest on the way.
 */
async function changesByManifests(publication: Publication, folder: string): Promise<ReleaseChanges> {
  const { snapshot, ports, state } = publication;
  const { manifest } = snapshot;
  const released = await findReleased(publication, folder);
  const left = state.journal?.journal ?? null;
  const uncertain = new Set(left?.keys ?? []);
  const touched = left === null ? [] : await fetchTouched(ports.bucket, left, folder);
  const changes = new ReleaseChanges(folder, "base");
  const counts = { new: 0, changed: 0, headers: 0, uncertain: 0, deleted: 0, kept: 0 };
  const next = createReleaseManifest(changes.file);
  const differences = compareManifests({
    local: manifest.entries(),
    released: released(),
    headersOf: createHeaderMaker(snapshot.config).digestOf,
    isUncertain: left?.keys === null ? () => true : (key) => uncertain.has(key),
  });
  for await (const change of differences) {
    counts[change.kind] += 1;
    if (change.kind === "deleted") changes.delete(change.key);
    else {
      await next.add(change.entry);
      const mayBeNew = change.kind === "new" || change.kind === "uncertain";
      if (change.kind !== "kept") changes.put(change.entry, mayBeNew);
    }
  }
  await next.finish();
  // Keys that a publish which was cut off may have put.
  for (const run of touched)
    for await (const { key } of run()) if (manifest.get(key) === undefined) changes.delete(key);
  changes.finish(counts);
  return changes;
}

/** Files of the deltas that lead from what is live to the snapshot; null where none do. */
function deltasSince(
  { content, headerPolicy: live, releases }: Pointer,
  snapshot: Snapshot,
): string[] | null {
  if (live !== headerPolicy(snapshot.config)) return null;
  const from = { catalog: itemAt(releases, 0).catalogDigest, content };
  const { deltas } = snapshot.layout;
  const kept = deltaFiles(snapshot.layout).map((name) => join(deltas, name));
  return deltasBetween(kept, from, endsOf(snapshot.manifest.meta));
}

/** Keys that the deltas name; null where a journal could not name them with so many others, or nobody would take the deltas. */
function namedKeys(files: readonly string[], others: number): Set<string> | null {
  const named = new Set<string>();
  try {
    for (const file of files) {
      for (const change of keysOf(openDelta(file))) {
        named.add("file" in change ? change.file.key : change.gone);
        if (named.size + others > JOURNAL_KEYS) return null;
      }
    }
  } catch (error) {
    // Damaged, or with a record that is longer than a line may be.
    if (error instanceof VitrineError && error.code === "delta_refused") return null;
    throw error;
  }
  return named;
}

interface Keys {
  /** In the snapshot, and to be put. */
  readonly put: readonly ReleasedEntry[];
  readonly gone: readonly string[];
}

/** What becomes of keys is what the snapshot says of them now. */
function sortKeys(keys: Iterable<string>, { manifest, config }: Snapshot): Keys {
  const headers = createHeaderMaker(config);
  const put: ReleasedEntry[] = [];
  const gone: string[] = [];
  for (const key of keys) {
    const entry = manifest.get(key);
    if (entry === undefined) gone.push(key);
    else put.push({ ...entry, headers: headers.digestOf(key) });
  }
  return { put, gone };
}

/** Null where the manifests must be compared, or where it is time for a new base. */
async function changesByDelta(
  { snapshot, state }: Publication,
  folder: string,
): Promise<ReleaseChanges | null> {
  const live = state.live?.pointer;
  const left = state.journal?.journal.keys ?? [];
  if (live === undefined || state.journal?.journal.keys === null) return null;
  const chain = chainOf(live.parts, live.release);
  const files = takesDelta(chain, 0) ? deltasSince(live, snapshot) : null;
  const named = files === null ? null : namedKeys(files, left.length);
  if (files === null || named === null) return null;
  const isLeft = new Set(left);
  const keys = sortKeys(new Set([...named, ...left]), snapshot);
  const plain = join(folder, "delta.ndjson");
  composeDeltas(files, plain, keys);
  await zip(plain, join(folder, FILES.delta));
  if (!takesDelta(chain, statSync(join(folder, FILES.delta)).size)) return null;
  const changes = new ReleaseChanges(folder, "delta");
  const { files: count } = snapshot.manifest.totals();
  const uncertain = keys.put.filter(({ key }) => isLeft.has(key)).length;
  // A key that came and went since is counted as deleted: nothing says that it was never live.
  const deleted = keys.gone.filter((key) => named.has(key)).length;
  const certain = keys.put.length - uncertain;
  const added = Math.min(certain, Math.max(0, count - itemAt(live.releases, 0).files + deleted));
  // How many keys came is known, not which.
  for (const entry of keys.put) changes.put(entry, added + uncertain > 0);
  for (const key of keys.gone) changes.delete(key);
  const kept = count - keys.put.length;
  changes.finish({ new: added, changed: certain - added, headers: 0, uncertain, deleted, kept });
  return changes;
}

/** By deltas where they lead here; else all is compared, and a new base made. In a folder that must live as long. */
export async function findChanges(publication: Publication, folder: string): Promise<ReleaseChanges> {
  const { options, state, lost } = publication;
  const isWhole = options.alone || lacksLive(state.live?.pointer, lost);
  const byDelta = isWhole ? null : await changesByDelta(publication, folder);
  return byDelta ?? (await changesByManifests(publication, folder));
}
