/**
 * The two control documents of a place: the pointer, which says what is live, and the journal, which is also the lock; and
 * reading them there.
 */
import { VitrineError } from "../base/error.ts";
import { FORMATS, readsFormat } from "../base/formats.ts";
import type { ProcessMark } from "../base/process-mark.ts";
import { checkJournal, checkPointer, MOST_DOCUMENT_BYTES } from "../site/schemas.ts";
import { type Bucket, type ConditionStyle, JOURNAL_KEY, POINTER_KEY, readingObject } from "./bucket.ts";

export interface Holder extends ProcessMark {
  readonly host: string;
  /** Tells a publisher's own earlier attempts from those of all others, whatever their process's number. */
  readonly publisher: string;
}

export interface ReleaseRecord {
  readonly id: string;
  /** When it went live, RFC 3339. */
  readonly at: string;
  /** Version of Vitrine, and the host. */
  readonly by: string;
  readonly files: number;
  readonly sizeBytes: number;
  readonly put: number;
  readonly deleted: number;
  readonly catalogDigest: string;
  /** Number of its catalog's format; absent where a version published it that did not say. */
  readonly catalogFormat?: number;
  /** The release that it went back to. */
  readonly rollbackOf?: string;
}

/** What a release adds to what its catalog and manifest are made of: both whole, or what turns the former's into its own. */
export interface ReleasePart {
  /** The release's id. */
  readonly id: string;
  readonly kind: "base" | "delta";
  /** Bytes in the bucket; 0 where an older version published it, which did not say. */
  readonly sizeBytes: number;
}

export interface Pointer {
  readonly format: number;
  readonly generation: number;
  readonly attempt: string;
  readonly release: string;
  /** What is live, to tell "no change" without reading the manifest. */
  readonly content: string;
  readonly headerPolicy: string;
  /** What the probe found, and for which service. */
  readonly conditions: ConditionStyle;
  readonly service: string;
  /** Kept releases, the live one first. */
  readonly releases: readonly ReleaseRecord[];
  /** Of every release, kept or not, that a kept one is made of: oldest first. */
  readonly parts: readonly ReleasePart[];
  /** A rollback made the release live: nothing newer goes live before somebody says so. */
  readonly held?: true;
}

/**
 * Stands from before the first write until the last purge is confirmed. While its lease runs it is the lock; after that
 * it says what whoever died left undone.
 */
export interface Journal {
  readonly format: number;
  readonly attempt: string;
  /** Fencing number: of two attempts, the later one's is higher. */
  readonly generation: number;
  /** The release that is being made, and the one it replaces. */
  readonly release: string;
  readonly from: string | null;
  readonly holder: Holder;
  readonly startedAt: string;
  /** Counted from the object's own time of writing. 0: given back, what is pending stays. */
  readonly leaseSeconds: number;
  /**
   * Keys that may have been put or are to be deleted, all of them to be purged. Null where they are too many to name:
   * then those of `from` and of the manifests in `attempted`, which stand in the bucket before the first put.
   */
  readonly keys: readonly string[] | null;
  /** Releases of which a manifest may say what was put: this one and those that were cut off before it. */
  readonly attempted: readonly string[];
  /** What `from` is made of, where `keys` is null. */
  readonly fromParts: readonly ReleasePart[];
  readonly tags: readonly string[];
  /** Releases that are no longer kept. */
  readonly expired: readonly string[];
  /** Releases whose parts no kept one is made of. */
  readonly unneeded: readonly string[];
  /** Where it was to be purged, for people to read: a run purges where its own options say. */
  readonly purge: readonly string[];
  /** It is a rollback's: where that is cut off, nothing newer goes live instead. */
  readonly held?: true;
}

/** Keys that a journal names; beyond that it says "any". 10,000 keys are about 1 MB. */
export const JOURNAL_KEYS = 10_000;

/** Ordered by name: the generation first. `00000007-3fa91c20d4e5` */
export function releaseId(generation: number, catalogDigest: string): string {
  return `${String(generation).padStart(8, "0")}-${catalogDigest.slice(0, 12)}`;
}

/** The beginning of its catalog's digest, which a release's id ends with. */
export function digestInId(release: string): string {
  return release.slice(release.indexOf("-") + 1);
}

/** @param place its address @throws VitrineError newer_format where a newer version made the release's catalog, as its record says */
export function refuseNewer(record: ReleaseRecord | undefined, place: string): void {
  readsFormat("catalog", record?.catalogFormat, `Release ${record?.id} of ${place}`);
}

export function encodeDocument(document: Pointer | Journal): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

/** A document of this version, or of one that did not know parts: each release was whole. */
type Readable<Document, Newer extends keyof Document> = Omit<Document, Newer | "format"> &
  Partial<Pick<Document, Newer>>;

