/** A bucket that speaks S3, and a prefix in it. Repeats on its own what may be repeated; credentials are the SDK's chain's. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
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
import { createSmallPut } from "./s3-put.ts";

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
/** Files above this go up in parts of this size. S3 wants parts of at least 5 MiB. */
const PART_BYTES = 16 * 1024 * 1024;

interface Context {
  readonly options: S3Options;
  readonly concurrency: Concurrency;
  readonly url: string;
  keyOf(key: string): string;
  /** Runs a request until it is done; `what` names it in the error. */
  run<Result>(what: string, request: () => Promise<Result>): Promise<Result>;
}

function md5(body: Buffer): string {
  return createHash("md5").update(body).digest("base64");
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
    ContentMD5: md5(body),
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

/** Uploads a large file in parts, one in memory at a time. */
async function putParts(context: Context, key: string, file: string, headers: ObjectHeaders): Promise<void> {
  const { client, bucket: Bucket } = context.options;
  const { ContentMD5: _, Body: __, ...input } = putInput(context, key, Buffer.alloc(0), headers);
  const target = { Bucket, Key: context.keyOf(key) };
  const { UploadId } = await context.run(`putting ${key}`, () =>
    client.send(new CreateMultipartUploadCommand(input)),
  );
  const handle = await open(file);
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let PartNumber = 1; ; PartNumber++) {
      const buffer = Buffer.alloc(PART_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, (PartNumber - 1) * PART_BYTES);
      if (bytesRead === 0) break;
      const Body = buffer.subarray(0, bytesRead);
      const { ETag } = await context.run(`putting part ${PartNumber} of ${key}`, () =>
        client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body, ContentMD5: md5(Body) })),
      );
      Parts.push({ PartNumber, ETag });
    }
    await context.run(`completing ${key}`, () =>
      client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } })),
    );
  } catch (error) {
    // A lifecycle rule clears away what cannot even be given up now; the first error is the one to tell.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
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

function writes(context: Context): Pick<Bucket, "put" | "putIf" | "putFile" | "delete"> {
  const { client } = context.options;
  const putSmall = createSmallPut(client);
  const put = (key: string, body: Buffer, headers: ObjectHeaders) =>
    context.run(`putting ${key}`, async () => {
      const digest = headers.metadata["digest"];
      if (await putSmall({ key: context.keyOf(key), body, headers, digest })) return;
      await client.send(new PutObjectCommand(putInput(context, key, body, headers)));
    });
  return {
    put,
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
    async putFile(key, file, headers) {
      const handle = await open(file);
      try {
        const { size } = await handle.stat();
        if (size > PART_BYTES) await putParts(context, key, file, headers);
        else await put(key, await handle.readFile(), headers);
      } finally {
        await handle.close();
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
  return {
    url: context.url,
    service: options.service,
    ...reads(context),
    ...writes(context),
    // Keys are live as they are put: there is nothing to stage, show or forget.
    begin: async () => undefined,
    expose: async () => undefined,
    forget: async () => undefined,
    concurrency: context.concurrency,
    retries: options.retries ?? STANDARD_RETRIES,
    close: () => options.client.destroy(),
  };
}
