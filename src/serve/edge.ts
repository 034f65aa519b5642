/** The local edge: sends the file if there is one, else the answer of the fallback in the same process, else an error. */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { cacheControl, successHeaders } from "../api/responses.ts";
import { isStamped } from "../api/validator.ts";
import { contentTypeOf } from "../base/content-type.ts";
import { systemCodeOf } from "../base/error.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { etagOf } from "../catalog/envelope.ts";
import type { ReadTarget } from "../key/key.ts";
import { type ApiResponse, answerRequest, readRequest } from "./answer.ts";

/** A file of a site, and when it was written. */
export interface SiteFile {
  readonly bytes: Buffer;
  readonly modified: Date;
}

/** Opening a pipe does not wait for its writer. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Null if there is no such file. A key's segments have only harmless letters, so it cannot leave the folder by its name; a symbolic
 * link that leads out of the folder counts as missing.
 */
export function readSiteFile(site: string, key: string): SiteFile | null {
  try {
    const path = realpathSync.native(join(site, key));
    if (!path.startsWith(realpathSync.native(site) + sep)) return null;
    // Read and stat one descriptor: the path may be replaced between two calls.
    const file = openSync(path, READING);
    try {
      const stats = fstatSync(file);
      // Node's `mtime` is rounded to milliseconds, and so may be a second later than a web server's.
      const modified = new Date(Math.floor(stats.mtimeMs / 1000) * 1000);
      return stats.isFile() ? { bytes: readFileSync(file), modified } : null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(systemCodeOf(error))) return null;
    throw error;
  }
}

/** Media type of a file, by its extension. */
function typeOf(key: string): string {
  return contentTypeOf(key) ?? "application/octet-stream";
}

/** The response with a file, with its time in nginx's form. */
export function fileResponse(
  { bytes, modified }: SiteFile,
  key: string,
  cache: string,
): Pick<ApiResponse, "status" | "headers" | "body"> {
  const headers = successHeaders(typeOf(key), cache, etagOf({ bytes, stamped: isStamped(key) }));
  return { status: 200, headers: { ...headers, "Last-Modified": modified.toUTCString() }, body: bytes };
}

/** Answers a GET or HEAD of a raw request target as an edge does. */
export function answerAtEdge(catalog: Catalog, site: string, target: string): ApiResponse {
  return answerRequestAtEdge(catalog, site, readRequest(target));
}

/** Answers a GET or HEAD as an edge does. */
export function answerRequestAtEdge(catalog: Catalog, site: string, request: ReadTarget): ApiResponse {
  const key = request.file;
  const file = key === null ? null : readSiteFile(site, key);
  if (key === null || file === null) return answerRequest(catalog, request);
  return { ...fileResponse(file, key, cacheControl(catalog.config.cache).answer), key, source: "file" };
}
