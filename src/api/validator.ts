/** HTTP validators: which bytes of an answer its ETag is made of, and whether a client has it already. */

/** `+00:00` times have 25 characters; `"}}` follows. */
const STAMP_BYTES = 28;

/** True where `generated_at` follows the content of the file at a key: all answers but openapi.json. */
export function isStamped(key: string): boolean {
  return key.startsWith("api/") && !key.endsWith("/openapi.json");
}

/** Content bytes of a whole body: all but `generated_at`. */
export function contentOf<Bytes extends Uint8Array>(bytes: Bytes, stamped: boolean): Bytes {
  return (stamped ? bytes.subarray(0, bytes.length - STAMP_BYTES) : bytes) as Bytes;
}

/** The ETag of content, from its SHA-256 in hexadecimal. */
export function etagOfDigest(sha256: string): string {
  return `W/"${sha256.slice(0, 32)}"`;
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

function opaque(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}

/** If-None-Match: `*`, or a list compared weakly (RFC 9110 §13.1.2). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return (ifNoneMatch.match(ENTITY_TAG) ?? []).some((tag) => opaque(tag) === opaque(etag));
}
