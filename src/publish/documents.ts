/**
 * The two control documents of a place and how to read them: the pointer, which says what is live, and the journal, which is also
 * the lock.
 */
import * as Type from "typebox";
import { PAGE_FOLDERS } from "../api/endpoints.ts";
import { closed } from "../api/field.ts";
import { VitrineError } from "../base/error.ts";
import { FORMATS, readsFormat } from "../base/formats.ts";
import { parseShallowJson } from "../base/json.ts";
import type { ProcessMark } from "../base/process-mark.ts";
import { problemOf, schemaCheck } from "../base/schema.ts";
import {
  type Bucket,
  type ConditionStyle,
  JOURNAL_KEY,
  type PlaceReader,
  POINTER_KEY,
  readingObject,
} from "./bucket.ts";

export interface Holder extends ProcessMark {
  readonly host: string;
  /** Distinguishes a publisher's own earlier attempts from all others, independent of process ids. */
  readonly publisher: string;
}

export interface ReleaseRecord {
  readonly id: string;
  /** When it went live, RFC 3339. */
  readonly at: string;
  /** When its snapshot was read from the store, by the place's clock; a rollback keeps that of the release that it returns to. */
  readonly readAt: string;
  /** Version of Vitrine, and the host: `vitrine 0.1.0 on web1`. */
  readonly by: string;
  readonly files: number;
  readonly sizeBytes: number;
  readonly put: number;
  readonly deleted: number;
  readonly catalogDigest: string;
  /** Format number of its catalog. */
  readonly catalogFormat: number;
  /** Name of the release's index object. */
  readonly index: string;
  /** The release that a rollback returned to. */
  readonly rollbackOf?: string;
}

/** A file that pages named by its digest (`retired.ts`). */
export interface Retired {
  readonly key: string;
  /** When no cache shows such a page any more, by the place's clock, RFC 3339. */
  readonly until: string;
}

export interface Pointer {
  readonly format: number;
  readonly generation: number;
  readonly attempt: string;
  readonly release: string;
  /** Digest of the live content: detects "no change" without reading the manifest. */
  readonly content: string;
  readonly headerPolicy: string;
  /** The probe's result, and the service that it applies to. */
  readonly conditions: ConditionStyle;
  readonly service: string;
  /** Kept releases, the live one first. */
  readonly releases: readonly ReleaseRecord[];
  /** A rollback made the release live: nothing newer goes live until `--resume`. */
  readonly held?: true;
  /** Files that are no longer part of the release and stay for pages in caches, the latest first. */
  readonly retired?: readonly Retired[];
}

/**
 * Written before anything else and deleted when the last purge is confirmed. It is the lock while its lease runs. After that it
 * says what a dead publisher may have left behind: the objects that its indexes name and that no kept release needs.
 */
export interface Journal {
  readonly format: number;
  readonly attempt: string;
  /** Fencing number: of two attempts, the later one has the higher. */
  readonly generation: number;
  /** The release that is being made. */
  readonly release: string;
  /** Index of the release that it replaces; null at a first publish. */
  readonly from: string | null;
  readonly holder: Holder;
  readonly startedAt: string;
  /** Counted from the time the object was written. 0: the lock was released, and work is pending. */
  readonly leaseSeconds: number;
  /** Indexes of this release and of interrupted ones before it: their objects and keys may exist. */
  readonly attempted: readonly string[];
  /** Indexes of releases that are no longer kept. */
  readonly expired: readonly string[];
  /** The purges that were asked for, for people to read: a later run purges only what its own options say. */
  readonly purge: readonly string[];
  /** The headers of any key may differ from the live release's. */
  readonly hasOtherHeaders?: true;
  /** Set by a repair: the keys that it puts back are not named, so purge everything if it is interrupted. */
  readonly purgesAll?: true;
  /** Set by a rollback: if it is interrupted, nothing newer goes live instead. */
  readonly held?: true;
}

