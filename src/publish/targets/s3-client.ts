/** The SDK's client, set so that stores other than AWS understand it. */
import { hash } from "node:crypto";
import { GetObjectCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

export interface ClientOptions {
  /** Another store's address; then paths carry the bucket's name. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** Requests at once; some more get a connection, so that a lock is renewed in time. */
  readonly concurrency: number;
}

/** As signatures want paths: RFC 3986's unreserved characters and slashes stand, all else is `%XX`. */
export function encodePath(path: string): string {
  return encodeURIComponent(path)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Adds Content-MD5 to DeleteObjects: many stores insist on it, and the SDK sends CRC32 instead. */
function addDeleteMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = args.request as { body?: unknown; headers: Record<string, string> };
      if (context.commandName === "DeleteObjectsCommand" && typeof request.body === "string") {
        request.headers["content-md5"] = hash("md5", request.body, "base64");
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

/** Where the SDK sends requests of a client, and for what it signs them. */
export interface Route {
  readonly protocol: "http:" | "https:";
  readonly hostname: string;
  readonly port: number | undefined;
  /** What stands before the key: `/` or `/bucket/`. */
  readonly base: string;
  readonly region: string;
  /** `s3` */
  readonly service: string;
}

interface SignedRequest extends Pick<Route, "protocol" | "hostname" | "port"> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const routes = new WeakMap<S3Client, Route>();

/** Learns the way from the SDK's own requests: endpoint rules, path or host style, partitions are its business. */
function learnRoute(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const { Key } = args.input as { Key?: string };
      const { protocol, hostname, port, path, headers } = args.request as SignedRequest;
      const tail = `/${Key}`;
      const scope = /Credential=[^/]+\/\d{8}\/([^/]+)\/([^/]+)\//.exec(headers["authorization"] ?? "");
      if (
        context.commandName === "GetObjectCommand" &&
        scope !== null &&
        decodeURIComponent(path).endsWith(tail)
      ) {
        const [, region = "", service = ""] = scope;
        const base = path.slice(0, path.length - encodePath(tail).length + 1);
        routes.set(client, { protocol, hostname, port, base, region, service });
      }
      return next(args);
    },
    { step: "deserialize", name: "vitrineLearnRoute" },
  );
}

/** The way to a client's bucket. The SDK shows it with any reading; a publisher has always read before it writes. */
export async function findRoute(
  client: S3Client,
  object: { Bucket: string; Key: string },
  abortSignal: AbortSignal,
): Promise<Route> {
  const known = routes.get(client);
  if (known !== undefined) return known;
  let failure: unknown = new Error(`the SDK does not say where ${object.Bucket} is`);
  await client
    .send(new GetObjectCommand({ ...object, Range: "bytes=0-0" }), { abortSignal })
    .then(({ Body }) => Body?.transformToByteArray())
    .catch((error: unknown) => {
      failure = error;
    });
  const shown = routes.get(client);
  if (shown === undefined) throw failure;
  return shown;
}

export function createS3Client({ endpoint, region, concurrency }: ClientOptions): S3Client {
  const config: S3ClientConfig = {
    // Repeating is ours: the SDK would repeat a conditional write and call its own first try a stranger's.
    maxAttempts: 1,
    // Thousands of the same request: their middleware is put together once.
    cacheMiddleware: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // No requestTimeout: it is one of silence, and only warns. Each call has a deadline of its own.
    requestHandler: {
      connectionTimeout: 10_000,
      httpAgent: { maxSockets: concurrency + 8, keepAlive: true },
      httpsAgent: { maxSockets: concurrency + 8, keepAlive: true },
    },
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(region === undefined ? {} : { region }),
  };
  const client = new S3Client(config);
  addDeleteMd5(client);
  keepAnswerDate(client);
  learnRoute(client);
  return client;
}
