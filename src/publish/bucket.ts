/**
 * The port to the place where releases are stored: an S3 bucket or a folder. Keys are relative to the place that `--to` names.
 * Every call ends: each attempt has a deadline, and all attempts of a call share a budget (`retries`).
 */
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { nameNewer } from "../base/formats.ts";
import type { RetryPolicy } from "../base/retries.ts";

export interface ObjectHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly metadata: PutMetadata;
}

/** The metadata that an object is put with. */
export interface PutMetadata {
  /** SHA-256 of the body, in hexadecimal. Its PUT is signed with it, so a service refuses another body. */
  readonly digest?: string;
  readonly "cache-tag"?: string;
}

/** The headers that readers get of an object. */
export interface StoredHeaders extends Omit<ObjectHeaders, "metadata"> {
  /** "" for an object as Vitrine puts it. */
  readonly contentEncoding: string;
  /** Also what others have added. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StoredObject {
  readonly body: Buffer;
  /** Null if the place stores no headers: in a folder, the web server makes them. */
  readonly headers: StoredHeaders | null;
  /** As the service writes it, with its quotes. */
  readonly etag: string;
  /** Seconds since it was written, by the service's own clock. */
  readonly ageSeconds: number;
}

interface ObjectHead extends StoredHeaders {
  readonly sizeBytes: number;
}

/** Raw values of the request headers that make a write conditional. */
export type Condition = { readonly ifNoneMatch: "*" } | { readonly ifMatch: string };

type WriteOutcome =
  /** `versioned`: the service made a new version and kept the older ones. */
  | { readonly kind: "written"; readonly etag: string; readonly versioned?: boolean }
  /** The service says that the condition does not hold. */
  | { readonly kind: "refused" }
  /** The service says that another write came at the same time: whether the condition holds is open. */
  | { readonly kind: "conflict" }
  /** No response, or an inconclusive one: the write may have happened. */
  | { readonly kind: "unknown"; readonly cause: unknown };

/** How a service wants `If-Match` written; `none` if a single publisher writes without conditions. */
export type ConditionStyle = "quoted" | "unquoted" | "none";

/** The part of a bucket that a fallback needs to follow releases. */
export interface PlaceReader {
  /** For messages. */
  readonly url: string;
  /** An object, in memory; null if it is missing. @throws VitrineError remote_invalid beyond the most bytes that the reader takes */
  get(key: string): Promise<Pick<StoredObject, "body" | "etag"> | null>;
}

/**
 * A place to publish to. Once a write resolves, it is persisted and every read sees it. A bucket repeats by itself what may
 * succeed later, within `retries`; what it throws after that is final: VitrineError remote_failed. A missing object is reported
 * by null or false, never by an error. After an error or the outcome `unknown`, the write may have happened.
 */
export interface Bucket extends Disposable {
  /** As the user named it: `s3://shop/api`. */
  readonly url: string;
  /** The service's address: the probe's findings apply to all of it. */
  readonly service: string;
  /** How many writes may be under way. */
  readonly concurrency: number;
  /** How often and for how long a failed call is repeated. */
  readonly retries: RetryPolicy;

  /** An object, in memory; null if it is missing. @throws VitrineError remote_invalid beyond MOST_OBJECT_BYTES */
  get(key: string): Promise<StoredObject | null>;
  /** An object's headers and size; null if it is missing. */
  head(key: string): Promise<ObjectHead | null>;
  /** Puts an object and replaces the current one. */
  put(key: string, body: Buffer, headers: ObjectHeaders): Promise<void>;
  /** Tries once and never repeats: the caller finds out what became of the write (`compareAndSet`). */
  putIf(key: string, body: Buffer, headers: ObjectHeaders, condition: Condition): Promise<WriteOutcome>;
  /** Deletes keys, whether they exist or not. @throws VitrineError remote_failed naming what was not deleted */
  delete(keys: readonly string[]): Promise<void>;
  /** Keys that begin with `root`, including objects that Vitrine did not write. */
  list(root: string): AsyncIterable<string>;

