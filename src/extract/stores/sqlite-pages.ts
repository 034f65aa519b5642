/**
 * Digests of the pages of a store, by which two pictures are told apart: of each page, cut to 128 bits, which is enough where
 * nobody chooses both contents; and of runs of pages a tag by a secret key, which takes half as long to make. Where the
 * tag of a run is what it was, so are its pages.
 */
import { createCipheriv, createSecretKey, hash, type KeyObject } from "node:crypto";
import { type Picture, type ReadPages, withPages } from "./sqlite-picture.ts";

/** Of a page: half of its SHA-256. */
const DIGEST_BYTES = 16;
const TAG_BYTES = 16;
export const KEY_BYTES = 16;

/** A run: what the processor's cache holds while it is digested. */
const RUN_BYTES = 262_144;

/** Parts of the first page that any commit changes: the counter, the size, the free list, and who wrote them last. */
const COUNTERS: readonly (readonly [from: number, to: number])[] = [
  [24, 40],
  [92, 100],
];

export interface PageDigests {
  readonly pageSize: number;
  /** Secret: who knows it can make other pages with the same tag. */
  readonly key: Buffer;
  /** Of runs, from the first page's. */
  readonly tags: Buffer;
  /** Of all pages, from the first. */
  readonly pages: Buffer;
}

/** GHASH is a universal hash: tags of two contents that were chosen without seeing any are equal once in 2^110. */
function tagOf(key: KeyObject, run: Buffer): Buffer {
  const cipher = createCipheriv("aes-128-gcm", key, Buffer.alloc(12));
  cipher.setAAD(run);
  cipher.final();
  return cipher.getAuthTag();
}

function pagesPerRun(pageSize: number): number {
  return Math.ceil(RUN_BYTES / pageSize);
}

/**
 * Digests of a picture's pages; null where one cannot be read for certain.
 * @param before of an earlier picture: what is equal to it is not digested page by page. Of another page size it says nothing.
 */
export function digestsOf(picture: Picture, key: Buffer, before: PageDigests | null): PageDigests | null {
  const { pageSize, pages } = picture;
  const known = before?.pageSize === pageSize && before.key.equals(key) ? before : null;
  const perRun = pagesPerRun(pageSize);
  // Bytes would be made a key anew for each run.
  const secret = createSecretKey(key);
  return withPages(picture, (read) => {
    const digests = Buffer.alloc(pages * DIGEST_BYTES);
    const tags = Buffer.alloc(Math.ceil(pages / perRun) * TAG_BYTES);
    const run = Buffer.allocUnsafeSlow(perRun * pageSize);
    for (let first = 0; first < pages; first += perRun) {
      const count = Math.min(perRun, pages - first);
      const bytes = run.subarray(0, count * pageSize);
      if (!readRun(read, first, count, bytes)) return null;
      const place = (first / perRun) * TAG_BYTES;
      const tag = tagOf(secret, bytes);
      tag.copy(tags, place);
      const start = first * DIGEST_BYTES;
      if (known?.tags.subarray(place, place + TAG_BYTES).equals(tag))
        known.pages.copy(digests, start, start, start + count * DIGEST_BYTES);
      else digestPages(bytes, pageSize, digests.subarray(start));
    }
    return { pageSize, key, tags, pages: digests };
  });
}

function readRun(read: ReadPages, first: number, count: number, target: Buffer): boolean {
  if (!read(first + 1, count, target)) return false;
  if (first === 0) for (const [from, to] of COUNTERS) target.fill(0, from, to);
  return true;
}

function digestPages(bytes: Buffer, pageSize: number, digests: Buffer): void {
  for (let at = 0; at * pageSize < bytes.length; at++) {
    const page = bytes.subarray(at * pageSize, (at + 1) * pageSize);
    digests.write(hash("sha256", page, "binary"), at * DIGEST_BYTES, DIGEST_BYTES, "binary");
  }
}

/** Numbers, from 1, of the pages that are in one of two pictures alone, or otherwise in each. */
export function* differingPages(one: PageDigests, other: PageDigests): Generator<number> {
  const [a, b] = [one.pages, other.pages];
  const most = Math.max(a.length, b.length);
  const common = Math.min(a.length, b.length);
  const block = DIGEST_BYTES * pagesPerRun(one.pageSize);
  for (let from = 0; from < most; from += block) {
    const to = from + block;
    if (to <= common && a.compare(b, from, to, from, to) === 0) continue;
    for (let start = from; start < Math.min(to, most); start += DIGEST_BYTES) {
      const end = start + DIGEST_BYTES;
      if (end > common || a.compare(b, start, end, start, end) !== 0) yield end / DIGEST_BYTES;
    }
  }
}
