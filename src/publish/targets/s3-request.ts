/**
 * One request to a store that speaks S3: aws4 signs, Node sends it once. Credentials, region and endpoint are found where
 * the AWS SDK finds them; its client is not used, for its middleware costs more than a small upload, and of a large body it
 * makes a chunked stream that many stores refuse.
 */
import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import http, { type IncomingHttpHeaders, type RequestOptions } from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { loadConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS } from "@smithy/core/config";
import aws4 from "aws4";
import type { Progress } from "../bucket.ts";
import { type Deadline, telling } from "../deadline.ts";
import { refusePassword } from "../password.ts";

/** What is sent: its size and digests go before it, so that the store takes nothing else for it. */
export interface S3Body {
  readonly sizeBytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  /** MD5, base64. */
  readonly md5: string;
  /** The bytes; a new stream of them for each attempt. */
  open(): Buffer | Readable;
}

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST";
  /** The whole key, prefix and all; "" for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

/** As it came, whatever its status. Its body must be read to the end or destroyed. */
export interface S3Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

export interface S3Connection {
  /** Sends once; fails where no response comes. The deadline is told what moves and ends it. */
  send(request: S3Request, deadline: Deadline): Promise<S3Response>;
  close(): void;
}

/** `sha256` where it is known already. */
export function bufferBody(bytes: Buffer, sha256 = hash("sha256", bytes, "hex")): S3Body {
  return { sizeBytes: bytes.length, sha256, md5: hash("md5", bytes, "base64"), open: () => bytes };
}

/** A file of any size, of which no more than a piece is in memory. */
export async function fileBody(file: string, progress?: Progress): Promise<S3Body> {
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

export interface S3Place {
  readonly bucket: string;
  /** Another store's address; then paths carry the bucket's name. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Most requests at once. */
  readonly concurrency: number;
}

/** Where requests of a bucket go, and for which region they are signed. */
interface Route {
  readonly origin: URL;
  /** What stands before the key: `/` or `/bucket/`. */
  readonly base: string;
  readonly region: string;
}

const ENDPOINT_CONFIG = {
  environmentVariableSelector: (env: NodeJS.ProcessEnv) =>
    env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"],
  configFileSelector: (profile: Partial<Record<string, string>>) => profile["endpoint_url"],
  default: undefined,
};

/** `shop` in `eu-central-1` → `https://shop.s3.eu-central-1.amazonaws.com/`; a name with dots fits no certificate. */
export function awsAddress(bucket: string, region: string): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return bucket.includes(".") ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`;
}

async function findRoute(place: S3Place): Promise<Route> {
  const region =
    place.region ?? (await loadConfig(NODE_REGION_CONFIG_OPTIONS, NODE_REGION_CONFIG_FILE_OPTIONS)());
  const endpoint = place.endpoint ?? (await loadConfig<string | undefined>(ENDPOINT_CONFIG)());
  refusePassword(
    "The address of the S3 store",
    endpoint ?? "",
    "keys are those of AWS_ACCESS_KEY_ID and its like",
  );
  const address =
    endpoint === undefined
      ? awsAddress(place.bucket, region)
      : `${endpoint.replace(/\/+$/, "")}/${place.bucket}/`;
  const origin = new URL(address);
  return { origin, base: origin.pathname, region };
}

/** As signatures want paths: RFC 3986's unreserved characters and slashes stand, all else is `%XX`. */
function encodePath(path: string): string {
  return encodeURIComponent(path)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

const EMPTY = bufferBody(Buffer.alloc(0));

function headersOf({ headers, body }: S3Request, host: string, now: Date): Record<string, string> {
  return {
    ...headers,
    ...(body === undefined ? {} : { "content-length": String(body.sizeBytes), "content-md5": body.md5 }),
    host,
    "x-amz-content-sha256": (body ?? EMPTY).sha256,
    "x-amz-date": now.toISOString().replace(/[:-]|\.\d{3}/g, ""),
  };
}

function exchange(
  options: RequestOptions,
  body: Buffer | Readable | undefined,
  deadline: Deadline,
): Promise<S3Response> {
  const { request } = options.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...options, signal: deadline.signal }, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    outgoing.on("error", reject);
    if (body === undefined || Buffer.isBuffer(body)) outgoing.end(body);
    else pipeline(body, telling(deadline.moved), outgoing).catch(reject);
  });
}

/** Beyond that a store refuses what was signed by our clock. */
const MOST_SKEW_MILLISECONDS = 300_000;

export function connectS3(place: S3Place): S3Connection {
  // Some more connections than requests at once, so that a lock is renewed in time.
  const agentOptions = { keepAlive: true, maxSockets: place.concurrency + 8 };
  const agents = { "http:": new http.Agent(agentOptions), "https:": new https.Agent(agentOptions) };
  const credentials = defaultProvider();
  let route: Promise<Route> | undefined;
  let clockOffset = 0;
  const keepTime = (date: string | undefined) => {
    const offset = Date.parse(date ?? "") - Date.now();
    if (Math.abs(offset - clockOffset) >= MOST_SKEW_MILLISECONDS) clockOffset = offset;
  };
  return {
    async send(request, deadline) {
      route ??= findRoute(place);
      const { origin, base, region } = await route;
      const { protocol, host, port } = origin;
      const search = request.query === undefined ? "" : `?${new URLSearchParams(request.query)}`;
      const path = (request.key === "" ? base : base + encodePath(request.key)) + search;
      const signed = aws4.sign(
        {
          ...{ method: request.method, host, path, region, service: "s3" },
          headers: headersOf(request, host, new Date(Date.now() + clockOffset)),
        },
        // Asked for each time: they may be renewed meanwhile.
        await credentials(),
      );
      const options = {
        ...{ protocol, port, method: request.method, path: signed.path, headers: signed.headers },
        hostname: origin.hostname.replace(/^\[|\]$/g, ""),
        agent: protocol === "https:" ? agents["https:"] : agents["http:"],
      };
      const response = await exchange(options, request.body?.open(), deadline);
      keepTime(response.headers.date);
      return response;
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
