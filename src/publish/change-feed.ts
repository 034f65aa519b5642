/**
 * The change feed: which records each release changed, by positions that only grow. A snapshot's files show no history, so
 * positions are the publisher's: a head, and pages of a thousand entries that never change once they are full. Both are written
 * before the pointer. Where the changes since the live release are not certain, the feed begins anew at a higher position.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BULK_FOLDER } from "../api/endpoints.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import type { RowChange } from "../catalog/apply.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { openDelta, rowsOf } from "../snapshot/delta.ts";
import { checkChangesHead, checkChangesPage } from "../snapshot/schemas.ts";
import { type Bucket, findKeys } from "./bucket.ts";
import { forEachAtOnce } from "./calls.ts";
import { deltasSince } from "./changes.ts";
import {
  CHANGES_FOLDER,
  CHANGES_HEAD,
  CHANGES_TAG,
  createHeaderMaker,
  hasChangeFeed,
  offersChanges,
} from "./headers.ts";
import type { Lease } from "./lease.ts";
import type { ChangeFeedReport, Publication } from "./options.ts";

const FORMAT = 1;
const PAGE_SIZE = 1000;
/** Kept; readers that stand before them begin anew. */
const MOST_PAGES = 100;
/** Of one release. */
const MOST_ENTRIES = PAGE_SIZE * MOST_PAGES;
/**
 * A feed that begins anew begins at its generation times this. An attempt adds less, and each has a higher generation than all
 * before it. So no position is given twice, whatever became of head and pages.
 */
const STRIDE = MOST_ENTRIES + PAGE_SIZE;
const MOST_HEAD_BYTES = 2048;
const MOST_PAGE_BYTES = 256 * 1024;

/** A record that changed: its id alone, never what it says. */
export interface ChangedRecord {
  readonly resource: ResourceName;
  readonly id: number;
  readonly op: "put" | "delete";
}

/** Entries of a page follow each other without a gap. */
export interface ChangesPage {
  readonly format: number;
  readonly page: number;
  readonly entries: readonly (ChangedRecord & { readonly position: number })[];
}

/** Addresses are relative to its own. */
export interface ChangesHead {
  readonly format: number;
  readonly release: string;
  /** Of the last entry. */
  readonly position: number;
  /** Who stands at it or after it goes on by pages. */
  readonly oldest: number;
  readonly pageSize: number;
  readonly pages: string;
  /** All records, for whoever begins anew: where the shop has feeds.bulk. */
  readonly bulk?: string;
}

export interface NextRelease {
  readonly generation: number;
  readonly release: string;
}

/** Where a feed stands, and its last page where that is not full. */
export interface FeedState extends Pick<ChangesHead, "position" | "oldest"> {
  readonly tail: ChangesPage["entries"];
}

export interface FeedStep extends FeedState {
  /** Pages that are written. */
  readonly pages: readonly ChangesPage[];
  /** Numbers of pages that are kept no more. */
  readonly gone: readonly number[];
}

/** A feed that nobody has followed yet. */
export function beginAnew(generation: number): FeedStep {
  const position = generation * STRIDE;
  return { position, oldest: position, tail: [], pages: [], gone: [] };
}

/** The page that a position's next entry stands on. */
function pageAfter(position: number): number {
  return Math.floor(position / PAGE_SIZE);
}

/** Adds what a release changed, at most {@link MOST_ENTRIES}. */
export function addChanges(before: FeedState, changed: readonly ChangedRecord[]): FeedStep {
  const first = pageAfter(before.position);
  const added = changed.map((change, at) => ({ position: before.position + at + 1, ...change }));
  const entries = [...before.tail, ...added];
  const position = before.position + changed.length;
  const pages: ChangesPage[] = [];
  for (let page = first; page * PAGE_SIZE < position && added.length > 0; page++) {
    const from = (page - first) * PAGE_SIZE;
    pages.push({ format: FORMAT, page, entries: entries.slice(from, from + PAGE_SIZE) });
  }
  const last = pages.at(-1);
  const oldestPage = pageAfter(before.oldest);
  const keptPage = Math.max(oldestPage, (last?.page ?? first) - MOST_PAGES + 1);
  return {
    position,
    oldest: Math.max(before.oldest, keptPage * PAGE_SIZE),
    tail: position % PAGE_SIZE === 0 ? [] : (last?.entries ?? before.tail),
    pages: pages.filter(({ page }) => page >= keptPage),
    gone: Array.from({ length: keptPage - oldestPage }, (_, at) => oldestPage + at),
  };
}