/** @param name what errors call it: its address */
function parse<Document>(
  body: Buffer,
  name: string,
  kind: "pointer" | "journal",
  check: (value: unknown) => string | null,
): Document {
  return readingObject(name, () => {
    if (body.length > MOST_DOCUMENT_BYTES) throw new Error(`it is longer than ${MOST_DOCUMENT_BYTES} bytes`);
    const value: unknown = JSON.parse(body.toString("utf8"));
    readsFormat(kind, (value as { readonly format?: unknown } | null)?.format);
    const problem = check(value);
    if (problem !== null) throw new Error(problem);
    return value as Document;
  });
}

function wholePart(id: string): ReleasePart {
  return { id, kind: "base", sizeBytes: 0 };
}

/** What must hold between a pointer's fields. */
function checkWhole({ release, releases, parts }: Omit<Pointer, "format">): void {
  if (releases[0]?.id !== release) throw new Error("its first release is not the live one");
  const made = new Set<string>();
  let base = false;
  for (const { id, kind } of parts) {
    base ||= kind === "base";
    if (made.has(id)) throw new Error(`it names ${id} twice`);
    if (base) made.add(id);
  }
  for (const { id, catalogDigest } of releases) {
    if (!made.has(id)) throw new Error(`it does not say what ${id} is made of`);
    if (digestInId(id) !== catalogDigest.slice(0, 12))
      throw new Error(`the digest of ${id} is another one's`);
  }
}

/** @throws VitrineError remote_invalid */
export function parsePointer(body: Buffer, name: string): Pointer {
  const found = parse<Readable<Pointer, "parts">>(body, name, "pointer", checkPointer);
  const parts = found.parts ?? found.releases.map(({ id }) => wholePart(id)).reverse();
  const pointer: Pointer = { ...found, format: FORMATS.pointer.newest, parts };
  readingObject(name, () => checkWhole(pointer));
  return pointer;
}

/** @throws VitrineError remote_invalid */
export function parseJournal(body: Buffer, name: string): Journal {
  const journal = parse<Readable<Journal, "fromParts" | "unneeded">>(body, name, "journal", checkJournal);
  const { fromParts = journal.from === null ? [] : [wholePart(journal.from)] } = journal;
  const { publisher = "", began = "" } = journal.holder as Partial<Holder>;
  const holder = { ...journal.holder, publisher, began };
  return {
    ...journal,
    format: FORMATS.journal.newest,
    holder,
    fromParts,
    unneeded: journal.unneeded ?? journal.expired,
  };
}

/** The journal of an attempt that comes after another one was cut off: it takes over all that one may have touched. */
export function unionKeys(
  keys: readonly string[] | null,
  left: readonly string[] | null,
): readonly string[] | null {
  if (keys === null || left === null) return null;
  const all = [...new Set([...keys, ...left])].sort();
  return all.length > JOURNAL_KEYS ? null : all;
}

/** True where the attempt of a journal became the live release: only its deletions and purges are still to do. */
export function isCommitted(journal: Journal, pointer: Pointer | null): boolean {
  return pointer?.release === journal.release;
}

export function describeHolder({ holder, startedAt, release }: Journal): string {
  return `process ${holder.pid} on ${holder.host}, at work on release ${release} since ${startedAt}`;
}

export interface FoundPointer {
  readonly pointer: Pointer;
  readonly etag: string;
}

export interface FoundJournal {
  readonly journal: Journal;
  readonly etag: string;
  /** Its holder is at work, as far as anybody can tell. */
  readonly alive: boolean;
}

export interface BucketState {
  readonly live: FoundPointer | null;
  readonly journal: FoundJournal | null;
}

export async function readPointer(bucket: Bucket): Promise<FoundPointer | null> {
  const found = await bucket.get(POINTER_KEY);
  return found === null
    ? null
    : { pointer: parsePointer(found.body, `${bucket.url}/${POINTER_KEY}`), etag: found.etag };
}

/** Two requests, however large the release. */
export async function readState(bucket: Bucket, isGone: (journal: Journal) => boolean): Promise<BucketState> {
  const [live, found] = await Promise.all([readPointer(bucket), bucket.get(JOURNAL_KEY)]);
  if (found === null) return { live, journal: null };
  const journal = parseJournal(found.body, `${bucket.url}/${JOURNAL_KEY}`);
  // A time that is far ahead is no reason to wait for it.
  const alive = Math.abs(found.ageSeconds) < journal.leaseSeconds && !isGone(journal);
  return { live, journal: { journal, etag: found.etag, alive } };
}

/** The live release, and the etag of its pointer. @throws VitrineError usage where nothing was published */
export async function readFoundLive(bucket: Bucket): Promise<FoundPointer> {
  const live = await readPointer(bucket);
  if (live !== null) return live;
  throw new VitrineError(
    "usage",
    `Nothing was published to ${bucket.url} yet. Run vitrine publish --to it first.`,
  );
}

/** The live release. @throws VitrineError usage where nothing was published */
export async function readLive(bucket: Bucket): Promise<Pointer> {
  return (await readFoundLive(bucket)).pointer;
}