  /** The place's clock in milliseconds since 1970, as its last response told it; this machine's before any response. No request. */
  now(): number;
  /** Asks for the service's clock: answered to any caller, whatever its permissions. */
  readonly clock?: () => Promise<number>;
}

/** Error codes of this machine's own failures: system calls, and SQLite when it cannot work. */
const OF_THIS_MACHINE = /^(E[A-Z0-9]+|SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|READONLY)\w*)$/;
/** Error codes of the file readers, which do not know that the invalid file came from the remote. */
const OF_A_FILE: readonly string[] = ["catalog_unreadable", "snapshot_unreadable"];

/**
 * The error to throw if reading an object has failed: remote_invalid with the object's name if its content is wrong, the same
 * error if the failure has another reason.
 */
function invalidObject(name: string, error: unknown): unknown {
  if (error instanceof VitrineError && error.code === "newer_format") return nameNewer(name, error);
  if (
    error instanceof VitrineError
      ? !OF_A_FILE.includes(error.code)
      : OF_THIS_MACHINE.test(systemCodeOf(error))
  )
    return error;
  const reason = messageOf(error).replace(/[.\s]+$/, "");
  return new VitrineError(
    "remote_invalid",
    `${name} cannot be used: ${reason}. Another program or another version of Vitrine wrote it. Nothing was changed. ` +
      "Update Vitrine; or restore the object; or publish to an empty place.",
    { cause: error },
  );
}

/** Those keys below `root` that satisfy `isMeant`. */
export async function findKeys(
  bucket: Bucket,
  root: string,
  isMeant: (key: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for await (const key of bucket.list(root)) if (isMeant(key)) found.push(key);
  return found;
}

/** Reads an object. @throws VitrineError remote_invalid with the object's name if it cannot be used */
export function readingObject<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw invalidObject(name, error);
  }
}

/** Answers and control documents are much shorter. */
export const MOST_OBJECT_BYTES: number = 64 * 1024 * 1024;

/** The error for an object that is longer than allowed. */
export function tooLong(url: string, key: string, mostBytes: number): unknown {
  return invalidObject(`${url}/${key}`, new Error(`it is longer than ${mostBytes} bytes`));
}

/** Prefix of what Vitrine keeps for itself, hidden from readers. */
export const CONTROL = ".vitrine/";
export const POINTER_KEY = `${CONTROL}current.json`;
/** Drafts that a folder writes and then renames. A killed process may leave one, which belongs to no release. */
export const DRAFTS = `${CONTROL}draft-`;
export const JOURNAL_KEY = `${CONTROL}journal.json`;

/**
 * The first difference between an object's headers and what was put; null if there is none. Metadata that others added does not
 * count: services and tools add their own, and no reader acts on it.
 */
export function headerProblem(found: StoredHeaders, wanted: ObjectHeaders): string | null {
  const pairs = [
    ["content type", found.contentType, wanted.contentType],
    ["Cache-Control", found.cacheControl, wanted.cacheControl],
    ["Content-Encoding", found.contentEncoding === "identity" ? "" : found.contentEncoding, ""],
    ...Object.entries(wanted.metadata).map(
      ([name, value]) => [`metadata ${name}`, found.metadata[name] ?? "", value] as const,
    ),
  ] as const;
  const [name, is, should] = pairs.find(([, is, should]) => is !== should) ?? [];
  return name === undefined ? null : `its ${name} is ${is || "missing"}, not ${should || "missing"}`;
}

/** Headers of control objects: no cache may keep them. */
export const CONTROL_HEADERS: ObjectHeaders = {
  contentType: "application/json",
  cacheControl: "no-store",
  metadata: {},
};
/** Headers of release objects. Their content never changes, but only publishers and followers may read them. */
export const OBJECT_HEADERS: ObjectHeaders = { ...CONTROL_HEADERS, contentType: "application/gzip" };