/** Of each row what became of it last, in the order of that. */
export function lastOfEach(rows: Iterable<RowChange>, most: number = MOST_ENTRIES): ChangedRecord[] | null {
  const last = new Map<string, ChangedRecord>();
  for (const row of rows) {
    const { resource } = row;
    const id = "put" in row ? row.put.id : "listed" in row ? row.listed.id : row.deleted;
    const name = `${resource} ${id}`;
    last.delete(name);
    last.set(name, { resource, id, op: "deleted" in row ? "delete" : "put" });
    if (last.size > most) return null;
  }
  return [...last.values()];
}

function pageKey(page: number): string {
  return `${CHANGES_FOLDER}/${page}.json`;
}

/** Why the feed can't go on; told, and never a failure. */
class Discontinued extends Error {}

/** Reads what a publish wrote, which anybody who may write there may have changed. @throws Discontinued */
async function readDocument<Document>(
  bucket: Bucket,
  key: string,
  file: string,
  mostBytes: number,
  check: (value: unknown) => string | null,
): Promise<Document> {
  try {
    if (!(await bucket.getFile(key, file, mostBytes))) throw new Discontinued(`there is no ${key}`);
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    const problem = check(value);
    if (problem === null) return value as Document;
    throw new Discontinued(`${key} is not as this version writes it: ${problem}`);
  } catch (error) {
    const isOdd =
      error instanceof SyntaxError || (error instanceof VitrineError && error.code === "remote_invalid");
    throw isOdd ? new Discontinued(`${key} cannot be used: ${messageOf(error)}`) : error;
  }
}

/** Where the feed of the live release stands. @throws Discontinued */
async function readState({ ports: { bucket }, state }: Publication, folder: string): Promise<FeedState> {
  const head = await readDocument<ChangesHead>(
    bucket,
    CHANGES_HEAD,
    join(folder, "changes.json"),
    MOST_HEAD_BYTES,
    checkChangesHead,
  );
  const { release, position, oldest } = head;
  const live = state.live?.pointer;
  if (live?.release !== release) throw new Discontinued(`${CHANGES_HEAD} is release ${release}'s`);
  const isSound =
    head.pageSize === PAGE_SIZE &&
    oldest <= position &&
    position <= live.generation * STRIDE &&
    pageAfter(position) - pageAfter(oldest) <= MOST_PAGES;
  if (!isSound) throw new Discontinued(`${CHANGES_HEAD} has positions that no version gives`);
  const length = position % PAGE_SIZE;
  if (length === 0) return { position, oldest, tail: [] };
  const page = pageAfter(position);
  const file = join(folder, "changes-page.json");
  const { entries, page: found } = await readDocument<ChangesPage>(
    bucket,
    pageKey(page),
    file,
    MOST_PAGE_BYTES,
    checkChangesPage,
  );
  const isWhole = entries.every((entry, at) => entry.position === page * PAGE_SIZE + at + 1);
  if (found === page && entries.length === length && isWhole) return { position, oldest, tail: entries };
  throw new Discontinued(`${pageKey(page)} is not the page that ${CHANGES_HEAD} names`);
}

/** By the deltas that the builds have kept. @throws Discontinued */
function changedSince({ snapshot, state }: Publication): ChangedRecord[] {
  const live = state.live?.pointer;
  if (live?.content === snapshot.manifest.meta["content"]) return [];
  const files = live === undefined ? null : deltasSince(live, snapshot);
  if (files === null) throw new Discontinued("no deltas lead here from what is live");
  function* rows() {
    for (const file of files ?? []) yield* rowsOf(openDelta(file));
  }
  try {
    const changed = lastOfEach(rows());
    if (changed !== null) return changed;
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === "delta_refused")) throw error;
    throw new Discontinued("a delta that leads here is damaged");
  }
  throw new Discontinued("more than 100,000 records changed");
}

