/**
 * Objects: the files of releases. Each is named by the SHA-256 of its content and never changes, so two releases with an
 * equal part share one object. In a bucket an object is a gzipped file, `.vitrine/objects/<name>.gz`.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gunzipSync, gzip } from "node:zlib";
import { messageOf } from "../base/error.ts";

/** The objects' prefix in a bucket. */
export const OBJECTS = ".vitrine/objects/";

/** Level 3 takes half the time of the default level and gives a sixth more bytes. */
const LEVEL = 3;
const zip = promisify(gzip);

/** Upper bound of an object's unzipped size; a partition of 100 records is far below it. */
export const MAX_CONTENT_BYTES: number = 256 * 1024 * 1024;

/** SHA-256 of an object's content, before compression: 64 hexadecimal digits. */
export function nameOfObject(content: Buffer): string {
  return hash("sha256", content, "hex");
}

/** `3f…` → `.vitrine/objects/3f….gz` */
export function objectKey(name: string): string {
  return `${OBJECTS}${name}.gz`;
}

/** The bytes as the bucket stores them. */
export function zipObject(content: Buffer): Promise<Buffer> {
  return zip(content, { level: LEVEL });
}

/** The content of an object's bytes. @throws Error if they are damaged, too large or another object's */
export function unzipObject(name: string, bytes: Buffer, maxBytes: number): Buffer {
  let content: Buffer;
  try {
    content = gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new Error(`it cannot be unzipped: ${messageOf(error)}`, { cause: error });
  }
  const found = nameOfObject(content);
  if (found !== name) throw new Error(`its content has the digest of another object, ${found.slice(0, 12)}`);
  return content;
}
