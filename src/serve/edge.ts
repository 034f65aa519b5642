/** The local edge: the file if there is one, else the fallback in the same process, else the right error. */
import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { cacheControl, successHeaders } from "../api/responses.ts";
import { isStamped } from "../api/validator.ts";
import { contentTypeOf } from "../base/content-type.ts";
import { systemCodeOf } from "../base/error.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { etagOf } from "../catalog/envelope.ts";
import type { ReadTarget } from "../key/key.ts";
import { type ApiResponse, answerRequest, readRequest } from "./answer.ts";

/**
 * `null` where there is no such file. A key has only plain letters in its segments, so it can't leave the folder by
 * its name; a symbolic link that leads out of it is as if it were not there.
 */
export function readSiteFile(site: string, key: string): Buffer | null {
  try {
    const file = realpathSync.native(join(site, key));
    return file.startsWith(realpathSync.native(site) + sep) ? readFileSync(file) : null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(systemCodeOf(error))) return null;
    throw error;
  }
}

/** Content type of a file, by its name's extension. */
export function typeOf(key: string): string {
  return contentTypeOf(key) ?? "application/octet-stream";
}

/** What the edge answers to a GET or HEAD of a raw request target. */
export function answerAtEdge(catalog: Catalog, site: string, target: string): ApiResponse {
  return answerRequestAtEdge(catalog, site, readRequest(target));
}

/** What the edge answers to a GET or HEAD. */
export function answerRequestAtEdge(catalog: Catalog, site: string, request: ReadTarget): ApiResponse {
  const key = request.file;
  const bytes = key === null ? null : readSiteFile(site, key);
  if (key === null || bytes === null) return answerRequest(catalog, request);
  const etag = etagOf({ bytes, stamped: isStamped(key) });
  return {
    status: 200,
    headers: successHeaders(typeOf(key), cacheControl(catalog.config.cache).answer, etag),
    body: bytes,
    key,
    source: "file",
  };
}