/** Why it begins anew whatever stands there; null where it may go on. */
function whyAnew({ options, state }: Publication): string | null {
  if (options.anew) return "what it named is erased";
  if (options.rollbackOf !== null) return "an older release is made live again";
  if (state.live === null || !hasChangeFeed(state.live.pointer.headerPolicy)) return "there was none before";
  return state.journal === null ? null : "an earlier publish was cut off";
}

/** All pages that stand there. */
async function findPages(bucket: Bucket): Promise<string[]> {
  const page = /^feeds\/changes\/\d+\.json$/;
  return (await findKeys(bucket, `${CHANGES_FOLDER}/`, (key) => page.test(key))).sort();
}

/** What becomes of the feed with a release. */
export interface FeedPlan {
  readonly pages: readonly ChangesPage[];
  /** Null where the release has no feed. */
  readonly head: ChangesHead | null;
  readonly gone: readonly string[];
  /** All that are put or deleted, the head last. */
  readonly keys: readonly string[];
  readonly report: ChangeFeedReport | null;
}

const NOTHING: FeedPlan = { pages: [], head: null, gone: [], keys: [], report: null };

/** Files that it is put as: pages, and the head. */
function bodyOf(document: ChangesPage | ChangesHead): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

/** True where a feed may stand that the snapshot is not to have: told by what was read anyway. */
function isLeft({ live, journal }: Publication["state"]): boolean {
  return (
    (live !== null && hasChangeFeed(live.pointer.headerPolicy)) ||
    journal?.journal.tags.includes(CHANGES_TAG) === true
  );
}

/** Found without a write. What is read for it is put into a folder. */
export async function planChangeFeed(
  publication: Publication,
  { generation, release }: NextRelease,
  folder: string,
): Promise<FeedPlan> {
  const { snapshot, ports, state } = publication;
  const { bucket } = ports;
  if (!offersChanges(snapshot.config)) {
    if (!isLeft(state)) return NOTHING;
    const gone = [CHANGES_HEAD, ...(await findPages(bucket))];
    return { ...NOTHING, gone, keys: gone };
  }
  let anew = whyAnew(publication);
  let step = beginAnew(generation);
  let entries = 0;
  try {
    if (anew !== null) throw new Discontinued(anew);
    const changed = changedSince(publication);
    step = addChanges(await readState(publication, folder), changed);
    entries = changed.length;
  } catch (error) {
    if (!(error instanceof Discontinued)) throw error;
    anew = error.message;
  }
  const { position, oldest, pages } = step;
  const head: ChangesHead = {
    ...{ format: FORMAT, release, position, oldest },
    ...{ pageSize: PAGE_SIZE, pages: "changes/{page}.json" },
    ...(snapshot.config.feeds?.bulk ? { bulk: `../${BULK_FOLDER}/index.json` } : {}),
  };
  const gone = anew === null ? step.gone.map(pageKey) : await findPages(bucket);
  const keys = [...pages.map(({ page }) => pageKey(page)), ...gone, CHANGES_HEAD];
  const putBytes = [...pages, head].reduce((sum, document) => sum + bodyOf(document).length, 0);
  const report = { position, oldest, entries, pages: pages.length, gone: gone.length, putBytes, anew };
  return { pages, head, gone, keys, report };
}

/**
 * Puts pages, then the head, then deletes: once all answers of the release stand, and before the pointer. Where that is cut
 * off, the journal stays, and the next publish begins the feed anew.
 */
export async function putChangeFeed(
  { snapshot, ports: { bucket } }: Publication,
  { pages, head, gone }: FeedPlan,
  lease: Lease,
): Promise<void> {
  const headers = createHeaderMaker(snapshot.config);
  const put = (key: string, document: ChangesPage | ChangesHead) => {
    lease.assertHeld();
    const body = bodyOf(document);
    return bucket.put(key, body, headers.of(key, hash("sha256", body, "hex")));
  };
  await forEachAtOnce(pages, bucket.concurrency, (page) => put(pageKey(page.page), page));
  if (head !== null) await put(CHANGES_HEAD, head);
  lease.assertHeld();
  if (gone.length > 0) await bucket.delete(gone);
}
