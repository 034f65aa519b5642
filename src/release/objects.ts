/**
 * Objects: what releases are made of. Each is named by the SHA-256 of its content and never changes, so two releases that
 * have the same part share one object. In a bucket an object is a gzipped file, `.vitrine/objects/<name>.gz`.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gunzipSync, gzip } from "node:zlib";
import { messageOf } from "../base/error.ts";

/** Where objects are kept, below a bucket's root. */
export const OBJECTS = ".vitrine/objects/";

/** Level 3 takes half the time of the default level, for a sixth more bytes. */
const LEVEL = 3;
const zip = promisify(gzip);

/** An object is at most this large when it is unzipped; one partition of 100 records is far below. */
export const MOST_CONTENT_BYTES: number = 256 * 1024 * 1024;

/** SHA-256 of an object's content, before compression: 64 hexadecimal digits. */
export function nameOfObject(content: Buffer): string {
  return hash("sha256", content, "hex");
}

/** `3f…` → `.vitrine/objects/3f….gz` */
export function objectKey(name: string): string {
  return `${OBJECTS}${name}.gz`;
}

/** The bytes that a bucket keeps. */
export function zipObject(content: Buffer): Promise<Buffer> {
  return zip(content, { level: LEVEL });
}

/** The content of an object's bytes. @throws Error if they are damaged, too large or another object's */
export function unzipObject(name: string, bytes: Buffer, mostBytes: number): Buffer {
  let content: Buffer;
  try {
    content = gunzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    throw new Error(`it cannot be unzipped: ${messageOf(error)}`, { cause: error });
  }
  const found = nameOfObject(content);
  if (found !== name) throw new Error(`its content is that of the object ${found.slice(0, 12)}`);
  return content;
}
