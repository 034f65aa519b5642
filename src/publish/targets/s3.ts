/** A bucket that speaks S3, and a prefix in it. Repeats on its own what may be repeated. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { VitrineError } from "../../base/error.ts";
import { type Bucket, MOST_OBJECT_BYTES, type ObjectHeaders, type Source, tooLong } from "../bucket.ts";
import { type Deadline, telling, withDeadline } from "../deadline.ts";
import {
  type Concurrency,
  createConcurrency,
  type RetryPolicy,
  STANDARD_RETRIES,
  withRetries,
} from "../retry.ts";
import {
  bufferBody,
  connectS3,
  fileBody,
  type S3Body,
  type S3Connection,
  type S3Place,
  type S3Request,
  type S3Response,
} from "./s3-request.ts";
import {
  type Doing,
  explain,
  isMissing,
  isRefusal,
  isTimeout,
  isTooBusy,
  isTransient,
  readFailure,
  readXml,
  responseDate,
  S3Failure,
} from "./s3-responses.ts";

export interface S3Options extends S3Place {
  /** Without slashes at its ends; "" for the whole bucket. */
  readonly prefix: string;
  readonly service: string;
  readonly retries?: RetryPolicy;
}

/** S3 takes 1,000 keys in one DeleteObjects. */
const DELETE_BATCH = 1000;

interface Context {
  readonly concurrency: Concurrency;
  readonly url: string;
  keyOf(key: string): string;
  readonly retries: RetryPolicy;
  /** Sends once, and reads a response that is no success. @throws S3Failure */
  send(request: S3Request, deadline: Deadline): Promise<S3Response>;
  /** Runs a request until it is done or its time is over; `what` names it in the error, `sizeBytes` are sent. */
  run<Result>(
    doing: Doing,
    what: string,
    request: (deadline: Deadline) => Promise<Result>,
    sizeBytes?: number,
  ): Promise<Result>;
}

function createContext(options: S3Options, connection: S3Connection): Context {
  const concurrency = createConcurrency(options.concurrency);
  const base = options.prefix === "" ? "" : `${options.prefix}/`;
  const url = `s3://${options.bucket}${options.prefix === "" ? "" : `/${options.prefix}`}`;
  const retries = options.retries ?? STANDARD_RETRIES;
  const transient = (error: unknown) => {
    if (isTooBusy(error) || isTimeout(error)) concurrency.slower();
    return isTransient(error);
  };
  return {
    ...{ concurrency, retries, url },
    keyOf: (key) => base + key,
    async send(request, deadline) {
      const response = await connection.send(request, deadline);
      if (response.status >= 300) throw await readFailure(response);
      return response;
    },
    async run(doing, what, request, sizeBytes) {
      try {
        const result = await withRetries(retries, transient, () =>
          withDeadline(retries.callMilliseconds, request, sizeBytes),
        );
        concurrency.succeeded();
        return result;
      } catch (error) {
        throw error instanceof VitrineError ? error : explain(error, doing, what, url);
      }
    },
  };
}

