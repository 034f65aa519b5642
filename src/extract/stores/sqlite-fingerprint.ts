/**
 * What a build keeps of an SQLite store to tell later what changed: a digest of each page. Cut to 128 bits: that is enough
 * where nobody chooses both contents.
 */
import { createHash } from "node:crypto";
import { DIGEST_BYTES } from "./sqlite-picture.ts";

/** In front of it the SHA-256 of all that follows: a file that lost a bit must not hide a change. */
const MAGIC = Buffer.from("vitrine fingerprint of sqlite 1\n");
const SUM_BYTES = 32;

function sumOf(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** @param digests of all pages, from the first */
export function formatFingerprint(digests: Buffer): Buffer {
  const content = Buffer.concat([MAGIC, digests]);
  return Buffer.concat([sumOf(content), content]);
}

/** Digests of all pages, from the first; null where it is none of this version, or not whole. */
export function parseFingerprint(bytes: Buffer): Buffer | null {
  const content = bytes.subarray(SUM_BYTES);
  const digests = content.subarray(MAGIC.length);
  const isWhole =
    content.subarray(0, MAGIC.length).equals(MAGIC) &&
    digests.length % DIGEST_BYTES === 0 &&
    sumOf(content).equals(bytes.subarray(0, SUM_BYTES));
  return isWhole ? digests : null;
}
