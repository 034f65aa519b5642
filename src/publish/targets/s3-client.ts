/** The SDK's client, set so that stores other than AWS understand it. */
import { createHash } from "node:crypto";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

export interface ClientOptions {
  /** Another store's address; then paths carry the bucket's name. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly concurrency: number;
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

export function createS3Client({ endpoint, region, concurrency }: ClientOptions): S3Client {
  const config: S3ClientConfig = {
    // Repeating is ours: the SDK would repeat a conditional write and call its own first try a stranger's.
    maxAttempts: 1,
    // Thousands of the same request: their middleware is put together once.
    cacheMiddleware: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
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
  return client;
}
