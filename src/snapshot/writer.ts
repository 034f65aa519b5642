/**
 * Makes the next snapshot beside the present one and then puts it in place. Unchanged answers are not written at all.
 *
 * Everything that needs disk space happens in `.next/`; a full disk or a crash there leaves the present snapshot as it
 * was. Then a list of moves names what is to be moved and deleted: from that moment on the work is only finished, by this
 * process or by the next one that opens the folder.
 */
import { hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCodeOf } from "../base/error.ts";
import type { MetaTime } from "../base/time.ts";
import { type Body, etagOf, stampBody } from "../catalog/envelope.ts";
import type { OutLayout } from "./layout.ts";
import {
  createManifest,
  type Manifest,
  type ManifestEntry,
  type ManifestMeta,
  type ManifestWriter,
  type WriteReport,
} from "./manifest.ts";

export interface SnapshotWriter {
  /** Adds the answer at a key. Order of calls is the order in which files are put in place. */
  put(key: string, body: Body): void;
  /** Adds a key with the same bytes as the one put last: a hard link on disk. */
  link(key: string): void;
  /** Puts everything in place. After that the writer is done. */
  commit(meta: ManifestMeta): WriteReport;
  /** Throws the next snapshot away. */
  discard(): void;
}

/** What is moved and deleted to make the next snapshot the present one. */
interface MoveList {
  /** Keys by staged file number. */
  readonly moves: readonly (readonly [number: number, key: string])[];
  readonly deletions: readonly string[];
}

/** Staged files stand in folders of this many: some file systems slow down in very large ones. */
const FOLDER_SIZE = 4096;

function stagedPath(layout: OutLayout, number: number): string {
  return join(layout.nextFiles, String(Math.floor(number / FOLDER_SIZE)), String(number));
}

/** Stages the next snapshot in its folder. */
class NextSnapshot implements SnapshotWriter {
  readonly #layout: OutLayout;
  readonly #previous: Manifest | null;
  readonly #now: MetaTime;
  readonly #manifest: ManifestWriter;
  readonly #moves: [number, string][] = [];
  /** The answer put last, and where its file stands. */
  #last: { entry: ManifestEntry; path: string } | undefined;
  #files = 0;
  #sizeBytes = 0;
  #deletions: readonly string[] | undefined;

  constructor(layout: OutLayout, previous: Manifest | null, now: MetaTime) {
    this.#layout = layout;
    this.#previous = previous;
    this.#now = now;
    this.#manifest = createManifest(layout.nextManifest);
  }

  put(key: string, body: Body): void {
    const etag = etagOf(body);
    const known = this.#previous?.get(key);
    if (known?.etag === etag) {
      this.#add(known);
      this.#last = { entry: known, path: join(this.#layout.site, key) };
      return;
    }
    const bytes = stampBody(body, this.#now);
    const path = this.#stage(key, (staged) => writeFileSync(staged, bytes));
    const digest = hash("sha256", bytes, "hex");
    const entry = { key, digest, sizeBytes: bytes.length, etag, generatedAt: this.#now };
    this.#add(entry);
    this.#last = { entry, path };
  }

  link(key: string): void {
    if (this.#last === undefined) throw new Error(`${key} has nothing to link to`);
    const { entry, path } = this.#last;
    this.#add({ ...entry, key });
    if (this.#previous?.get(key)?.digest === entry.digest) return;
    this.#stage(key, (staged) => linkOrCopy(path, staged));
  }

  /** Files of the present snapshot that are not in the next; asked for once all is put. */
  countDeletions(): number {
    return this.#keysGone().length;
  }

  commit(meta: ManifestMeta): WriteReport {
    const deletions = this.#keysGone();
    this.#manifest.finish(meta);
    this.#previous?.close();
    writeMoves(this.#layout, { moves: this.#moves, deletions });
    finishCommit(this.#layout);
    return {
      files: this.#files,
      sizeBytes: this.#sizeBytes,
      written: this.#moves.length,
      deleted: deletions.length,
    };
  }

  discard(): void {
    this.#manifest.close();
    this.#previous?.close();
    rmSync(this.#layout.next, { recursive: true, force: true });
  }

  #add(entry: ManifestEntry): void {
    this.#manifest.add(entry);
    this.#files += 1;
    this.#sizeBytes += entry.sizeBytes;
  }

  #stage(key: string, write: (path: string) => void): string {
    const number = this.#moves.length;
    const path = stagedPath(this.#layout, number);
    if (number % FOLDER_SIZE === 0) mkdirSync(dirname(path), { recursive: true });
    write(path);
    this.#moves.push([number, key]);
    return path;
  }

  /** Keys of the present snapshot that the next one does not have. */
  #keysGone(): readonly string[] {
    this.#deletions ??= keysGone(this.#previous, this.#manifest);
    return this.#deletions;
  }
}

function keysGone(previous: Manifest | null, next: { has(key: string): boolean }): string[] {
  const gone: string[] = [];
  for (const { key } of previous?.entries() ?? []) if (!next.has(key)) gone.push(key);
  return gone;
}

/** Starts the next snapshot. `previous` is the present one's manifest, or null; `now` stamps what changed. */
export function createSnapshot(layout: OutLayout, previous: Manifest | null, now: MetaTime): NextSnapshot {
  return new NextSnapshot(layout, previous, now);
}

/** File systems without hard links get a copy. */
function linkOrCopy(source: string, path: string): void {
  try {
    linkSync(source, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"].includes(systemCodeOf(error))) throw error;
    writeFileSync(path, readFileSync(source));
  }
}

function writeMoves(layout: OutLayout, list: MoveList): void {
  const draft = `${layout.moves}.draft`;
  const file = openSync(draft, "w");
  try {
    writeFileSync(file, JSON.stringify(list));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, layout.moves);
}

/**
 * Finishes a snapshot that was complete but not yet in place, or clears away one that never was. Details come before
 * the lists that name them, then the catalog, then deletions; the manifest is last of all.
 */
export function finishCommit(layout: OutLayout): void {
  if (existsSync(layout.moves)) {
    const list = JSON.parse(readFileSync(layout.moves, "utf8")) as MoveList;
    const made = new Set<string>();
    for (const [number, key] of list.moves) {
      const target = join(layout.site, key);
      const folder = dirname(target);
      if (!made.has(folder)) mkdirSync(folder, { recursive: true });
      made.add(folder);
      const staged = stagedPath(layout, number);
      keepTimesApart(staged, target);
      renameIfThere(staged, target);
    }
    renameIfThere(layout.nextCatalog, layout.catalog);
    for (const key of list.deletions) removeFile(layout.site, key);
    renameIfThere(layout.nextManifest, layout.manifest);
  }
  rmSync(layout.next, { recursive: true, force: true });
}

/**
 * Makes a file at least a second younger than the one that it replaces. nginx makes a file's ETag of its size and its
 * time in whole seconds: two releases in one second could else send the second's clients away with a 304.
 */
function keepTimesApart(staged: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  const next = old === undefined ? undefined : statSync(staged, { throwIfNoEntry: false });
  if (old === undefined || next === undefined) return;
  const oldSeconds = Math.floor(old.mtimeMs / 1000);
  if (Math.floor(next.mtimeMs / 1000) <= oldSeconds) utimesSync(staged, next.atime, oldSeconds + 1);
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT" || existsSync(from)) throw error;
  }
}

/** Deletes a file and the folders that it leaves empty. */
function removeFile(site: string, key: string): void {
  rmSync(join(site, key), { force: true });
  for (let folder = dirname(key); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(join(site, folder));
    } catch {
      return; // Not empty, or gone already.
    }
  }
}
