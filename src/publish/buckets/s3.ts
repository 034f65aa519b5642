/**
 * A prefix in an S3 bucket, through the AWS SDK. Repeats by itself what may be repeated, so that one budget and one deadline
 * apply to all requests: the SDK tries once.
 */

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { forEachAtOnce } from "../../base/at-once.ts";
import { CLOCK, type Clock } from "../../base/clock.ts";
import { VitrineError } from "../../base/error.ts";
import { counted } from "../../base/log.ts";
import { bounded, wholeBody } from "../../base/responses.ts";
import { type RetryPolicy, withRetries } from "../../base/retries.ts";
import { refusePassword } from "../addresses.ts";
import {
  errorName,
  findCredentials,
  isTransient,
  NO_LOG,
  proxyOf,
  refusesCredentials,
  replyOf,
  statusOf,
  unreadSettings,
} from "../aws.ts";
import {
  type Bucket,
  JOURNAL_KEY,
  MOST_OBJECT_BYTES,
  type ObjectHeaders,
  POINTER_KEY,
  type StoredHeaders,
  tooLong,
} from "../bucket.ts";
import { type Deadline, STANDARD_RETRIES, withDeadline } from "../calls.ts";
import { Pace } from "../pace.ts";
import { explainReply, type Reply } from "../replies.ts";
import { Client } from "./s3-client.ts";

/** Carries one request of the SDK and returns its response. */
export type Handler = Pick<NodeHttpHandler, "handle" | "destroy">;

export interface S3Options {
  readonly bucket: string;
  /** Without slashes at its ends; "" for the whole bucket. */
  readonly prefix: string;
  /** Address of a service that is not AWS; the bucket's name is then part of the path. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly service: string;
  /** Most requests at once. */
  readonly concurrency: number;
  readonly retries?: RetryPolicy;
}

/** `handler`: carries the requests; the network by default. */
export function openS3(options: S3Options, handler?: Handler): Bucket {
  const context = contextOf(options, handler);
  const { url, retries, close } = context;
  return {
    url,
    retries,
    service: options.service,
    concurrency: options.concurrency,
    ...reads(context),
    ...writes(context, options.concurrency),
    now: context.now,
    clock: () => askClock(context),
    [Symbol.dispose]: close,
  };
}

/** Describes a request for its error message. */
interface Call {
  readonly doing: Reply["doing"];
  readonly what: string;
  readonly isConditional?: boolean;
}

