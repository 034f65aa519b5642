/**
 * PUT of one object with little ado. For thousands of small files the middleware of the SDK's client costs more than the
 * upload, and of a large one it makes a chunked stream that many stores refuse. So the SDK only says where the bucket is
 * and who asks; aws4 signs, Node sends.
 */
import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import http, { type RequestOptions } from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import aws4 from "aws4";
import type { ObjectHeaders, Progress } from "../bucket.ts";
import { type Deadline, telling } from "../deadline.ts";
import { encodePath, findRoute, type Route } from "./s3-client.ts";

/** What is put: its size and digests are sent before it, so that the store takes nothing else for it. */
export interface PutBody {
  readonly sizeBytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  /** MD5, base64. */
  readonly md5: string;
  /** The bytes; a new stream of them for each attempt. */
  open(): Buffer | Readable;
}

/** `sha256` where it is known already. */
export function bufferBody(bytes: Buffer, sha256 = hash("sha256", bytes, "hex")): PutBody {
  return { sizeBytes: bytes.length, sha256, md5: hash("md5", bytes, "base64"), open: () => bytes };
}

/** A file of any size, of which no more than a piece is in memory. */
export async function fileBody(file: string, progress?: Progress): Promise<PutBody> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let sizeBytes = 0;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    sha256.update(piece);
    md5.update(piece);
    progress?.();
  }
  return {
    sizeBytes,
    sha256: sha256.digest("hex"),
    md5: md5.digest("base64"),
    open: () => createReadStream(file),
  };
}

interface Put {
  readonly bucket: string;
  /** The whole key, prefix and all. */
  readonly key: string;
  readonly body: PutBody;
  readonly headers: ObjectHeaders;
  readonly progress?: Progress | undefined;
}

function headersOf({ body, headers }: Put, host: string, now: Date): Record<string, string> {
  const all: Record<string, string> = {
    "cache-control": headers.cacheControl,
    "content-length": String(body.sizeBytes),
    "content-md5": body.md5,
    "content-type": headers.contentType,
    host,
    "x-amz-content-sha256": body.sha256,
    "x-amz-date": now.toISOString().replace(/[:-]|\.\d{3}/g, ""),
  };
  for (const name in headers.metadata) all[`x-amz-meta-${name}`] = headers.metadata[name] ?? "";
  return all;
}

/** An error as the SDK throws it: S3's code as its name. */
function failureOf(status: number, text: string): Error {
  const name = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? "UnknownError";
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] || "UnknownError";
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Sending = RequestOptions & { readonly protocol: Route["protocol"] };

/** More of an error's text is not read. */
const MOST_TEXT = 64 * 1024;

/** Sends a request, once; its signal ends it. */
function send(options: Sending, body: Buffer | Readable, moved: (bytes: number) => void): Promise<Answer> {
  const { request } = options.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        if (text.length < MOST_TEXT) text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    });
    outgoing.on("error", reject);
    if (Buffer.isBuffer(body)) outgoing.end(body);
    else pipeline(body, telling(moved), outgoing).catch(reject);
  });
}

export interface Putter {
  /** Puts an object, once; it fails as the SDK does. */
  put(put: Put, deadline: Deadline): Promise<void>;
  close(): void;
}

/** `concurrency`: most connections at once. */
export function createPutter(client: S3Client, concurrency: number): Putter {
  let agent: http.Agent | https.Agent | undefined;
  const open = (protocol: Route["protocol"]) =>
    new (protocol === "https:" ? https : http).Agent({ keepAlive: true, maxSockets: concurrency });
  return {
    async put(put, deadline) {
      const { protocol, hostname, port, base, region, service } = await findRoute(
        client,
        { Bucket: put.bucket, Key: put.key },
        deadline.signal,
      );
      agent ??= open(protocol);
      const [method, path] = ["PUT", base + encodePath(put.key)];
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const headers = headersOf(put, host, new Date(Date.now() + client.config.systemClockOffset));
      const signed = aws4.sign(
        { method, host, path, headers, region, service },
        // Asked for each time: they may be renewed meanwhile.
        await client.config.credentials(),
      );
      const moved = (bytes: number) => {
        deadline.moved(bytes);
        put.progress?.();
      };
      const { status, text } = await send(
        {
          ...{ protocol, port, path, method, agent, signal: deadline.signal },
          hostname: hostname.replace(/^\[|\]$/g, ""),
          headers: signed.headers,
        },
        put.body.open(),
        moved,
      );
      if (status >= 300) throw failureOf(status, text);
    },
    close: () => agent?.destroy(),
  };
}
