/**
 * A bucket that speaks S3, and a prefix in it, by the AWS SDK. Repeats on its own what may be repeated, so that one budget
 * and one deadline hold for all requests: the SDK tries once.
 */
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import { refusePassword } from "../addresses.ts";
import { type Bucket, MOST_OBJECT_BYTES, type ObjectHeaders, tooLong } from "../bucket.ts";
import {
  bounded,
  type Deadline,
  gather,
  type RetryPolicy,
  STANDARD_RETRIES,
  withDeadline,
  withRetries,
} from "../calls.ts";

/** One request and its response, as the SDK hands them to whatever carries them. */
export type Handler = Pick<NodeHttpHandler, "handle" | "destroy">;

export interface S3Options {
  readonly bucket: string;
  /** Without slashes at its ends; "" for the whole bucket. */
  readonly prefix: string;
  /** Another store's address; then paths carry the bucket's name. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly service: string;
  /** Most requests at once. */
  readonly concurrency: number;
  readonly retries?: RetryPolicy;
}

/** S3 takes 1,000 keys in one DeleteObjects. */
const DELETE_BATCH = 1000;
/** A list of 1,000 keys of 1,024 bytes, each byte `%XX`, is 3 MB. */
const MOST_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** Pages without a key that a store may send in a row: some do where much was deleted. */
const MOST_EMPTY_PAGES = 100;

/** A failure within a successful response: S3's code is its name. */
class S3Failure extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  constructor(name: string, message: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

/** The code of S3's; that of a response without one is `UnknownError`. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return /^(?:\d+|Unknown|Error)$/.test(error.name) && statusOf(error) > 0 ? "UnknownError" : error.name;
}

/** Of a response; 0 where none came. */
function statusOf(error: unknown): number {
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}

/** True where a response came, whatever it said. */
const isAnswered = (error: unknown): boolean => statusOf(error) > 0;

function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && ["NoSuchKey", "NotFound"].includes(errorName(error));
}

/** 412, 409 (another write at the same time), and 404, which is how `If-Match` on nothing is refused. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409 || (status === 404 && errorName(error) === "NoSuchKey");
}

function isTooBusy(error: unknown): boolean {
  return (
    [503, 429].includes(statusOf(error)) ||
    ["SlowDown", "ServiceUnavailable", "RequestLimitExceeded"].includes(errorName(error))
  );
}

const TRANSIENT_NAMES = ["RequestTimeout", "RequestTimeTooSkewed", "TimeoutError", "InternalError"];
const TRANSIENT_CODES = [
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
];

/** May succeed if it is tried again: the store's own failures, and connections that broke. */
function isTransient(error: unknown): boolean {
  if (statusOf(error) >= 500 || isTooBusy(error)) return true;
  if (TRANSIENT_NAMES.includes(errorName(error)) || TRANSIENT_CODES.includes(systemCodeOf(error)))
    return true;
  // A connection that closed in the middle of a response has no code of its own.
  return /socket hang up|aborted|premature close|terminated/i.test(messageOf(error));
}

const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: "Make the bucket first, or correct --to.",
  InvalidAccessKeyId: "Check the credentials (AWS_ACCESS_KEY_ID, a profile, or a role).",
  SignatureDoesNotMatch: "Check the secret key, and --region for stores other than AWS.",
  CredentialsProviderError: "Give credentials as the AWS SDK finds them: environment, profile or role.",
  PermanentRedirect: "The bucket is in another region: name it with --region.",
};

/** The right that a request needs, by what it does. */
const RIGHTS = {
  putting: "s3:PutObject",
  reading: "s3:GetObject or s3:ListBucket",
  deleting: "s3:DeleteObject",
  listing: "s3:ListBucket",
} as const;

type Doing = keyof typeof RIGHTS;

/** What helps where the store is away for a while: whoever reads may be a fallback, too. */
const AGAIN: Readonly<Record<Doing, string>> = {
  putting: "Publish again: what was begun is then finished.",
  deleting: "Publish again: what was begun is then finished.",
  reading: "Try again when the store answers.",
  listing: "Try again when the store answers.",
};

/** A failure as a message: what, where and what next. */
function explain(error: unknown, doing: Doing, what: string, url: string): VitrineError {
  const [name, status] = [errorName(error), statusOf(error)];
  // What the SDK says where the store says nothing helps nobody.
  const message = name === "UnknownError" || messageOf(error) === "UnknownError" ? "" : messageOf(error);
  const reason = `${name || "error"}${status === 0 ? "" : ` (${status})`}${message === "" ? "" : `: ${message}`}.`;
  // 403 of credentials that are known and may not do this.
  const denied =
    status === 403 && ADVICE[name] === undefined
      ? `These credentials lack ${RIGHTS[doing]} there, or a policy denies it: give them the rights of templates/edge/aws/publish-policy.json.`
      : undefined;
  const next = denied ?? ADVICE[name] ?? (isTransient(error) ? AGAIN[doing] : "");
  return new VitrineError("remote_failed", `${url}: ${doing} ${what} failed. ${reason} ${next}`.trimEnd(), {
    cause: error,
  });
}

