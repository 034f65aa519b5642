/** The two control documents: the pointer, which says what is live, and the journal, which is also the lock. Pure. */
import { VitrineError } from "../base/error.ts";
import type { ProcessMark } from "../base/process-mark.ts";
import type { ConditionStyle } from "./bucket.ts";

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
  /** The release that it went back to. */
  readonly rollbackOf?: string;
}

/** What a release adds to what its catalog and manifest are made of: both whole, or what turns the former's into its own. */
export interface Part {
  /** The release's id. */
  readonly id: string;
  readonly kind: "base" | "delta";
  /** Bytes in the bucket; 0 where an older version published it, which did not say. */
  readonly sizeBytes: number;
}

export interface Pointer {
  readonly format: 2;
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
  readonly parts: readonly Part[];
}

/**
 * Stands from before the first write until the last purge is confirmed. While its lease runs it is the lock; after that
 * it says what whoever died left undone.
 */
export interface Journal {
  readonly format: 1;
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
  readonly fromParts: readonly Part[];
  readonly tags: readonly string[];
  /** Releases that are no longer kept. */
  readonly expired: readonly string[];
  /** Releases whose parts no kept one is made of. */
  readonly unneeded: readonly string[];
  /** Where to purge, as `--purge` spells it. */
  readonly purge: readonly string[];
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

export function encodeDocument(document: Pointer | Journal): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

/** A document of this version, or of one that did not know parts: each release was whole. */
type Readable<Document, Newer extends keyof Document> = Omit<Document, Newer | "format"> &
  Partial<Pick<Document, Newer>> & { readonly format: number };

function parse<Document extends { readonly format: number }>(
  body: Buffer,
  what: string,
  newest: number,
): Document {
  try {
    const value = JSON.parse(body.toString("utf8")) as Document;
    if (value.format >= 1 && value.format <= newest) return value;
  } catch {
    // Told below, as any other document that is none of ours.
  }
  throw new VitrineError(
    "remote_failed",
    `The ${what} in .vitrine/ is not one that this version can read. Update Vitrine, or publish to an empty prefix.`,
  );
}

function wholePart(id: string): Part {
  return { id, kind: "base", sizeBytes: 0 };
}

export function parsePointer(body: Buffer): Pointer {
  const pointer = parse<Readable<Pointer, "parts">>(body, "pointer", 2);
  const parts = pointer.parts ?? pointer.releases.map(({ id }) => wholePart(id)).reverse();
  return { ...pointer, format: 2, parts };
}

export function parseJournal(body: Buffer): Journal {
  const journal = parse<Readable<Journal, "fromParts" | "unneeded">>(body, "journal", 1);
  const { fromParts = journal.from === null ? [] : [wholePart(journal.from)] } = journal;
  const { publisher = "", began = "" } = journal.holder as Partial<Holder>;
  const holder = { ...journal.holder, publisher, began };
  return { ...journal, format: 1, holder, fromParts, unneeded: journal.unneeded ?? journal.expired };
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
