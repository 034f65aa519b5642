/** HTTP validators: the bytes that an answer's ETag is made of, and whether a client has it already. */

/** `+00:00` times have 25 characters; `"}}` follows. */
const STAMP_BYTES = 28;

/** True if `generated_at` follows the content of the file at a key: all answers except openapi.json. */
export function isStamped(key: string): boolean {
  return key.indexOf("api/") === 0 && key.slice(-13) !== "/openapi.json";
}

/** Content bytes of a whole body: everything except `generated_at`. */
export function contentOf<Bytes extends Uint8Array>(bytes: Bytes, stamped: boolean): Bytes {
  return (stamped ? bytes.subarray(0, bytes.length - STAMP_BYTES) : bytes) as Bytes;
}

/** The ETag of content, from its SHA-256 in hexadecimal. */
export function etagOfDigest(sha256: string): string {
  return `W/"${sha256.slice(0, 32)}"`;
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

function isWeak(tag: string): boolean {
  return tag.indexOf("W/") === 0;
}

function opaque(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

function tagsIn(list: string): string[] {
  return list.match(ENTITY_TAG) || [];
}

/** True if If-Match names the ETag, compared strongly: a weak ETag never matches (RFC 9110 §8.8.3.2). */
function isMatch(list: string, etag: string): boolean {
  if (list.trim() === "*") return true;
  return !isWeak(etag) && tagsIn(list).indexOf(etag) >= 0;
}

/**
 * The end of a tag, also as servers that compress on the way change it: `-gzip"` (Apache, Caddy), `--gzip"` (Jetty), `;gzip"`. ETags here
 * are of one length, so no other content has such a tag.
 */
const TAG_END = /^(?:[-;:+]{1,2}(?:gzip|br|zstd|deflate))?"/;
const TAG_END_BYTES = 12;

/** True if If-None-Match names the ETag, compared weakly. (No RegExp over the whole list: njs takes long for it.) */
export function isKnown(list: string, etag: string): boolean {
  if (list.trim() === "*") return true;
  const tag = opaque(etag).slice(0, -1);
  for (let at = list.indexOf(tag); at >= 0; at = list.indexOf(tag, at + 1)) {
    const end = at + tag.length;
    if (TAG_END.test(list.slice(end, end + TAG_END_BYTES))) return true;
  }
  return false;
}

/** Evaluates the preconditions of a GET or HEAD that would be answered with 200 (RFC 9110 §13.2.2), by ETag: only files have dates. */
export function preconditionStatus(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
  etag: string | undefined,
): 200 | 304 | 412 {
  if (etag === undefined) return 200;
  if (ifMatch !== undefined && !isMatch(ifMatch, etag)) return 412;
  return ifNoneMatch !== undefined && isKnown(ifNoneMatch, etag) ? 304 : 200;
}
