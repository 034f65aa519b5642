/**
 * The port to where releases go: a bucket of S3, or a folder. Keys are relative to the place that
 * `--to` names. Every call ends: each attempt has a deadline, all of them have a budget (`retries`).
 */
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { nameNewer } from "../base/formats.ts";
import type { RetryPolicy } from "./calls.ts";

export interface ObjectHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StoredObject {
  readonly body: Buffer;
  /** As the store spells it, with its quotes. */
  readonly etag: string;
  /** Seconds since it was written, by the store's own clock. */
  readonly ageSeconds: number;
}

export interface ObjectHead extends ObjectHeaders {
  readonly sizeBytes: number;
}

/** Raw values of the request headers that make a write conditional. */
export type Condition = { readonly ifNoneMatch: "*" } | { readonly ifMatch: string };

type WriteOutcome =
  /** `versioned`: the store made a version of it, older ones stay. */
  | { readonly kind: "written"; readonly etag: string; readonly versioned?: boolean }
  /** The store says that the condition does not hold (or that another write was faster). */
  | { readonly kind: "refused" }
  /** No response, or one that says nothing of what happened: the write may stand. */
  | { readonly kind: "unknown"; readonly cause: unknown };

/** How a store wants `If-Match` written; `none` where a single publisher goes without conditions. */
export type ConditionStyle = "quoted" | "unquoted" | "none";

/**
 * A place. Once a write resolves, it is persisted and every read sees it. A bucket repeats on its own what may pass,
 * within `retries`, and what it throws then is hopeless: VitrineError remote_failed. That something is not there is told
 * by null or false, never thrown. After an error, and after an outcome `unknown`, a write may stand.
 */
export interface Bucket extends Disposable {
  /** As the user named it: `s3://shop/api`. */
  readonly url: string;
  /** What the probe's findings hold for: the service's address. */
  readonly service: string;
  /** How many writes may be under way. */
  readonly concurrency: number;
  /** How often and how long what failed is repeated. */
  readonly retries: RetryPolicy;

  /** An object, in memory; null where there is none. @throws VitrineError remote_invalid beyond MOST_OBJECT_BYTES */
  get(key: string): Promise<StoredObject | null>;
  /** What an object says of itself; null where there is none. */
  head(key: string): Promise<ObjectHead | null>;
  /** Puts an object, whatever stands there. */
  put(key: string, body: Buffer, headers: ObjectHeaders): Promise<void>;
  /** Tries once, and is never repeated here: what became of it is for the caller to find out (`compareAndSet`). */
  putIf(key: string, body: Buffer, headers: ObjectHeaders, condition: Condition): Promise<WriteOutcome>;
  /** Deletes keys, whether they are there or not. @throws VitrineError remote_failed naming what was not deleted */
  delete(keys: readonly string[]): Promise<void>;
  /** Keys that begin so, objects of others among them. */
  list(root: string): AsyncIterable<string>;

  /** The store's clock, in milliseconds since 1970: given to anyone who asks, whatever the rights. */
  readonly clock?: () => Promise<number>;
}

/** Codes of failures of this machine: of the system's calls, and of SQLite where it cannot work. */
const OF_THIS_MACHINE = /^(E[A-Z0-9]+|SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|READONLY)\w*)$/;
/** What those who read files say of one that is wrong: they do not know whose it is. */
const OF_A_FILE: readonly string[] = ["catalog_unreadable", "snapshot_unreadable"];

/**
 * A remote that is wrong: the error to throw where reading an object has failed: with its name, unless that failed for
 * another reason.
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
    `${name} cannot be used: ${reason}. Somebody else wrote it, or another version of Vitrine. Nothing was done by it. ` +
      "Update Vitrine; or restore the object; or publish to an empty place.",
    { cause: error },
  );
}

/** Those of the keys below a root that are meant. */
export async function findKeys(
  bucket: Bucket,
  root: string,
  isMeant: (key: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for await (const key of bucket.list(root)) if (isMeant(key)) found.push(key);
  return found;
}

/** Reads an object. @throws VitrineError remote_invalid, with its name, where it cannot be used */
export function readingObject<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw invalidObject(name, error);
  }
}

/** No answer, and no control document, is nearly as long. */
export const MOST_OBJECT_BYTES: number = 64 * 1024 * 1024;

/** An object that is longer than it may be. */
export function tooLong(url: string, key: string, mostBytes: number): unknown {
  return invalidObject(`${url}/${key}`, new Error(`it is longer than ${mostBytes} bytes`));
}

/** Where Vitrine keeps what is not for readers. */
export const CONTROL = ".vitrine/";
export const POINTER_KEY = `${CONTROL}current.json`;
/** Where a folder writes what it then renames; one that a killed process left belongs to no release. */
export const DRAFTS = `${CONTROL}draft-`;
export const JOURNAL_KEY = `${CONTROL}journal.json`;

/** Headers of control objects: never cached by anyone. */
export const CONTROL_HEADERS: ObjectHeaders = {
  contentType: "application/json",
  cacheControl: "no-store",
  metadata: {},
};
/** Of an object: its name says what it is for ever, but only publishers and followers may read it. */
export const OBJECT_HEADERS: ObjectHeaders = { ...CONTROL_HEADERS, contentType: "application/gzip" };
