/** A bucket that speaks S3, and a prefix in it. Repeats on its own what may be repeated; credentials are the SDK's chain's. */
import { hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";
import { VitrineError } from "../../base/error.ts";
import type { Bucket, ObjectHeaders, Progress } from "../bucket.ts";
import { type Deadline, telling, withDeadline } from "../deadline.ts";
import {
  type Concurrency,
  createConcurrency,
  type RetryPolicy,
  STANDARD_RETRIES,
  withRetries,
} from "../retry.ts";
import {
  answerDate,
  type Doing,
  explain,
  isMissing,
  isRefusal,
  isTimeout,
  isTooBusy,
  isTransient,
} from "./s3-answers.ts";
import { bufferBody, createPutter, fileBody, type PutBody, type Putter } from "./s3-put.ts";

export interface S3Options {
  readonly client: S3Client;
  readonly bucket: string;
  /** Without slashes at its ends; "" for the whole bucket. */
  readonly prefix: string;
  readonly service: string;
  /** Most requests at once. */
  readonly concurrency: number;
  readonly retries?: RetryPolicy;
}

/** S3 takes 1,000 keys in one DeleteObjects. */
const DELETE_BATCH = 1000;

interface Context {
  readonly options: S3Options;
  readonly concurrency: Concurrency;
  readonly url: string;
  keyOf(key: string): string;
  readonly retries: RetryPolicy;
  /** Runs a request until it is done or its time is over; `what` names it in the error, `sizeBytes` are sent. */
  run<Result>(
    doing: Doing,
    what: string,
    request: (deadline: Deadline) => Promise<Result>,
    sizeBytes?: number,
  ): Promise<Result>;
}

function createContext(options: S3Options): Context {
  const concurrency = createConcurrency(options.concurrency);
  const base = options.prefix === "" ? "" : `${options.prefix}/`;
  const url = `s3://${options.bucket}${options.prefix === "" ? "" : `/${options.prefix}`}`;
  const retries = options.retries ?? STANDARD_RETRIES;
  const transient = (error: unknown) => {
    if (isTooBusy(error) || isTimeout(error)) concurrency.slower();
    return isTransient(error);
  };
  return {
    options,
    concurrency,
    retries,
    url,
    keyOf: (key) => base + key,
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

function putInput(
  context: Context,
  key: string,
  body: Buffer,
  headers: ObjectHeaders,
): PutObjectCommandInput {
  return {
    Bucket: context.options.bucket,
    Key: context.keyOf(key),
    Body: body,
    ContentMD5: hash("md5", body, "base64"),
    ContentType: headers.contentType,
    CacheControl: headers.cacheControl,
    Metadata: { ...headers.metadata },
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

/** Deletes one batch; what the answer's `Errors` name is tried again, for a 200 does not mean that all are gone. */
async function deleteBatch(context: Context, batch: readonly string[]): Promise<void> {
  const { client, bucket } = context.options;
  let left = batch.map(context.keyOf);
  await context.run("deleting", `${batch.length} keys`, async ({ signal }) => {
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: left.map((Key) => ({ Key })), Quiet: true },
      }),
      { abortSignal: signal },
    );
    const failed = Errors.filter(({ Code }) => Code !== "NoSuchKey");
    if (failed.length === 0) return;
    left = failed.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    const [first] = failed;
    throw Object.assign(
      new Error(`${failed.length} keys stay, first ${first?.Key}: ${first?.Message ?? ""}`),
      {
        name: first?.Code ?? "InternalError",
        $metadata: { httpStatusCode: first?.Code === "AccessDenied" ? 403 : 503 },
      },
    );
  });
}

async function readBody(body: Readable, { signal, moved }: Deadline): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const gather = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) pieces.push(piece);
  };
  await pipeline(body, telling(moved), gather, { signal });
  return Buffer.concat(pieces);
}

