/** An object store in memory that speaks S3 as data: requests in, responses out. Its faults are `faults.ts`'s business. */
import { hash } from "node:crypto";
import { keysOfDelete, type Upstream, type UpstreamRequest, type UpstreamResponse } from "./faults.ts";

interface MemoryObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** In what a store differs from AWS as it is today. */
export interface Quirks {
  /** DeleteObjects without Content-MD5 is refused: `MissingContentMD5`. */
  readonly wantsMd5?: boolean;
  /** Checksums of the SDK, as headers or in trailers, are refused with this status. */
  readonly refusesChecksums?: 400 | 501;
  /** `If-Match` and `If-None-Match` of a PUT: only without quotes, not looked at, or refused with this status. */
  readonly conditions?: "unquoted" | "ignored" | 400 | 501;
  /** DeleteObjects names only the keys that stay. */
  readonly isQuiet?: boolean;
  /** There is no DeleteObjects: 400, `NotImplemented`. */
  readonly deletesSingly?: boolean;
  /** A listing has names as they are, and does not say that they are encoded. */
  readonly hasPlainNames?: boolean;
  /** A PUT is answered without an ETag. */
  readonly putsWithoutEtag?: boolean;
}

export interface MemoryStore extends Upstream {
  /** By their whole key. */
  readonly objects: Map<string, MemoryObject>;
}

const PAGE = 1000;
const KEPT_HEADERS = /^(content-type|content-encoding|cache-control|x-amz-meta-.*)$/;

function error(status: number, code: string, message = code): UpstreamResponse {
  return xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

function xml(status: number, text: string): UpstreamResponse {
  const headers = { "content-type": "application/xml" };
  return { status, headers, body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`) };
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** As S3 spells keys of a list that is asked for with encoding-type=url. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+");
}

const NOT_IMPLEMENTED = "A header you provided implies functionality that is not implemented";

/** 412, 404 where `If-Match` finds nothing, or null where the condition holds. */
function refusal(
  headers: UpstreamRequest["headers"],
  found: MemoryObject | undefined,
  conditions: Quirks["conditions"],
) {
  const [match, noneMatch] = [headers["if-match"], headers["if-none-match"]];
  if ((match === undefined && noneMatch === undefined) || conditions === "ignored") return null;
  if (typeof conditions === "number")
    return error(conditions, conditions === 501 ? "NotImplemented" : "InvalidArgument", NOT_IMPLEMENTED);
  if (noneMatch === "*" && found !== undefined) return error(412, "PreconditionFailed");
  if (match === undefined) return null;
  if (found === undefined) return error(404, "NoSuchKey");
  const etag = conditions === "unquoted" ? found.etag.replaceAll('"', "") : found.etag;
  return etag === match ? null : error(412, "PreconditionFailed");
}

/** What a store may ask of the digests that come with a body. */
function digestsRefusal({ headers, body, method }: UpstreamRequest, quirks: Quirks) {
  const named = Object.keys(headers).some((name) => /^x-amz-(sdk-checksum|checksum|trailer)/.test(name));
  if (quirks.refusesChecksums !== undefined && (named || /chunked/.test(headers["content-encoding"] ?? "")))
    return error(quirks.refusesChecksums, "NotImplemented", NOT_IMPLEMENTED);
  const md5 = headers["content-md5"];
  if (method === "POST" && quirks.wantsMd5 === true && md5 === undefined)
    return error(400, "MissingContentMD5", "Missing required header for this request: Content-Md5.");
  if (md5 !== undefined && md5 !== hash("md5", body, "base64")) return error(400, "BadDigest");
  return null;
}

export function createMemoryStore(bucket = "shop", quirks: Quirks = {}): MemoryStore {
  const objects = new Map<string, MemoryObject>();
  const put = (key: string, { headers, body }: UpstreamRequest): UpstreamResponse => {
    const refused = refusal(headers, objects.get(key), quirks.conditions);
    if (refused !== null) return refused;
    if (hash("sha256", body, "hex") !== headers["x-amz-content-sha256"])
      return error(400, "XAmzContentSHA256Mismatch");
    const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      KEPT_HEADERS.test(name) && typeof value === "string" ? [[name, value]] : [],
    );
    const etag = `"${hash("md5", body, "hex")}"`;
    const written = { "last-modified": new Date().toUTCString() };
    objects.set(key, { body, etag, headers: { ...Object.fromEntries(kept), ...written } });
    return { status: 200, headers: quirks.putsWithoutEtag ? {} : { etag }, body: Buffer.alloc(0) };
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
    const isEncoded = query.get("encoding-type") === "url" && quirks.hasPlainNames !== true;
    const spelled = isEncoded ? encodeKey : escapeXml;
    const page = keys.slice(0, PAGE).map((key) => `<Contents><Key>${spelled(key)}</Key></Contents>`);
    const isTruncated = keys.length > PAGE;
    const said = [
      `<IsTruncated>${isTruncated}</IsTruncated>`,
      isEncoded ? "<EncodingType>url</EncodingType>" : "",
      isTruncated ? `<NextContinuationToken>${keys[PAGE - 1]}</NextContinuationToken>` : "",
    ];
    return xml(200, `<ListBucketResult>${said.join("")}${page.join("")}</ListBucketResult>`);
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
        const refused = digestsRefusal(request, quirks);
        if (refused !== null) return refused;
        if (request.method === "PUT") return put(key, request);
        if (request.method === "DELETE") {
          await remove([key]);
          return { status: 204, headers: {}, body: Buffer.alloc(0) };
        }
        if (request.method === "POST" && quirks.deletesSingly === true)
          return error(400, "NotImplemented", NOT_IMPLEMENTED);
        if (request.method === "POST" && url.searchParams.has("delete")) {
          const keys = keysOfDelete(request.body);
          await remove(keys);
          const named = quirks.isQuiet === true ? [] : keys;
          const deleted = named.map((each) => `<Deleted><Key>${each}</Key></Deleted>`);
          return xml(200, `<DeleteResult>${deleted.join("")}</DeleteResult>`);
        }
        return key === "" ? list(url.searchParams) : read(key, request.method);
      })();
      return { ...response, headers: { date: new Date().toUTCString(), ...response.headers } };
    },
  };
}