/** Null where the object is not there. */
async function orNull<Result>(request: () => Promise<Result>): Promise<Result | null> {
  try {
    return await request();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Deletes one batch; what the response's errors name is tried again, for a 200 does not mean that all are gone. */
async function deleteBatch(context: Context, batch: readonly string[]): Promise<void> {
  let left = batch.map(context.keyOf);
  await context.run("deleting", `${batch.length} keys`, async (deadline) => {
    const objects = left.map((key) => key.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter));
    const xml = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects
      .map((key) => `<Object><Key>${key}</Key></Object>`)
      .join("")}</Delete>`;
    const response = await context.send(
      {
        ...{ method: "POST", key: "", query: { delete: "" } },
        headers: { "content-type": "application/xml" },
        body: bufferBody(Buffer.from(xml)),
      },
      deadline,
    );
    const errors = (await readXml(response, "DeleteResult")).recordsOf("Error");
    const failed = errors.filter((error) => error.get("Code") !== "NoSuchKey");
    const [first] = failed;
    if (first === undefined) return;
    left = failed.flatMap((error) => error.get("Key") ?? []);
    const code = first.get("Code") ?? "InternalError";
    const message = `${failed.length} keys stay, first ${first.get("Key")}: ${first.get("Message") ?? ""}`;
    throw new S3Failure(code, message, code === "AccessDenied" ? 403 : 503);
  });
}

/** Pages without a key that a store may send in a row: some do where much was deleted. */
const MOST_EMPTY_PAGES = 100;

/** Keys of the listing's pages, as they come. @throws VitrineError remote_failed where it makes no progress */
function createListing({ url }: Context): { take(page: readonly string[]): void } {
  let last = Buffer.alloc(0);
  let emptyPages = 0;
  return {
    take(page) {
      emptyPages = page.length === 0 ? emptyPages + 1 : 0;
      const stands = page.find((key) => {
        const bytes = Buffer.from(key);
        const ascends = bytes.compare(last) > 0;
        last = bytes;
        return !ascends;
      });
      if (stands === undefined && emptyPages <= MOST_EMPTY_PAGES) return;
      const problem =
        stands === undefined ? `${emptyPages} pages in a row hold no key` : `${stands} is out of order`;
      throw new VitrineError(
        "remote_failed",
        `${url}: the store's listing of keys leads nowhere: ${problem}. Publish to a store that lists keys in order.`,
      );
    },
  };
}

/** Keys below the place that begin with `root`, a page of 1,000 with each request. */
async function* listKeys(context: Context, root: string): AsyncGenerator<string> {
  const base = context.keyOf("");
  // Else a store could lead us from page to page for ever.
  const listing = createListing(context);
  let token: string | undefined;
  do {
    const query = {
      ...(token === undefined ? {} : { "continuation-token": token }),
      // Names of others may hold what XML cannot: they come as in an address.
      ...{ "encoding-type": "url", "list-type": "2", prefix: base + root },
    };
    const page = await context.run("listing", "what stands there", async (deadline) =>
      readXml(await context.send({ method: "GET", key: "", query }, deadline), "ListBucketResult"),
    );
    const keys = page
      .recordsOf("Contents")
      .map((record) => decodeURIComponent((record.get("Key") ?? "").replaceAll("+", " ")));
    listing.take(keys);
    for (const key of keys) yield key.slice(base.length);
    token = page.texts.get("NextContinuationToken");
  } while (token !== undefined);
}

const META = "x-amz-meta-";

/** `x-amz-meta-digest: …` → `{digest: …}` */
function metadataOf({ headers }: S3Response): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith(META)) metadata[name.slice(META.length)] = String(value);
  return metadata;
}

/** The pieces of a body, as long as they are not more than an object may have. */
async function* bounded(source: AsyncIterable<Buffer>, mostBytes: number, url: string, key: string) {
  let sizeBytes = 0;
  for await (const piece of source) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes) throw tooLong(url, key, mostBytes);
    yield piece;
  }
}

function reads(context: Context): Pick<Bucket, "get" | "head" | "getFile" | "inTheWay"> {
  const read = <Result>(
    method: "GET" | "HEAD",
    key: string,
    take: (response: S3Response, deadline: Deadline) => Promise<Result>,
  ) =>
    context.run("reading", key, (deadline) =>
      orNull(async () => take(await context.send({ method, key: context.keyOf(key) }, deadline), deadline)),
    );
  return {
    get: (key) =>
      read("GET", key, async (response, { moved, signal }) => {
        const pieces: Buffer[] = [];
        const gather = async (source: AsyncIterable<Buffer>) => {
          for await (const piece of bounded(source, MOST_OBJECT_BYTES, context.url, key)) pieces.push(piece);
        };
        await pipeline(response.body, telling(moved), gather, { signal });
        const written = Date.parse(response.headers["last-modified"] ?? "") || 0;
        const ageSeconds = (responseDate(response) - written) / 1000;
        return { body: Buffer.concat(pieces), etag: response.headers.etag ?? "", ageSeconds };
      }),
    head: (key) =>
      read("HEAD", key, async (response) => {
        const { headers } = response;
        response.body.resume();
        return {
          contentType: headers["content-type"] ?? "",
          cacheControl: headers["cache-control"] ?? "",
          metadata: metadataOf(response),
          sizeBytes: Number(headers["content-length"] ?? 0),
        };
      }),
    async getFile(key, file, mostBytes, progress) {
      const done = await read("GET", key, async ({ body }, { moved, signal }) => {
        const told = (bytes: number) => {
          moved(bytes);
          progress?.();
        };
        const pieces = (source: AsyncIterable<Buffer>) => bounded(source, mostBytes, context.url, key);
        await pipeline(body, telling(told), pieces, createWriteStream(file), { signal });
        return true;
      });
      return done ?? false;
    },
    async *inTheWay({ roots, has }) {
      for (const root of roots) for await (const key of listKeys(context, root)) if (has(key)) yield key;
    },
  };
}

