/**
 * Digests of the pages of a store, by which two pictures are told apart: of each page, cut to 128 bits, which is enough where
 * nobody chooses both contents; and of runs of pages a tag by a secret key, which takes half as long to make. Where the
 * tag of a run is what it was, so are its pages.
 */
import { digestRunsBeside } from "./runs-beside.ts";
import { type Picture, withPages } from "./sqlite-picture.ts";
import { DIGEST_BYTES, pagesPerRun, runsJob } from "./sqlite-runs.ts";

export const KEY_BYTES = 16;

export interface PageDigests {
  readonly pageSize: number;
  /** Secret: who knows it can make other pages with the same tag. */
  readonly key: Buffer;
  /** Of runs, from the first page's. */
  readonly tags: Buffer;
  /** Of all pages, from the first. */
  readonly pages: Buffer;
}

/**
 * Digests of a picture's pages; null where one cannot be read for certain.
 * @param before of an earlier picture: what is equal to it is not digested page by page. Of another page size it says nothing.
 */
export function digestsOf(picture: Picture, key: Buffer, before: PageDigests | null): PageDigests | null {
  const { pageSize } = picture;
  const isComparable = before?.pageSize === pageSize && before.key.equals(key);
  return withPages(picture, (_read, source) => {
    const job = runsJob(source, key, isComparable ? { tags: before.tags, digests: before.pages } : null);
    if (!digestRunsBeside(job)) return null;
    return { pageSize, key, tags: bufferOf(job.tags), pages: bufferOf(job.digests) };
  });
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
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
