/** An object store in memory that speaks S3 as data: requests in, responses out. Its faults are `faults.ts`'s business. */
import { hash } from "node:crypto";
import { keysOfDelete, type Upstream, type UpstreamRequest, type UpstreamResponse } from "./faults.ts";

interface MemoryObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MemoryStore extends Upstream {
  /** By their whole key. */
  readonly objects: Map<string, MemoryObject>;
}

const PAGE = 1000;
const KEPT_HEADERS = /^(content-type|cache-control|x-amz-meta-.*)$/;

function error(status: number, code: string): UpstreamResponse {
  return xml(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function xml(status: number, text: string): UpstreamResponse {
  const headers = { "content-type": "application/xml" };
  return { status, headers, body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`) };
}

/** As S3 spells keys of a list that is asked for with encoding-type=url. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+");
}

/** 412, 404 where `If-Match` finds nothing, or null where the condition holds. */
function refusal(headers: UpstreamRequest["headers"], found: MemoryObject | undefined) {
  const [match, noneMatch] = [headers["if-match"], headers["if-none-match"]];
  if (noneMatch === "*" && found !== undefined) return error(412, "PreconditionFailed");
  if (match === undefined) return null;
  if (found === undefined) return error(404, "NoSuchKey");
  return found.etag === match ? null : error(412, "PreconditionFailed");
}

export function createMemoryStore(bucket = "shop"): MemoryStore {
  const objects = new Map<string, MemoryObject>();
  const put = (key: string, { headers, body }: UpstreamRequest): UpstreamResponse => {
    const refused = refusal(headers, objects.get(key));
    if (refused !== null) return refused;
    if (hash("sha256", body, "hex") !== headers["x-amz-content-sha256"])
      return error(400, "XAmzContentSHA256Mismatch");
    const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      KEPT_HEADERS.test(name) && typeof value === "string" ? [[name, value]] : [],
    );
    const etag = `"${hash("md5", body, "hex")}"`;
    const written = { "last-modified": new Date().toUTCString() };
    objects.set(key, { body, etag, headers: { ...Object.fromEntries(kept), ...written } });
    return { status: 200, headers: { etag }, body: Buffer.alloc(0) };
  };
  const read = (key: string, method: string): UpstreamResponse => {
    const found = objects.get(key);
    if (found === undefined) return error(404, "NoSuchKey");
    const headers = { ...found.headers, etag: found.etag, "content-length": String(found.body.length) };
    return { status: 200, headers, body: method === "HEAD" ? Buffer.alloc(0) : found.body };
  };
  const list = (query: URLSearchParams): UpstreamResponse => {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, PAGE).map((key) => `<Contents><Key>${encodeKey(key)}</Key></Contents>`);
    const more = keys.length > PAGE ? `<NextContinuationToken>${keys[PAGE - 1]}</NextContinuationToken>` : "";
    return xml(200, `<ListBucketResult>${more}${page.join("")}</ListBucketResult>`);
  };
  const remove = async (keys: readonly string[]) => {
    for (const key of keys) objects.delete(key);
  };
  return {
    bucket,
    objects,
    remove,
    async ask(request) {
      const url = new URL(request.path, "http://memory");
      const [, name = "", ...parts] = decodeURIComponent(url.pathname).split("/");
      const key = parts.join("/");
      const response = await (async () => {
        if (name !== bucket) return error(404, "NoSuchBucket");
        if (request.method === "PUT") return put(key, request);
        if (request.method === "POST" && url.searchParams.has("delete")) {
          const keys = keysOfDelete(request.body);
          await remove(keys);
          const deleted = keys.map((each) => `<Deleted><Key>${each}</Key></Deleted>`);
          return xml(200, `<DeleteResult>${deleted.join("")}</DeleteResult>`);
        }
        return key === "" ? list(url.searchParams) : read(key, request.method);
      })();
      return { ...response, headers: { date: new Date().toUTCString(), ...response.headers } };
    },
  };
}