/** What all requests to one place share. */
interface S3Context extends Connection {
  readonly url: string;
  readonly retries: RetryPolicy;
  readonly bucket: string;
  readonly base: string;
  at(key: string): { readonly Bucket: string; readonly Key: string };
  /** Runs a request until it is done or its time is over. `sizeBytes`: length of its body. `isUrgent`: skips the queue. */
  run<Result>(
    call: Call & { readonly isUrgent?: boolean; readonly sizeBytes?: number },
    request: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result>;
}

function contextOf(options: S3Options, handler: Handler | undefined): S3Context {
  const { bucket, prefix, concurrency, retries = STANDARD_RETRIES } = options;
  const base = prefix === "" ? "" : `${prefix}/`;
  const url = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  const pace = new Pace(concurrency, retries);
  return {
    ...connect(options, handler),
    url,
    retries,
    bucket,
    base,
    at: (key) => ({ Bucket: bucket, Key: base + key }),
    async run({ isUrgent = false, sizeBytes = 0, ...call }, request) {
      const once = () => withDeadline(retries, request, sizeBytes);
      try {
        return await (isUrgent ? withRetries(retries, isTransient, once) : pace.run(once));
      } catch (error) {
        throw error instanceof VitrineError ? error : explain(error, { ...call, url });
      }
    },
  };
}

/** A client, replaced by one that has read the credentials again after the service refused them. */
interface Connection {
  /** Runs a request; if its credentials are refused and others are available by now, sends it once more. */
  ask<Result>(request: (client: Client) => Promise<Result>): Promise<Result>;
  /** The service's clock, in milliseconds. */
  now(): number;
  close(): void;
}

function connect(options: S3Options, inner: Handler | undefined): Connection {
  const { region, concurrency, retries: { clock = CLOCK } = STANDARD_RETRIES } = options;
  const { endpoint, forcePathStyle } = addressingOf(options);
  // A few connections more than parallel requests, so that the lock can always be renewed.
  const agent = { keepAlive: true, maxSockets: concurrency + 8, ...proxyOf(process.env) };
  const watch = watching(inner ?? new NodeHttpHandler({ httpAgent: agent, httpsAgent: agent }), clock);
  const create = () => {
    const config: S3ClientConfig = {
      credentials: findCredentials(),
      maxAttempts: 1,
      forcePathStyle,
      // MD5 is sent with each body. Many services refuse other digests and bodies in chunks.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      expectContinueHeader: false,
      requestHandler: watch.handler,
      logger: NO_LOG,
    };
    if (endpoint !== undefined) config.endpoint = endpoint;
    if (region !== undefined) config.region = region;
    return new Client(config, clock);
  };
  let client = create();
  const readAgain = async (): Promise<void> => {
    const next = create();
    const keysOf = async ({ config }: Client) => {
      const { accessKeyId, secretAccessKey, sessionToken } = await config.credentials();
      return [accessKeyId, secretAccessKey, sessionToken].join("\n");
    };
    if ((await keysOf(next)) !== (await keysOf(client))) client = next;
  };
  let reading: Promise<void> | null = null;
  return {
    now: watch.now,
    async ask(request) {
      const used = client;
      try {
        return await request(used);
      } catch (error) {
        if (!refusesCredentials(error)) throw error;
        if (used === client) {
          // One reading for all requests that were refused together. If it fails, the credentials stay the same.
          reading ??= readAgain().finally(() => {
            reading = null;
          });
          await reading.catch(() => undefined);
        }
        if (used === client) throw error;
        return await request(client);
      }
    },
    close: () => client.destroy(),
  };
}

/** Where a service is, and whether the bucket is named in the path or in the host. */
interface Addressing {
  /** Undefined: AWS. */
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
}

/** @throws VitrineError usage */
function addressingOf({ bucket, endpoint }: Pick<S3Options, "bucket" | "endpoint">): Addressing {
  // The SDK recognises them by this ending, at any endpoint (S3 Express One Zone): other signatures, no MD5, no public reading.
  if (bucket.endsWith("--x-s3"))
    throw new VitrineError("usage", `${bucket} is a directory bucket of S3: Vitrine cannot publish there.`, {
      hint: "publish to a general purpose bucket",
    });
  const named = endpoint ?? process.env["AWS_ENDPOINT_URL_S3"] ?? process.env["AWS_ENDPOINT_URL"];
  // No wildcard certificate covers a name with dots.
  if (named === undefined) return { endpoint: undefined, forcePathStyle: bucket.includes(".") };
  const place = "The address of the S3 service";
  refusePassword(place, named, "keys are those of AWS_ACCESS_KEY_ID and its like");
  const url = URL.parse(named);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new VitrineError("usage", `${place}, "${named}", does not say how to reach it.`, {
      hint: `write https:// (or http://) before it: --endpoint https://${named.replace(/^[a-z0-9]*:?\/\//i, "")}`,
    });
  }
  if (
    url.pathname
      .split("/")
      .filter((part) => part !== "")
      .at(-1) === bucket
  ) {
    const path = url.pathname.replace(/\/+[^/]+\/*$/, "");
    throw new VitrineError("usage", `${place}, ${named}, has the bucket in it: --to names that already.`, {
      hint: `leave it out: --endpoint ${url.origin}${path}`,
    });
  }
  // Some services show and require the bucket in the host: `https://shop.oss-eu-central-1.aliyuncs.com`.
  const host = url.host.slice(bucket.length + 1);
  if (url.host.startsWith(`${bucket}.`) && host.split(".").length >= 3)
    return { endpoint: `${url.protocol}//${host}${url.pathname}`, forcePathStyle: false };
  return { endpoint: named, forcePathStyle: true };
}

/** Carries requests, learns the service's clock from responses, and limits those that the SDK reads whole. */
function watching(inner: Handler, clock: Clock) {
  let offset = 0;
  return {
    /** The service's clock, in milliseconds; this machine's until the service has sent a date. */
    now: () => clock.now().getTime() + offset,
    handler: {
      async handle(...[request, options]: Parameters<Handler["handle"]>) {
        const { response } = await inner.handle(request, options);
        const date = Date.parse(response.headers["date"] ?? "");
        if (!Number.isNaN(date)) offset = date - clock.now().getTime();
        const isObject =
          request.method === "GET" && response.statusCode < 300 && request.query?.["list-type"] === undefined;
        const isEmpty = response.headers["content-length"] === "0";
        if (!isObject && !isEmpty && response.body instanceof Readable) {
          const long = () => new Error(`the response is longer than ${MOST_DOCUMENT_BYTES} bytes`);
          response.body = Readable.from(bounded(response.body, MOST_DOCUMENT_BYTES, long));
        }
        return { response };
      },
      destroy: () => inner.destroy(),
      updateHttpClientConfig: () => undefined,
      httpHandlerConfigs: () => ({}),
    },
  };
}

/** Renewals of the lock and commits must not wait behind slow transfers. */
const isUrgent = (key: string): boolean => key === POINTER_KEY || key === JOURNAL_KEY;

function astray(url: string, problem: string): VitrineError {
  return new VitrineError(
    "remote_failed",
    `${url}: the service's listing of keys cannot be used: ${problem}.`,
    {
      hint: "check whether a proxy answers instead of the service; publish to a service that lists all keys, each once",
    },
  );
}

/** A failure as a message: what, where, and what it means; the hint says what to do. */
function explain(
  error: unknown,
  { doing, what, url, isConditional = false }: Call & { readonly url: string },
): VitrineError {
  const { said, hint, takesNoConditions } = explainReply(replyOf(error, doing, isConditional));
  const code = takesNoConditions ? "conditions_ignored" : "remote_failed";
  const unread = unreadSettings(error);
  return new VitrineError(
    code,
    `${url}: ${doing} ${what} failed: ${said}${unread === null ? "" : ` ${unread}`}`,
    {
      hint: unread === null ? hint : "correct that file or the variable; ls -l shows who may read it",
      cause: error,
    },
  );
}

function reads(context: S3Context): Pick<Bucket, "get" | "head" | "list"> {
  const { ask, run, at, now, url } = context;
  return {
    get: (key) =>
      run({ doing: "reading", what: key, isUrgent: isUrgent(key) }, (deadline) =>
        orNull(async () => {
          const { signal, moved } = deadline;
          const found = await ask((client) =>
            client.send(new GetObjectCommand(at(key)), { abortSignal: signal }),
          );
          const { Body, ETag, LastModified, ContentType = "" } = found;
          const long = () => tooLong(url, key, MOST_OBJECT_BYTES);
          const whole = (source: AsyncIterable<Buffer>) => wholeBody(source, MOST_OBJECT_BYTES, long, moved);
          const body = await pipeline(Body as Readable, whole, { signal });
          // A proxy's page may have status 200.
          if (ETag === undefined && /^text\/html/i.test(ContentType)) throw withoutEtag();
          const ageSeconds = (now() - (LastModified?.getTime() ?? 0)) / 1000;
          return { body, headers: headersIn(found), etag: ETag ?? "", ageSeconds };
        }),
      ),
    head: (key) =>
      run({ doing: "reading", what: key }, ({ signal }) =>
        orNull(async () => {
          const found = await ask((client) =>
            client.send(new HeadObjectCommand(at(key)), { abortSignal: signal }),
          );
          return { ...headersIn(found), sizeBytes: found.ContentLength ?? 0 };
        }),
      ),
    list: (root) => listKeys(context, root),
  };
}

/** Null if the object is missing. */
async function orNull<Result>(request: () => Promise<Result>): Promise<Result | null> {
  try {
    return await request();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Every service sends the version of what it has or has written: without it, perhaps no service answered. */
const withoutEtag = () => new S3Failure("NoETag", "the response has no ETag", 200);

/** True if a response came, whatever its status. */
const isAnswered = (error: unknown): boolean => statusOf(error) > 0;

function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && ["NoSuchKey", "NotFound"].includes(errorName(error));
}

/** S3 takes 1,000 keys in one DeleteObjects. */
const DELETE_BATCH = 1000;
/** A list of 1,000 keys of 1,024 bytes, each byte `%XX`, is 3 MB. */
const MOST_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** Pages without a key that a service may send in a row: some services do so after many deletions. */
const MOST_EMPTY_PAGES = 100;

/** A response that lacks something or is not as expected; its name is S3's code, if the response has one. */
class S3Failure extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  constructor(name: string, message: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

type HeaderOutput = Pick<
  HeadObjectCommandOutput,
  "CacheControl" | "ContentEncoding" | "ContentType" | "Metadata"
>;

function headersIn(output: HeaderOutput): StoredHeaders {
  return {
    contentType: output.ContentType ?? "",
    contentEncoding: output.ContentEncoding ?? "",
    cacheControl: output.CacheControl ?? "",
    metadata: output.Metadata ?? {},
  };
}

/**
 * Keys of the place that begin with `root`, 1,000 per request, in the store's order: AWS lists by the keys' bytes, stores that keep
 * folders list these first (`faqs/page=1.json` before `faqs.json`).
 */
async function* listKeys({ ask, run, url, bucket, base }: S3Context, root: string): AsyncGenerator<string> {
  let token: string | undefined;
  // A service whose pages overlap may leave keys out as well, and one that ignores the token never ends.
  const seen = new Set<string>();
  let emptyPages = 0;
  do {
    // Foreign keys may contain what XML cannot hold: ask for percent-encoding, which most services support.
    const place = { Bucket: bucket, Prefix: base + root, EncodingType: "url" } as const;
    const page = await run({ doing: "listing", what: "its keys" }, ({ signal }) =>
      ask((client) =>
        client.send(new ListObjectsV2Command({ ...place, ContinuationToken: token }), {
          abortSignal: signal,
        }),
      ),
    );
    const { IsTruncated, NextContinuationToken, EncodingType, Contents = [] } = page;
    // A key that is missing here counts as free and may be overwritten.
    if (IsTruncated === undefined) throw astray(url, "the response does not say whether more keys follow");
    const keys = Contents.map((object) => keyOf(object, EncodingType));
    // Otherwise a service could send empty pages for ever.
    emptyPages = keys.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages > MOST_EMPTY_PAGES) throw astray(url, `${emptyPages} pages in a row hold no key`);
    for (const key of keys) {
      if (seen.has(key)) throw astray(url, `it has ${key} twice`);
      seen.add(key);
      yield key.slice(base.length);
    }
    if (IsTruncated && !NextContinuationToken)
      throw astray(
        url,
        `more keys follow ${keys.at(-1) ?? "its first page"}, and the response does not say how to ask for them`,
      );
    token = IsTruncated ? NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** A key as the service spells it in a listing. If a service claims "url" and encodes nothing, our own keys come out right all the same. */
function keyOf({ Key = "" }: { readonly Key?: string | undefined }, encoding: string | undefined): string {
  if (encoding !== "url") return Key;
  try {
    return decodeURIComponent(Key.replaceAll("+", " "));
  } catch {
    // A broken escape: the service did not encode this key.
    return Key;
  }
}

function writes(context: S3Context, concurrency: number): Pick<Bucket, "put" | "putIf" | "delete"> {
  const { ask, run, retries, at, url } = context;
  const inputOf = (key: string, body: Buffer, { contentType, cacheControl, metadata }: ObjectHeaders) => ({
    ...at(key),
    ContentType: contentType,
    CacheControl: cacheControl,
    Metadata: { ...metadata },
    Body: body,
  });
  return {
    async put(key, body, headers) {
      const call = { doing: "putting", what: key, sizeBytes: body.length, isUrgent: isUrgent(key) } as const;
      await run(call, async ({ signal }) => {
        const { ETag } = await ask((client) => client.put(inputOf(key, body, headers), signal));
        if (ETag !== undefined) return;
        const found = await orNull(() =>
          ask((client) => client.send(new HeadObjectCommand(at(key)), { abortSignal: signal })),
        );
        if (found?.ContentLength !== body.length) throw withoutEtag();
      });
    },
    async putIf(key, body, headers, condition) {
      const conditions =
        "ifMatch" in condition ? { IfMatch: condition.ifMatch } : { IfNoneMatch: condition.ifNoneMatch };
      const fail = (error: unknown) =>
        explain(error, { doing: "putting", what: key, url, isConditional: true });
      try {
        const { ETag, VersionId } = await withDeadline(
          retries,
          ({ signal }) =>
            ask((client) => client.put({ ...inputOf(key, body, headers), ...conditions }, signal)),
          body.length,
        );
        if (ETag === undefined) return { kind: "unknown", cause: fail(withoutEtag()) };
        return { kind: "written", etag: ETag, versioned: VersionId !== undefined };
      } catch (error) {
        if (isRefusal(error)) return { kind: "refused" };
        if (statusOf(error) === 409) return { kind: "conflict" };
        if (isTransient(error)) return { kind: "unknown", cause: fail(error) };
        throw fail(error);
      }
    },
    async delete(keys) {
      for (let from = 0; from < keys.length; from += DELETE_BATCH)
        await deleteBatch(context, keys.slice(from, from + DELETE_BATCH), concurrency);
    },
  };
}

/** 412, and 404, which refuses `If-Match` for a missing object. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 404 && errorName(error) === "NoSuchKey");
}

/**
 * Deletes one batch and retries what remains, because a 200 does not mean that all are deleted. A key that the response does not
 * name may be deleted or not (some services name only failures): a HEAD decides.
 */
async function deleteBatch(
  { ask, run, bucket, base, at }: S3Context,
  batch: readonly string[],
  concurrency: number,
): Promise<void> {
  let left = [...batch];
  const call = {
    doing: "deleting",
    what: batch.length === 1 ? `${batch[0]}` : `${batch.length} keys`,
  } as const;
  await run(call, async ({ signal }) => {
    const Objects = left.map((key) => ({ Key: base + key }));
    const atOnce = ask((client) => {
      const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
      return client.send(command, { abortSignal: signal });
    });
    const { Deleted = [], Errors = [] } = await atOnce.catch(async (error: unknown) => {
      // Google had no DeleteObjects for years (nextcloud/server #53658): 400, NotImplemented.
      if (errorName(error) !== "NotImplemented") throw error;
      await forEachAtOnce(left, concurrency, async (key) => {
        const command = new DeleteObjectCommand(at(key));
        await orNull(() => ask((client) => client.send(command, { abortSignal: signal })));
      });
      return { Deleted: Objects, Errors: [] };
    });
    const gone = new Set(Deleted.map(({ Key }) => Key));
    for (const { Code, Key } of Errors) if (Code === "NoSuchKey") gone.add(Key);
    const failed = new Set(Errors.map(({ Key }) => Key));
    const unnamed = left.filter((key) => !gone.has(base + key) && !failed.has(base + key));
    await forEachAtOnce(unnamed, concurrency, async (key) => {
      const found = await orNull(() =>
        ask((client) => client.send(new HeadObjectCommand(at(key)), { abortSignal: signal })),
      );
      if (found === null) gone.add(base + key);
    });
    left = left.filter((key) => !gone.has(base + key));
    if (left.length === 0) return;
    const { Code = "InternalError", Message = "" } = Errors.find(({ Key }) => !gone.has(Key)) ?? {};
    const message = [`${counted(left.length, ["key"])} not deleted, first ${base}${left[0]}`, Message]
      .filter(Boolean)
      .join(": ");
    throw new S3Failure(Code, message, Code === "AccessDenied" ? 403 : 503);
  });
}

/** Any response carries the time, also one that refuses a request signed with a wrong clock. */
function askClock({ ask, run, bucket, now }: S3Context): Promise<number> {
  return run({ doing: "reading", what: "its clock", isUrgent: true }, async ({ signal }) => {
    const asked = ask((client) =>
      client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal }),
    );
    await asked.catch((error: unknown) => {
      if (!isAnswered(error)) throw error;
    });
    return now();
  });
}
