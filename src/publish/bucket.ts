/**
 * The port to where releases go: a bucket, or a directory that behaves as one. Keys are relative to the place that
 * `--to` names. Whatever is not conditional is repeated inside until it is done or hopeless, and every call ends: each
 * attempt has a deadline, all of them have a budget (`retries`).
 */

import type { RetryPolicy } from "./retry.ts";

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

export type WriteOutcome =
  /** `versioned`: the store made a version of it, older ones stay. */
  | { readonly kind: "written"; readonly etag: string; readonly versioned?: boolean }
  /** The store says that the condition does not hold (or that another write was faster). */
  | { readonly kind: "refused" }
  /** No answer, or one that says nothing of what happened: the write may stand. */
  | { readonly kind: "unknown"; readonly cause: unknown };

/** How a store wants `If-Match` written; `none` where a single publisher goes without conditions. */
export type ConditionStyle = "quoted" | "unquoted" | "none";

/** Told whenever something moved: who waits knows then that the work is alive. */
export type Progress = () => void;

/** The keys of a snapshot: all of them begin with one of the roots. */
interface OwnKeys {
  readonly roots: readonly string[];
  has(key: string): boolean;
}

export interface Bucket {
  /** As the user named it: `s3://shop/api`. */
  readonly url: string;
  /** What the probe's findings hold for: the service's address. */
  readonly service: string;
  get(key: string): Promise<StoredObject | null>;
  head(key: string): Promise<ObjectHead | null>;
  put(key: string, body: Buffer, headers: ObjectHeaders): Promise<void>;
  /** Tries once: what became of it is for the caller to find out. */
  putIf(key: string, body: Buffer, headers: ObjectHeaders, condition: Condition): Promise<WriteOutcome>;
  /** Puts a file of any size, a piece of it in memory at a time. */
  putFile(key: string, file: string, headers: ObjectHeaders, progress?: Progress): Promise<void>;
  /** Writes an object's body to a file; false where there is none. */
  getFile(key: string, file: string, progress?: Progress): Promise<boolean>;
  /** Deletes keys, whether they are there or not. @throws VitrineError remote_failed naming what was not deleted */
  delete(keys: readonly string[]): Promise<void>;
  /** What a first publish would replace: a bucket's objects at these keys, whatever a directory serves. */
  inTheWay(ours: OwnKeys): AsyncIterable<string>;
  /** Makes ready for the keys of a release. A directory starts from hard links to the present one. */
  begin(release: string, present: string | null, progress?: Progress): Promise<void>;
  /** Shows a committed release where that is a step of its own, as a directory's link is; may be repeated. */
  expose(release: string): Promise<void>;
  /** Forgets what only older releases need: their folders in a directory. */
  forget(releases: readonly string[]): Promise<void>;
  /** How many writes may be under way; it falls when the store says that it is too busy, and grows again. */
  readonly concurrency: { readonly now: number };
  /** How often and how long what failed is repeated. */
  readonly retries: RetryPolicy;
  close(): void;
}

/** Where Vitrine keeps what is not for readers. */
export const CONTROL = ".vitrine/";
export const POINTER_KEY = `${CONTROL}current.json`;
export const JOURNAL_KEY = `${CONTROL}journal.json`;

export function catalogKey(release: string): string {
  return `${CONTROL}releases/${release}/catalog.sqlite.gz`;
}

export function manifestKey(release: string): string {
  return `${CONTROL}releases/${release}/manifest.tsv.gz`;
}

/** Headers of control objects: never cached by anyone. */
export const CONTROL_HEADERS: ObjectHeaders = {
  contentType: "application/json",
  cacheControl: "no-store",
  metadata: {},
};
export const FILE_HEADERS: ObjectHeaders = { ...CONTROL_HEADERS, contentType: "application/octet-stream" };