/** Keys below the place that begin with `root`, a page of 1,000 with each request. */
async function* listKeys(context: Context, root: string): AsyncGenerator<string> {
  const { client, bucket: Bucket } = context.options;
  const base = context.keyOf("");
  let ContinuationToken: string | undefined;
  do {
    // Names of others may hold what XML cannot: they come as in an address.
    const page = { Bucket, Prefix: base + root, EncodingType: "url", ContinuationToken } as const;
    const answer = await context.run("listing", "what stands there", ({ signal }) =>
      client.send(new ListObjectsV2Command(page), { abortSignal: signal }),
    );
    for (const { Key = "" } of answer.Contents ?? [])
      yield decodeURIComponent(Key.replaceAll("+", " ")).slice(base.length);
    ContinuationToken = answer.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

function reads(context: Context): Pick<Bucket, "get" | "head" | "getFile" | "inTheWay"> {
  const { client, bucket: Bucket } = context.options;
  const get = (key: string, { signal }: Deadline) =>
    client.send(new GetObjectCommand({ Bucket, Key: context.keyOf(key) }), { abortSignal: signal });
  return {
    get: (key) =>
      context.run("reading", key, (deadline) =>
        orNull(async () => {
          const answer = await get(key, deadline);
          const body = await readBody(answer.Body as Readable, deadline);
          const written = answer.LastModified?.getTime() ?? 0;
          return { body, etag: answer.ETag ?? "", ageSeconds: (answerDate(answer) - written) / 1000 };
        }),
      ),
    head: (key) =>
      context.run("reading", key, ({ signal }) =>
        orNull(async () => {
          const command = new HeadObjectCommand({ Bucket, Key: context.keyOf(key) });
          const answer = await client.send(command, { abortSignal: signal });
          return {
            contentType: answer.ContentType ?? "",
            cacheControl: answer.CacheControl ?? "",
            metadata: answer.Metadata ?? {},
            sizeBytes: answer.ContentLength ?? 0,
          };
        }),
      ),
    async *inTheWay({ roots, has }) {
      for (const root of roots) for await (const key of listKeys(context, root)) if (has(key)) yield key;
    },
    getFile: async (key, file, progress) => {
      const done = await context.run("reading", key, (deadline) =>
        orNull(async () => {
          const body = (await get(key, deadline)).Body as Readable;
          const moved = (bytes: number) => {
            deadline.moved(bytes);
            progress?.();
          };
          await pipeline(body, telling(moved), createWriteStream(file), { signal: deadline.signal });
          return true;
        }),
      );
      return done ?? false;
    },
  };
}

function writes(context: Context, putter: Putter): Pick<Bucket, "put" | "putIf" | "putFile" | "delete"> {
  const { client, bucket } = context.options;
  const put = (key: string, body: PutBody, headers: ObjectHeaders, progress?: Progress) =>
    context.run(
      "putting",
      key,
      (deadline) => putter.put({ bucket, key: context.keyOf(key), body, headers, progress }, deadline),
      body.sizeBytes,
    );
  return {
    put: (key, body, headers) => put(key, bufferBody(body, headers.metadata["digest"]), headers),
    putFile: async (key, file, headers, progress) =>
      put(key, await fileBody(file, progress), headers, progress),
    async putIf(key, body, headers, condition) {
      const input = putInput(context, key, body, headers);
      const conditions =
        "ifMatch" in condition ? { IfMatch: condition.ifMatch } : { IfNoneMatch: condition.ifNoneMatch };
      try {
        const { ETag, VersionId } = await withDeadline(
          context.retries.callMilliseconds,
          ({ signal }) =>
            client.send(new PutObjectCommand({ ...input, ...conditions }), { abortSignal: signal }),
          body.length,
        );
        return { kind: "written", etag: ETag ?? "", versioned: VersionId !== undefined };
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

export function openS3(options: S3Options): Bucket {
  const context = createContext(options);
  const putter = createPutter(options.client, options.concurrency);
  return {
    url: context.url,
    service: options.service,
    ...reads(context),
    ...writes(context, putter),
    // Keys are live as they are put: there is nothing to stage, show or forget.
    begin: async () => undefined,
    expose: async () => undefined,
    forget: async () => undefined,
    concurrency: context.concurrency,
    retries: context.retries,
    close: () => {
      putter.close();
      options.client.destroy();
    },
  };
}