/** Sorts by name as by generation: `00000007-3fa91c20d4e5` */
export function releaseId(generation: number, catalogDigest: string): string {
  return `${String(generation).padStart(8, "0")}-${catalogDigest.slice(0, 12)}`;
}

/** The beginning of the catalog's digest, which ends a release's id. */
function digestInId(release: string): string {
  return release.slice(release.indexOf("-") + 1);
}

/** @param place its address @throws VitrineError newer_format if a newer version of Vitrine made the release's catalog */
export function refuseNewer(record: ReleaseRecord | undefined, place: string): void {
  readsFormat("catalog", record?.catalogFormat, `Release ${record?.id} of ${place}`);
}

export function encodeDocument(document: Pointer | Journal): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

const RELEASE = Type.String({ pattern: "^[0-9]{8}-[0-9a-f]{12}$" });
const DIGEST = Type.String({ pattern: "^[0-9a-f]{64}$" });
const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** The most that eight digits can hold. */
export const MOST_GENERATION = 99_999_999;
const GENERATION = Type.Integer({ minimum: 1, maximum: MOST_GENERATION });
const TIME = Type.String({ pattern: "^[0-9]{4}-[0-9TZ:.+-]{6,30}$" });
const ATTEMPT = Type.String({ pattern: "^[0-9A-Za-z-]{1,64}$" });
/** One line of text that people read. */
const line = (most: number) =>
  Type.String({ maxLength: most, pattern: "^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]*$" });
const formatOf = (name: keyof typeof FORMATS) =>
  Type.Integer({ minimum: FORMATS[name].oldest, maximum: FORMATS[name].newest });

/** A day: longer than any lock is needed. */
export const MOST_LEASE_SECONDS = 86_400;
/** Limit of the pointer and of the journal. */
const MOST_DOCUMENT_BYTES: number = 16 * 1024 * 1024;
/** Most retired files in a pointer: a page names two. */
export const MOST_RETIRED = 100;
/** `explore/page-IMGWZQS4.js`, as scripts/build-pages.ts names the files of pages. No other key is retired. */
export const NAMED_BY_DIGEST: string = `^(${PAGE_FOLDERS.join("|")})/[a-z-]{1,40}-[A-Z0-9]{8}\\.[a-z0-9]{1,10}$`;
/** Most releases in a pointer; `--keep` allows fewer. */
const MOST_KEPT = 5000;

export const POINTER_FORMAT: Type.TObject = Type.Object(
  {
    format: formatOf("pointer"),
    generation: GENERATION,
    attempt: ATTEMPT,
    release: RELEASE,
    content: DIGEST,
    headerPolicy: line(400),
    conditions: Type.Enum(["quoted", "unquoted", "none"]),
    service: line(2000),
    releases: Type.Array(
      Type.Object(
        {
          id: RELEASE,
          at: TIME,
          readAt: TIME,
          by: line(400),
          files: COUNT,
          sizeBytes: COUNT,
          put: COUNT,
          deleted: COUNT,
          catalogDigest: DIGEST,
          catalogFormat: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          index: DIGEST,
          rollbackOf: Type.Optional(RELEASE),
        },
        closed,
      ),
      { minItems: 1, maxItems: MOST_KEPT },
    ),
    held: Type.Optional(Type.Literal(true)),
    retired: Type.Optional(
      Type.Array(Type.Object({ key: Type.String({ pattern: NAMED_BY_DIGEST }), until: TIME }, closed), {
        maxItems: MOST_RETIRED,
      }),
    ),
  },
  closed,
);

