/**
 * The port to a store in memory without the AWS SDK, which takes longer than the publish itself. It repeats requests like the port to
 * S3, and contract.slow.test.ts holds both to the same contract.
 */
import { hash } from "node:crypto";
import { VitrineError } from "../../src/base/error.ts";
import { type RetryPolicy, withRetries } from "../../src/base/retries.ts";
import { errorName, isTransient, statusOf } from "../../src/publish/aws.ts";
import {
  type Bucket,
  JOURNAL_KEY,
  MOST_OBJECT_BYTES,
  type ObjectHeaders,
  POINTER_KEY,
  type StoredHeaders,
  tooLong,
} from "../../src/publish/bucket.ts";
import { withDeadline } from "../../src/publish/calls.ts";
import { Pace } from "../../src/publish/pace.ts";
import type { FaultyStore, UpstreamResponse } from "./faults.ts";

interface Place {
  readonly bucket: string;
  readonly prefix: string;
  readonly concurrency: number;
  readonly retries: RetryPolicy;
}

interface Request {
  readonly method: string;
  /** Below the bucket; "" for the bucket itself. */
  readonly key?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const NOTHING = Buffer.alloc(0);
const META = "x-amz-meta-";
const DELETE_BATCH = 1000;

/** A failure as the SDK reports it. */
function failure(name: string, status: number): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

const headersOf = ({ contentType, cacheControl, metadata }: ObjectHeaders) => ({
  "content-type": contentType,
  "cache-control": cacheControl,
  ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [META + name, value])),
});

function headersIn(headers: UpstreamResponse["headers"]): StoredHeaders {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const own = texts.flatMap(([name, value]) =>
    name.startsWith(META) ? [[name.slice(META.length), value]] : [],
  );
  const of: Readonly<Record<string, string>> = Object.fromEntries(texts);
  return {
    contentType: of["content-type"] ?? "",
    contentEncoding: of["content-encoding"] ?? "",
    cacheControl: of["cache-control"] ?? "",
    metadata: Object.fromEntries(own),
  };
}

const clockOf = ({ headers }: UpstreamResponse) => Date.parse(String(headers["date"]));

/** One request, tried once. @throws Error like the SDK's */
async function ask(store: FaultyStore, bucket: string, request: Request): Promise<UpstreamResponse> {
  const { method, key = "", query = "", headers = {}, body = NOTHING } = request;
  const below = key === "" ? "" : `/${encodeURIComponent(key).replaceAll("%2F", "/")}`;
  const path = `/${bucket}${below}${query}`;
  const sent = { ...headers, "x-amz-content-sha256": hash("sha256", body, "hex") };
  const fate = await store.finish(store.begin(method, path), { method, path, headers: sent, body });
  if (fate.kind === "broken") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
  if (fate.kind === "silent") {
    store.hung();
    return new Promise(() => undefined);
  }
  const { response } = fate;
  if (response.status < 300) return response;
  const [code = "NotFound"] = matchesOf(response.body.toString(), /<Code>([^<]*)/g);
  throw failure(code, response.status);
}

export function openMemory(store: FaultyStore, { bucket, prefix, concurrency, retries }: Place): Bucket {
  const base = prefix === "" ? "" : `${prefix}/`;
  const url = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  const pace = new Pace(concurrency, retries);
  const once = (request: Request) =>
    withDeadline(retries, () => ask(store, bucket, request), request.body?.length);
  const failed = (what: string, cause: unknown) =>
    new VitrineError("remote_failed", `${url}: ${what} failed: ${(cause as Error).message}`, { cause });
  const isUrgent = (key: string) => key === POINTER_KEY || key === JOURNAL_KEY;

  async function run<Result>(what: string, key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await (isUrgent(key) ? withRetries(retries, isTransient, work) : pace.run(work));
    } catch (error) {
      throw failed(`${what} ${key}`, error);
    }
  }

  /** Null if the object is missing. */
  const read = (method: "GET" | "HEAD", key: string) =>
    run("reading", key, async () => {
      try {
        return await once({ method, key: base + key });
      } catch (error) {
        if (statusOf(error) === 404 && ["NoSuchKey", "NotFound"].includes(errorName(error))) return null;
        throw error;
      }
    });

  return {
    url,
    retries,
    service: "test",
    concurrency,
    async get(key) {
      const found = await read("GET", key);
      if (found === null) return null;
      const { headers, body } = found;
      if (body.length > MOST_OBJECT_BYTES) throw tooLong(url, key, MOST_OBJECT_BYTES);
      const ageSeconds = (clockOf(found) - Date.parse(String(headers["last-modified"]))) / 1000;
      return {
        body: Buffer.from(body),
        headers: headersIn(headers),
        etag: String(headers["etag"]),
        ageSeconds,
      };
    },
    async head(key) {
      const found = await read("HEAD", key);
      if (found === null) return null;
      return { ...headersIn(found.headers), sizeBytes: Number(found.headers["content-length"]) };
    },
    async put(key, body, headers) {
      const request = { method: "PUT", key: base + key, headers: headersOf(headers), body };
      await run("putting", key, () => once(request));
    },
    async putIf(key, body, headers, condition) {
      const conditions =
        "ifMatch" in condition
          ? { "if-match": condition.ifMatch }
          : { "if-none-match": condition.ifNoneMatch };
      const request = {
        method: "PUT",
        key: base + key,
        headers: { ...headersOf(headers), ...conditions },
        body,
      };
      try {
        const written = await once(request);
        return { kind: "written", etag: String(written.headers["etag"]), versioned: false };
      } catch (error) {
        const cause = failed(`putting ${key}`, error);
        if ([404, 412].includes(statusOf(error)) && errorName(error) !== "NoSuchBucket")
          return { kind: "refused" };
        if (statusOf(error) === 409) return { kind: "conflict" };
        if (isTransient(error)) return { kind: "unknown", cause };
        throw cause;
      }
    },
    async delete(keys) {
      for (let from = 0; from < keys.length; from += DELETE_BATCH) {
        let left: readonly string[] = keys.slice(from, from + DELETE_BATCH).map((key) => base + key);
        await run("deleting", `${left.length} keys`, async () => {
          const body = Buffer.from(left.map((key) => `<Key>${key}</Key>`).join(""));
          const answer = await once({ method: "POST", query: "?delete", body });
          left = matchesOf(answer.body.toString(), /<Error><Key>([^<]*)/g);
          if (left.length > 0) throw failure("InternalError", 503);
        });
      }
    },
    async *list(root) {
      let token: string | undefined;
      do {
        const asked = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix: base + root });
        if (token !== undefined) asked.set("continuation-token", token);
        const page = await run("listing", root, () => once({ method: "GET", query: `?${asked}` }));
        const text = page.body.toString();
        for (const key of matchesOf(text, /<Key>([^<]*)/g))
          yield decodeURIComponent(key.replaceAll("+", " ")).slice(base.length);
        [token] = matchesOf(text, /<NextContinuationToken>([^<]*)/g);
      } while (token !== undefined);
    },
    now: () => Date.now(),
    clock: async () => clockOf(await run("reading", "the clock", () => once({ method: "HEAD" }))),
    [Symbol.dispose]: () => undefined,
  };
}
