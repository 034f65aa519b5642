/**
 * What a build keeps of an SQLite store to tell what changes later: of each page a digest, and the root page of the b-tree
 * that it belonged to. Digests cut to 128 bits: that is enough where nobody chooses both contents.
 */
import { createHash } from "node:crypto";
import { DIGEST_BYTES } from "./sqlite-picture.ts";

/** In front of it the SHA-256 of all that follows: a file that lost a bit must not hide a change. */
const MAGIC = Buffer.from("vitrine fingerprint of sqlite 1\n");
const SUM_BYTES = 32;
const ROOT_BYTES = 4;

export interface Fingerprint {
  /** Of the pages, from the first. */
  readonly digests: Buffer;
  /** Of the same pages: root pages of their b-trees, 0 for those of none. */
  readonly roots: Uint32Array;
}

function sumOf(parts: readonly Buffer[]): Buffer {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest();
}

export function formatFingerprint({ digests, roots }: Fingerprint): Buffer {
  const owners = Buffer.alloc(roots.length * ROOT_BYTES);
  for (const [at, root] of roots.entries()) owners.writeUInt32LE(root, at * ROOT_BYTES);
  const parts = [MAGIC, digests, owners];
  return Buffer.concat([sumOf(parts), ...parts]);
}

/** Null where it is none of this version, or not whole. */
export function parseFingerprint(bytes: Buffer): Fingerprint | null {
  const start = SUM_BYTES + MAGIC.length;
  const pages = (bytes.length - start) / (DIGEST_BYTES + ROOT_BYTES);
  if (pages < 0 || !Number.isInteger(pages)) return null;
  if (!bytes.subarray(SUM_BYTES, start).equals(MAGIC)) return null;
  if (!sumOf([bytes.subarray(SUM_BYTES)]).equals(bytes.subarray(0, SUM_BYTES))) return null;
  const split = start + pages * DIGEST_BYTES;
  const roots = new Uint32Array(pages).map((_, at) => bytes.readUInt32LE(split + at * ROOT_BYTES));
  return { digests: bytes.subarray(start, split), roots };
}