export const JOURNAL_FORMAT: Type.TObject = Type.Object(
  {
    format: formatOf("journal"),
    generation: GENERATION,
    attempt: ATTEMPT,
    release: RELEASE,
    from: Type.Union([DIGEST, Type.Null()]),
    holder: Type.Object(
      {
        host: line(300),
        pid: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
        machine: line(64),
        publisher: Type.String({ pattern: "^[0-9A-Za-z-]{0,64}$" }),
        began: Type.String({ pattern: "^[0-9]{0,20}$" }),
      },
      closed,
    ),
    startedAt: TIME,
    leaseSeconds: Type.Integer({ minimum: 0, maximum: MOST_LEASE_SECONDS }),
    attempted: Type.Array(DIGEST, { maxItems: MOST_KEPT }),
    expired: Type.Array(DIGEST, { maxItems: 2 * MOST_KEPT }),
    purge: Type.Array(line(2000), { maxItems: 100 }),
    hasOtherHeaders: Type.Optional(Type.Literal(true)),
    purgesAll: Type.Optional(Type.Literal(true)),
    held: Type.Optional(Type.Literal(true)),
    beat: Type.Optional(COUNT),
  },
  closed,
);

const CHECKS = { pointer: schemaCheck(POINTER_FORMAT), journal: schemaCheck(JOURNAL_FORMAT) };

/** @param name its address, for errors @throws VitrineError remote_invalid, newer_format */
function parse<Document>(body: Buffer, name: string, kind: keyof typeof CHECKS): Document {
  return readingObject(name, () => {
    if (body.length > MOST_DOCUMENT_BYTES) throw new Error(`it is longer than ${MOST_DOCUMENT_BYTES} bytes`);
    const value = parseShallowJson(body.toString("utf8"));
    readsFormat(kind, (value as { readonly format?: unknown } | null)?.format);
    const check = CHECKS[kind];
    if (check(value)) return value as Document;
    throw new Error(problemOf(check));
  });
}

/** @throws VitrineError remote_invalid, newer_format */
export function parsePointer(body: Buffer, name: string): Pointer {
  const pointer = parse<Pointer>(body, name, "pointer");
  readingObject(name, () => {
    if (pointer.releases[0]?.id !== pointer.release) throw new Error("its first release is not the live one");
    for (const { id, catalogDigest } of pointer.releases)
      if (digestInId(id) !== catalogDigest.slice(0, 12))
        throw new Error(`the digest of ${id} belongs to another release`);
  });
  return pointer;
}

/** @throws VitrineError remote_invalid, newer_format */
export function parseJournal(body: Buffer, name: string): Journal {
  return parse<Journal>(body, name, "journal");
}

/** True if the journal's attempt became the live release: only its deletions and purges are left to do. */
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

interface FoundJournal {
  readonly journal: Journal;
  readonly etag: string;
  /** The holder is at work, as far as can be determined. */
  readonly alive: boolean;
}

export interface BucketState {
  readonly live: FoundPointer | null;
  readonly journal: FoundJournal | null;
}

export async function readPointer(bucket: PlaceReader): Promise<FoundPointer | null> {
  const found = await bucket.get(POINTER_KEY);
  return found === null
    ? null
    : { pointer: parsePointer(found.body, `${bucket.url}/${POINTER_KEY}`), etag: found.etag };
}

/** Takes two requests, however large the release. */
export async function readState(bucket: Bucket, isGone: (journal: Journal) => boolean): Promise<BucketState> {
  const [live, found] = await Promise.all([readPointer(bucket), bucket.get(JOURNAL_KEY)]);
  if (found === null) return { live, journal: null };
  const journal = parseJournal(found.body, `${bucket.url}/${JOURNAL_KEY}`);
  // `abs`: a time far in the future is no reason to wait for it.
  const alive = Math.abs(found.ageSeconds) < journal.leaseSeconds && !isGone(journal);
  return { live, journal: { journal, etag: found.etag, alive } };
}

/** The live release, and its pointer's etag. @throws VitrineError usage if nothing was published yet */
export async function readFoundLive(bucket: Bucket): Promise<FoundPointer> {
  const live = await readPointer(bucket);
  if (live !== null) return live;
  throw new VitrineError(
    "usage",
    `Nothing was published to ${bucket.url} yet. Run vitrine publish --to it first.`,
  );
}

/** The live release. @throws VitrineError usage if nothing was published yet */
export async function readLive(bucket: Bucket): Promise<Pointer> {
  return (await readFoundLive(bucket)).pointer;
}
