/** A bucket that speaks S3, and a prefix in it. Repeats on its own what may be repeated; credentials are the SDK's chain's. */
import { hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";
import { VitrineError } from "../../base/error.ts";
import type { Bucket, ObjectHeaders } from "../bucket.ts";
import {
  type Concurrency,
  createConcurrency,
  type RetryPolicy,
  STANDARD_RETRIES,
  withRetries,
} from "../retry.ts";
import { answerDate, explain, isMissing, isRefusal, isTooBusy, isTransient } from "./s3-answers.ts";
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
  /** Runs a request until it is done; `what` names it in the error. */
  run<Result>(what: string, request: () => Promise<Result>): Promise<Result>;
}

function createContext(options: S3Options): Context {
  const concurrency = createConcurrency(options.concurrency);
  const base = options.prefix === "" ? "" : `${options.prefix}/`;
  const url = `s3://${options.bucket}${options.prefix === "" ? "" : `/${options.prefix}`}`;
  const transient = (error: unknown) => {
    if (isTooBusy(error)) concurrency.slower();
    return isTransient(error);
  };
  return {
    options,
    concurrency,
    url,
    keyOf: (key) => base + key,
    async run(what, request) {
      try {
        const result = await withRetries(options.retries ?? STANDARD_RETRIES, transient, request);
        concurrency.succeeded();
        return result;
      } catch (error) {
        throw error instanceof VitrineError ? error : explain(error, what, url);
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
  await context.run(`deleting ${batch.length} keys`, async () => {
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: left.map((Key) => ({ Key })), Quiet: true },
      }),
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

function reads(context: Context): Pick<Bucket, "get" | "head" | "getFile"> {
  const { client, bucket: Bucket } = context.options;
  const get = (key: string) => client.send(new GetObjectCommand({ Bucket, Key: context.keyOf(key) }));
  return {
    get: (key) =>
      context.run(`reading ${key}`, () =>
        orNull(async () => {
          const answer = await get(key);
          const body = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
          const written = answer.LastModified?.getTime() ?? 0;
          return { body, etag: answer.ETag ?? "", ageSeconds: (answerDate(answer) - written) / 1000 };
        }),
      ),
    head: (key) =>
      context.run(`reading ${key}`, () =>
        orNull(async () => {
          const answer = await client.send(new HeadObjectCommand({ Bucket, Key: context.keyOf(key) }));
          return {
            contentType: answer.ContentType ?? "",
            cacheControl: answer.CacheControl ?? "",
            metadata: answer.Metadata ?? {},
            sizeBytes: answer.ContentLength ?? 0,
          };
        }),
      ),
    getFile: async (key, file) => {
      const done = await context.run(`reading ${key}`, () =>
        orNull(async () => {
          await pipeline((await get(key)).Body as Readable, createWriteStream(file));
          return true;
        }),
      );
      return done ?? false;
    },
  };
}

function writes(context: Context, putter: Putter): Pick<Bucket, "put" | "putIf" | "putFile" | "delete"> {
  const { client, bucket } = context.options;
  const put = (key: string, body: PutBody, headers: ObjectHeaders) =>
    context.run(`putting ${key}`, () => putter.put({ bucket, key: context.keyOf(key), body, headers }));
  return {
    put: (key, body, headers) => put(key, bufferBody(body, headers.metadata["digest"]), headers),
    putFile: async (key, file, headers) => put(key, await fileBody(file), headers),
    async putIf(key, body, headers, condition) {
      const input = putInput(context, key, body, headers);
      const conditions =
        "ifMatch" in condition ? { IfMatch: condition.ifMatch } : { IfNoneMatch: condition.ifNoneMatch };
      try {
        const { ETag } = await client.send(new PutObjectCommand({ ...input, ...conditions }));
        return { kind: "written", etag: ETag ?? "" };
      } catch (error) {
        if (isRefusal(error)) return { kind: "refused" };
        if (isTransient(error)) return { kind: "unknown", cause: error };
        throw explain(error, `putting ${key}`, context.url);
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
    retries: options.retries ?? STANDARD_RETRIES,
    close: () => {
      putter.close();
      options.client.destroy();
    },
  };
}