/** Carries requests, knows the store's clock from the responses, and bounds those that the SDK reads whole. */
function watching(inner: Handler) {
  let offset = 0;
  return {
    /** The store's clock, in milliseconds: ours where it never said. */
    now: () => Date.now() + offset,
    handler: {
      async handle(...[request, options]: Parameters<Handler["handle"]>) {
        const { response } = await inner.handle(request, options);
        const date = Date.parse(response.headers["date"] ?? "");
        if (!Number.isNaN(date)) offset = date - Date.now();
        const isObject =
          request.method === "GET" && response.statusCode < 300 && request.query?.["list-type"] === undefined;
        if (!isObject && response.body instanceof Readable) {
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

const silent = () => undefined;

function clientOf({ bucket, endpoint, region, concurrency }: S3Options, inner: Handler | undefined) {
  const named = endpoint ?? process.env["AWS_ENDPOINT_URL_S3"] ?? process.env["AWS_ENDPOINT_URL"];
  const place = "The address of the S3 store";
  refusePassword(place, named ?? "", "keys are those of AWS_ACCESS_KEY_ID and its like");
  // Some more connections than requests at once, so that a lock is renewed in time.
  const agent = { keepAlive: true, maxSockets: concurrency + 8 };
  const watch = watching(inner ?? new NodeHttpHandler({ httpAgent: agent, httpsAgent: agent }));
  const config: S3ClientConfig = {
    maxAttempts: 1,
    // A name with dots fits no certificate.
    forcePathStyle: named !== undefined || bucket.includes("."),
    // MD5 goes before each body. Other digests, and bodies in chunks, many stores refuse.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    requestHandler: watch.handler,
    // Failures are reported by us.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  };
  if (endpoint !== undefined) config.endpoint = endpoint;
  if (region !== undefined) config.region = region;
  return { client: new S3Client(config), now: watch.now };
}

/**
 * A PUT that the store refuses unless its body has these digests: size and digests go before the bytes. `sha256`: hexadecimal, if it
 * is known already.
 */
function putCommand(
  input: Omit<PutObjectCommandInput, "Body">,
  body: Buffer,
  sha256 = hash("sha256", body, "hex"),
): PutObjectCommand {
  const command = new PutObjectCommand({
    ...input,
    Body: body,
    ContentLength: body.length,
    ContentMD5: hash("md5", body, "base64"),
  });
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> };
      headers["x-amz-content-sha256"] = sha256;
      return next(args);
    },
    { step: "build", name: "digestOfBody" },
  );
  return command;
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

/** What all requests to one place have in common. */
interface S3Context {
  readonly client: S3Client;
  readonly url: string;
  readonly retries: RetryPolicy;
  readonly bucket: string;
  readonly base: string;
  /** The store's clock, in milliseconds. */
  now(): number;
  at(key: string): { readonly Bucket: string; readonly Key: string };
  /** Runs a request until it is done or its time is over; `what` names it in the error, `sizeBytes` are sent. */
  run<Result>(
    doing: Doing,
    what: string,
    request: (deadline: Deadline) => Promise<Result>,
    sizeBytes?: number,
  ): Promise<Result>;
}

function contextOf(options: S3Options, handler: Handler | undefined): S3Context {
  const { bucket, prefix, retries = STANDARD_RETRIES } = options;
  const base = prefix === "" ? "" : `${prefix}/`;
  const url = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  return {
    ...clientOf(options, handler),
    url,
    retries,
    bucket,
    base,
    at: (key) => ({ Bucket: bucket, Key: base + key }),
    async run(doing, what, request, sizeBytes) {
      try {
        return await withRetries(retries, isTransient, () =>
          withDeadline(retries.callMilliseconds, request, sizeBytes),
        );
      } catch (error) {
        throw error instanceof VitrineError ? error : explain(error, doing, what, url);
      }
    },
  };
}

function astray(url: string, problem: string): VitrineError {
  return new VitrineError(
    "remote_failed",
    `${url}: the store's listing of keys leads nowhere: ${problem}. Publish to a store that lists keys in order.`,
  );
}

/** Keys below the place that begin with `root`, a page of 1,000 with each request. */
async function* listKeys(
  { client, run, url, bucket, base }: S3Context,
  root: string,
): AsyncGenerator<string> {
  let token: string | undefined;
  let last = Buffer.alloc(0);
  let emptyPages = 0;
  do {
    // Names of others may hold what XML cannot: they come as in an address.
    const place = { Bucket: bucket, Prefix: base + root, EncodingType: "url" } as const;
    const command = new ListObjectsV2Command({ ...place, ContinuationToken: token });
    const page = await run("listing", "what stands there", ({ signal }) =>
      client.send(command, { abortSignal: signal }),
    );
    const keys = (page.Contents ?? []).map(({ Key = "" }) => decodeURIComponent(Key.replaceAll("+", " ")));
    // Else a store could lead us from page to page for ever.
    emptyPages = keys.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages > MOST_EMPTY_PAGES) throw astray(url, `${emptyPages} pages in a row hold no key`);
    for (const key of keys) {
      const bytes = Buffer.from(key);
      if (bytes.compare(last) <= 0) throw astray(url, `${key} is out of order`);
      last = bytes;
      yield key.slice(base.length);
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

function reads(context: S3Context): Pick<Bucket, "get" | "head" | "list"> {
  const { client, run, at, now, url } = context;
  return {
    get: (key) =>
      run("reading", key, (deadline) =>
        orNull(async () => {
          const { signal, moved } = deadline;
          const request = client.send(new GetObjectCommand(at(key)), { abortSignal: signal });
          const { Body, ETag = "", LastModified } = await request;
          const long = () => tooLong(url, key, MOST_OBJECT_BYTES);
          const whole = (source: AsyncIterable<Buffer>) => gather(source, MOST_OBJECT_BYTES, long, moved);
          const body = await pipeline(Body as Readable, whole, { signal });
          const ageSeconds = (now() - (LastModified?.getTime() ?? 0)) / 1000;
          return { body, etag: ETag, ageSeconds };
        }),
      ),
    head: (key) =>
      run("reading", key, ({ signal }) =>
        orNull(async () => {
          const found = await client.send(new HeadObjectCommand(at(key)), { abortSignal: signal });
          const { ContentType = "", CacheControl = "", Metadata = {}, ContentLength = 0 } = found;
          const says = { contentType: ContentType, cacheControl: CacheControl, metadata: Metadata };
          return { ...says, sizeBytes: ContentLength };
        }),
      ),
    list: (root) => listKeys(context, root),
  };
}

/** Deletes one batch; what the response does not call deleted is tried again, for a 200 does not mean that all are gone. */
async function deleteBatch(
  { client, run, bucket, base }: S3Context,
  batch: readonly string[],
): Promise<void> {
  let left = batch.map((key) => base + key);
  await run("deleting", `${batch.length} keys`, async ({ signal }) => {
    const command = new DeleteObjectsCommand({
      Bucket: bucket,
      Delete: { Objects: left.map((Key) => ({ Key })) },
    });
    const { Deleted = [], Errors = [] } = await client.send(command, { abortSignal: signal });
    const gone = new Set(Deleted.map(({ Key }) => Key));
    for (const { Code, Key } of Errors) if (Code === "NoSuchKey") gone.add(Key);
    left = left.filter((key) => !gone.has(key));
    if (left.length === 0) return;
    const { Code = "InternalError", Message = "" } = Errors.find(({ Key }) => !gone.has(Key)) ?? {};
    const message = `${left.length} keys stay, first ${left[0]}: ${Message}`;
    throw new S3Failure(Code, message, Code === "AccessDenied" ? 403 : 503);
  });
}

function writes(context: S3Context): Pick<Bucket, "put" | "putIf" | "delete"> {
  const { client, run, retries, at, url } = context;
  const inputOf = (key: string, { contentType, cacheControl, metadata }: ObjectHeaders) => {
    const headers = { ContentType: contentType, CacheControl: cacheControl, Metadata: { ...metadata } };
    return { ...at(key), ...headers };
  };
  return {
    async put(key, body, headers) {
      const request = ({ signal }: Deadline) => {
        const command = putCommand(inputOf(key, headers), body, headers.metadata["digest"]);
        return client.send(command, { abortSignal: signal });
      };
      await run("putting", key, request, body.length);
    },
    async putIf(key, bytes, headers, condition) {
      const conditions =
        "ifMatch" in condition ? { IfMatch: condition.ifMatch } : { IfNoneMatch: condition.ifNoneMatch };
      const input = { ...inputOf(key, headers), ...conditions };
      try {
        const { ETag = "", VersionId } = await withDeadline(
          retries.callMilliseconds,
          ({ signal }) => client.send(putCommand(input, bytes), { abortSignal: signal }),
          bytes.length,
        );
        return { kind: "written", etag: ETag, versioned: VersionId !== undefined };
      } catch (error) {
        if (isRefusal(error)) return { kind: "refused" };
        if (isTransient(error)) return { kind: "unknown", cause: error };
        throw explain(error, "putting", key, url);
      }
    },
    async delete(keys) {
      for (let from = 0; from < keys.length; from += DELETE_BATCH)
        await deleteBatch(context, keys.slice(from, from + DELETE_BATCH));
    },
  };
}

/** A response has the time whatever it says: also one that refuses what was signed by another clock. */
function askClock({ client, run, bucket, now }: S3Context): Promise<number> {
  return run("reading", "its clock", async ({ signal }) => {
    const asked = client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal });
    await asked.catch((error: unknown) => {
      if (!isAnswered(error)) throw error;
    });
    return now();
  });
}

/** `handler`: what carries requests, the network where nothing else is given. */
export function openS3(options: S3Options, handler?: Handler): Bucket {
  const context = contextOf(options, handler);
  const { url, retries, client } = context;
  return {
    url,
    retries,
    service: options.service,
    concurrency: options.concurrency,
    ...reads(context),
    ...writes(context),
    clock: () => askClock(context),
    [Symbol.dispose]: () => client.destroy(),
  };
}
