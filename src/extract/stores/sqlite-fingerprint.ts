/**
 * What a build keeps of an SQLite store to tell later what changed: a digest of each page, cut to 128 bits, which is enough
 * where nobody chooses both contents, and digests of projections.
 */
import { createHash } from "node:crypto";
import { DIGEST_BYTES } from "./sqlite-picture.ts";
import type { Projections } from "./sqlite-projections.ts";

/** In front of it the SHA-256 of all that follows: a file that lost a bit must not hide a change. */
const MAGIC = Buffer.from("vitrine fingerprint of sqlite 2\n");
const SUM_BYTES = 32;

/** Length of the projections' text, which follows; the rest is the pages. */
const LENGTH_BYTES = 4;

export interface Fingerprint {
  /** Digests of all pages, from the first. */
  readonly pages: Buffer;
  readonly projections: Projections;
}

function sumOf(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

export function formatFingerprint({ pages, projections }: Fingerprint): Buffer {
  const text = Buffer.from(JSON.stringify([...projections]));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  const content = Buffer.concat([MAGIC, length, text, pages]);
  return Buffer.concat([sumOf(content), content]);
}

/** Null where it is none of this version, or not whole. */
export function parseFingerprint(bytes: Buffer): Fingerprint | null {
  const content = bytes.subarray(SUM_BYTES);
  const isWhole =
    content.subarray(0, MAGIC.length).equals(MAGIC) && sumOf(content).equals(bytes.subarray(0, SUM_BYTES));
  if (!isWhole) return null;
  const textStart = MAGIC.length + LENGTH_BYTES;
  const pagesStart = textStart + content.readUInt32BE(MAGIC.length);
  const pages = content.subarray(pagesStart);
  if (pages.length % DIGEST_BYTES !== 0) return null;
  return { pages, projections: new Map(JSON.parse(content.toString("utf8", textStart, pagesStart))) };
}
