/**
 * Digests of the pages of a store, by which two pictures are told apart: of each page, cut to 128 bits, which is enough where
 * nobody chooses both contents; and of runs of pages a tag by a secret key, which takes half as long to make. Where the
 * tag of a run is what it was, so are its pages.
 */
import { holdFile } from "./held-file.ts";
import { beginRuns, digestRunsBeside } from "./runs-beside.ts";
import { sqliteFilesOf } from "./sqlite-files.ts";
import { type PageSource, type Picture, type UsePages, withPages } from "./sqlite-picture.ts";
import { DIGEST_BYTES, failRuns, pagesPerRun, type RunsJob, runsJob } from "./sqlite-runs.ts";
import { restingState, stateOf } from "./sqlite-stamp.ts";

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

/** Digests that were begun before they are asked for. */
interface Ahead {
  /** Of the file, since they were begun. */
  readonly state: string;
  readonly before: PageDigests;
  readonly job: RunsJob;
}

/** What this process has last seen of a store, by its main file, and digests since, if any. */
const SEEN = new Map<string, { readonly digests: PageDigests; ahead: Ahead | null }>();

/**
 * Digests of a picture's pages; null where one cannot be read for certain.
 * @param before of an earlier picture: what is equal to it is not digested page by page. Of another page size it says nothing.
 */
export function digestsOf(picture: Picture, key: Buffer, before: PageDigests | null): PageDigests | null {
  const { pageSize, files } = picture;
  const known = before?.pageSize === pageSize && before.key.equals(key) ? before : null;
  const digests = withPages(picture, (_read, source) => {
    const ahead = jobAhead(picture, known);
    if (ahead === null) endAhead(files.main);
    const job = ahead ?? jobOf(source, key, known);
    return digestRunsBeside(job) ? pageDigestsOf(job, key) : null;
  });
  SEEN.delete(files.main);
  if (digests !== null) rememberDigests(picture, digests);
  return digests;
}

/** From now on, {@link digestAhead} knows of what another thread has made. */
export function rememberDigests({ files }: Picture, digests: PageDigests): void {
  SEEN.set(files.main, { digests, ahead: null });
}

/** As {@link digestsOf}, by this thread alone, for another one: that one asks whether the main file is untouched. */
export function digestsForOthers(picture: Picture, key: Buffer): PageDigests | null {
  const digest: UsePages<PageDigests> = (_read, source) => {
    const job = jobOf(source, key, null);
    return digestRunsBeside(job, Infinity) ? pageDigestsOf(job, key) : null;
  };
  return withPages(picture, digest, () => true);
}

function pageDigestsOf({ source: { pageSize }, tags, digests }: RunsJob, key: Buffer): PageDigests {
  return { pageSize, key, tags: bufferOf(tags), pages: bufferOf(digests) };
}

function jobOf(source: PageSource, key: Buffer, known: PageDigests | null): RunsJob {
  return runsJob(source, key, known && { tags: known.tags, digests: known.pages });
}

/** Lets the thread have done with what was begun for nothing. */
function endAhead(main: string): void {
  const ahead = SEEN.get(main)?.ahead;
  if (ahead != null) failRuns(ahead.job.state);
}

/** What was begun by {@link digestAhead}, if the file is what it was then, and what is known of it too. */
function jobAhead(picture: Picture, known: PageDigests | null): RunsJob | null {
  const ahead = SEEN.get(picture.files.main)?.ahead ?? null;
  if (ahead === null || known === null || picture.wal !== null) return null;
  const { pages } = ahead.job.source;
  const isKnown = known.key.equals(ahead.before.key) && known.pages.equals(ahead.before.pages);
  return isKnown && pages === picture.pages && ahead.state === stateOf(picture.main) ? ahead.job : null;
}

/**
 * Begins to digest the pages of a store that has changed and is soon asked for, in another thread and without a lock: it counts
 * only if nobody has written to the file until {@link digestsOf} holds it. Null where it is not begun: the store keeps a log,
 * is small, was written in this moment, or was not yet seen.
 */
export function digestAhead(file: string, fromBytes?: number): RunsJob | null {
  const state = restingState(file);
  if (state === null) return null;
  const path = sqliteFilesOf(file).main;
  const [seen, main] = [SEEN.get(path), holdFile(path)];
  if (seen === undefined || main === null) return null;
  const { digests } = seen;
  const { pageSize } = digests;
  const pages = Number(main.stats.size) / pageSize;
  if (!Number.isInteger(pages)) return null;
  const source = { main: main.descriptor, log: -1, offsets: new Map(), pageSize, pages };
  const job = jobOf(source, digests.key, digests);
  if (!beginRuns(job, fromBytes)) return null;
  endAhead(path);
  seen.ahead = { state, before: digests, job };
  return job;
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