function putRequest(key: string, body: S3Body, headers: ObjectHeaders): S3Request {
  const all: Record<string, string> = {
    "cache-control": headers.cacheControl,
    "content-type": headers.contentType,
  };
  for (const [name, value] of Object.entries(headers.metadata)) all[META + name] = value;
  return { method: "PUT", key, headers: all, body };
}

function writes(context: Context): Pick<Bucket, "put" | "putIf" | "delete"> {
  const put = async (request: S3Request, deadline: Deadline) => {
    const response = await context.send(request, deadline);
    response.body.resume();
    return response;
  };
  const bodyOf = (source: Source, headers: ObjectHeaders, progress?: () => void) =>
    Buffer.isBuffer(source)
      ? bufferBody(source, headers.metadata["digest"])
      : fileBody(source.file, progress);
  return {
    async put(key, source, headers, progress) {
      const body = await bodyOf(source, headers, progress);
      const request = putRequest(context.keyOf(key), body, headers);
      const send = (deadline: Deadline) => {
        const moved = (bytes: number) => {
          deadline.moved(bytes);
          progress?.();
        };
        return put(request, { ...deadline, moved });
      };
      await context.run("putting", key, send, body.sizeBytes);
    },
    async putIf(key, body, headers, condition) {
      const request = putRequest(context.keyOf(key), bufferBody(body), headers);
      const conditions: Record<string, string> =
        "ifMatch" in condition
          ? { "if-match": condition.ifMatch }
          : { "if-none-match": condition.ifNoneMatch };
      const conditional = { ...request, headers: { ...request.headers, ...conditions } };
      try {
        const { headers: written } = await withDeadline(
          context.retries.callMilliseconds,
          (deadline) => put(conditional, deadline),
          body.length,
        );
        const versioned = written["x-amz-version-id"] !== undefined;
        return { kind: "written", etag: written.etag ?? "", versioned };
      } catch (error) {
        if (isRefusal(error)) return { kind: "refused" };
        if (isTransient(error)) return { kind: "unknown", cause: error };
        throw explain(error, "putting", key, context.url);
      }
    },
    async delete(keys) {
      for (let at = 0; at < keys.length; at += DELETE_BATCH) {
        await deleteBatch(context, keys.slice(at, at + DELETE_BATCH));
      }
    },
  };
}

/** A response has the time whatever it says: also one that refuses what was signed by another clock. */
function askClock({ run }: Context, connection: S3Connection): Promise<number> {
  return run("reading", "its clock", async (deadline) => {
    const response = await connection.send({ method: "HEAD", key: "" }, deadline);
    response.body.resume();
    return responseDate(response);
  });
}

/** `connection`: what requests go through, the network where nothing else is given. */
export function openS3(options: S3Options, connection: S3Connection = connectS3(options)): Bucket {
  const context = createContext(options, connection);
  return {
    url: context.url,
    service: options.service,
    ...reads(context),
    ...writes(context),
    concurrency: context.concurrency,
    retries: context.retries,
    clock: () => askClock(context, connection),
    close: connection.close,
  };
}
