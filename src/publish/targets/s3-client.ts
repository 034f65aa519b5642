/** The SDK's client, set so that stores other than AWS understand it. */
import { createHash } from "node:crypto";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { UndiciHttpHandler } from "@smithy/undici-http-handler";

export interface ClientOptions {
  /** Another store's address; then paths carry the bucket's name. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly concurrency: number;
}

/** As signatures want paths: RFC 3986's unreserved characters and slashes stand, all else is `%XX`. */
export function encodePath(path: string): string {
  return encodeURIComponent(path)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

const REQUEST_TIMEOUT_MILLISECONDS = 60_000;

/** Adds Content-MD5 to DeleteObjects: many stores insist on it, and the SDK sends CRC32 instead. */
function addDeleteMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = args.request as { body?: unknown; headers: Record<string, string> };
      if (context.commandName === "DeleteObjectsCommand" && typeof request.body === "string") {
        request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64");
      }
      return next(args);
    },
    { step: "build", name: "vitrineDeleteMd5" },
  );
}

/** Keeps the answer's Date: leases are judged by the store's clock alone. */
function keepAnswerDate(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      Object.assign((result.output as { $metadata: object }).$metadata, { date: headers?.["date"] });
      return result;
    },
    { step: "deserialize", priority: "high", name: "vitrineAnswerDate" },
  );
}

/** Where the SDK sends requests of a client: what stands before the key, and to whom. */
export interface Route {
  readonly protocol: "http:" | "https:";
  readonly hostname: string;
  readonly port: number | undefined;
  /** `/` or `/bucket/`. */
  readonly base: string;
}

const routes = new WeakMap<S3Client, Route>();

/** The way to a client's bucket, once it has read from it. */
export function routeOf(client: S3Client): Route | null {
  return routes.get(client) ?? null;
}

/** Learns the way from the SDK's own requests: endpoint rules, path or host style, partitions are its business. */
function learnRoute(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const { Key } = args.input as { Key?: string };
      const { protocol, hostname, port, path } = args.request as Route & { path: string };
      const tail = Key === undefined ? "" : `/${Key}`;
      if (
        context.commandName === "GetObjectCommand" &&
        tail !== "" &&
        decodeURIComponent(path).endsWith(tail)
      ) {
        const base = path.slice(0, path.length - encodePath(tail).length + 1);
        routes.set(client, { protocol, hostname, port, base });
      }
      return next(args);
    },
    { step: "finalizeRequest", priority: "low", name: "vitrineLearnRoute" },
  );
}

export function createS3Client({ endpoint, region, concurrency }: ClientOptions): S3Client {
  const config: S3ClientConfig = {
    // Repeating is ours: the SDK would repeat a conditional write and call its own first try a stranger's.
    maxAttempts: 1,
    // Thousands of the same request: their middleware is put together once.
    cacheMiddleware: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Undici takes half the processor time of node:http, which is what a publish of thousands of small files waits for.
    requestHandler: new UndiciHttpHandler({
      dispatcher: {
        connections: concurrency + 8,
        pipelining: 1,
        connect: { timeout: 10_000 },
        headersTimeout: REQUEST_TIMEOUT_MILLISECONDS,
        bodyTimeout: REQUEST_TIMEOUT_MILLISECONDS,
      },
    }),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(region === undefined ? {} : { region }),
  };
  const client = new S3Client(config);
  addDeleteMd5(client);
  keepAnswerDate(client);
  learnRoute(client);
  return client;
}
