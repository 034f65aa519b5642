/**
 * Stages the next snapshot next to the present one and then moves it into place. Unchanged answers are not written at all.
 *
 * Everything that needs disk space happens in `.next/`; a full disk or a crash there leaves the present snapshot as it
 * was. Then a list of moves names what is to be moved and deleted: from that moment on the work is only finished, by this
 * process or by the next one that opens the folder.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCodeOf } from "../base/error.ts";
import { makeOpenFolder, makePrivateFolder, OPEN_FILE } from "../base/modes.ts";
import type { MetaTime } from "../base/time.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import { applyDeltas } from "./apply-deltas.ts";
import { type DeltaHeader, keysOf, openDelta, type RowLines, readHeader, writeDelta } from "./delta.ts";
import type { OutLayout } from "./layout.ts";
import {
  type ChangedEntry,
  changeManifest,
  contentAfter,
  createManifest,
  endsOf,
  type Manifest,
  type ManifestChanges,
  type ManifestEntry,
  type ManifestMeta,
  type ManifestWriter,
  openManifest,
} from "./manifest.ts";
import type { WriteReport } from "./report.ts";
import { Staging, stagedPath } from "./staging.ts";

/** What is moved and deleted to make the next snapshot the present one. */
interface MoveList {
  /** Keys by staged file number. */
  readonly moves: readonly (readonly [number: number, key: string])[];
  readonly deletions: readonly string[];
  /** What the manifest says of a snapshot that a delta leads to; null where a whole one stands ready. */
  readonly meta: ManifestMeta | null;
}

type KeyChanges = Omit<ManifestChanges, "meta">;

/** What a delta changes, where it was just made: the catalog's writer has its rows in a transaction. */
interface AppliedDelta {
  readonly writer: CatalogWriter;
  readonly keys: KeyChanges;
}

/** Stages a whole snapshot: what is not put is not in it. */
export class NextSnapshot extends Staging {
  readonly #manifest: ManifestWriter;
  #files = 0;
  #written = 0;
  #sizeBytes = 0;
  #deletions: readonly string[] | undefined;

  constructor(layout: OutLayout, previous: Manifest | null, now: MetaTime, isFirst = previous === null) {
    super(layout, previous, now, { isFirst });
    this.#manifest = createManifest(layout.nextManifest);
  }

  protected add(entry: ManifestEntry, isChanged: boolean): void {
    this.#manifest.add(entry);
    this.#files += 1;
    this.#sizeBytes += entry.sizeBytes;
    if (isChanged) this.#written += 1;
  }

  digestOf(key: string): string | null {
    return this.#manifest.digestOf(key);
  }

  /** Files of the present snapshot that are not in the next; asked for once all is put. */
  get deletions(): readonly string[] {
    this.#deletions ??= this.isFirst ? [] : keysGone(this.previous, this.#manifest);
    return this.#deletions;
  }

  /** Keys whose answers are not as they were, with where the next of each stands. */
  *changes(): Generator<{ readonly key: string; readonly path: string }> {
    for (const [number, key] of this.moves) yield { key, path: stagedPath(this.layout, number) };
  }

  /** Puts everything in place. After that the writer is done. */
  commit(meta: ManifestMeta): WriteReport {
    const { deletions } = this;
    this.#manifest.finish(meta);
    this.previous?.close();
    for (const file of [this.layout.nextCatalog, this.layout.nextManifest]) sync(file);
    writeMoves(this.layout, { moves: this.moves, deletions, meta: null });
    finishCommit(this.layout);
    return {
      files: this.#files,
      sizeBytes: this.#sizeBytes,
      written: this.#written,
      deleted: deletions.length,
    };
  }

  /** Throws the next snapshot away. */
  discard(): void {
    this.#manifest.close();
    this.previous?.close();
    rmSync(this.layout.next, { recursive: true, force: true });
  }
}

/** Stages what a delta changes of a snapshot: what is not named stays. */
export class SnapshotDelta extends Staging {
  readonly #changed = new Map<string, ChangedEntry>();
  /** Keys that came out as they were. */
  readonly #kept = new Set<string>();
  readonly #gone = new Map<string, ManifestEntry>();
  readonly #manifest: Manifest;

  constructor(layout: OutLayout, previous: Manifest, now: MetaTime) {
    super(layout, previous, now);
    this.#manifest = previous;
  }

  protected add(entry: ManifestEntry, isChanged: boolean, known: ManifestEntry | undefined): void {
    if (isChanged) this.#changed.set(entry.key, { entry, known });
    else this.#kept.add(entry.key);
  }

  override remove(key: string): void {
    if (this.#changed.has(key) || this.#kept.has(key) || this.#gone.has(key)) return;
    const known = this.#manifest.get(key);
    if (known !== undefined) this.#gone.set(key, known);
  }

  digestOf(key: string): string | null {
    if (this.#gone.has(key)) return null;
    return (this.#changed.get(key)?.entry ?? this.#manifest.get(key))?.digest ?? null;
  }

  /** Keys that are taken out. */
  get deletions(): readonly string[] {
    return this.#deleted.map(({ key }) => key);
  }

  get #deleted(): ManifestEntry[] {
    return [...this.#gone.values()].filter(({ key }) => !this.#changed.has(key) && !this.#kept.has(key));
  }

  /** Files of the snapshot once the delta is applied. */
  get files(): number {
    const added = [...this.#changed.values()].filter(({ known }) => known === undefined).length;
    return this.#manifest.totals().files + added - this.deletions.length;
  }

  /** Writes the delta's file and puts everything in place. `writer`: the catalog's, with the rows in its transaction. */
  commit(
    meta: ManifestMeta,
    header: Omit<DeltaHeader, "delta" | "from" | "to">,
    rows: RowLines,
    writer: CatalogWriter,
  ): WriteReport {
    const put = [...this.#changed.values()].map(({ entry }) => entry);
    const deleted = this.#deleted;
    const gone = deleted.map(({ key }) => key);
    const from = endsOf(this.#manifest.meta);
    const content = contentAfter(this.#manifest.meta, this.#changed.values(), deleted);
    const to = endsOf({ ...meta, content });
    this.#manifest.close();
    writeDelta(this.layout.nextDelta, { from, to, ...header }, rows, put, gone);
    writeMoves(this.layout, { moves: this.moves, deletions: gone, meta });
    finishCommit(this.layout, { writer, keys: { put, gone } });
    const after = openManifest(this.layout.manifest);
    const totals = after.totals();
    after.close();
    return { ...totals, written: put.length, deleted: gone.length };
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

/** Starts an older snapshot anew, every file of it: those that its manifest knows get the bytes they had, `generated_at` and all. */
export function restoreSnapshot(layout: OutLayout, older: Manifest, now: MetaTime): NextSnapshot {
  return new NextSnapshot(layout, older, now, true);
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
  sync(layout.next);
}

/** What stands at a path outlives a power failure once this returns; of a folder, the names in it. */
function sync(path: string): void {
  if (!existsSync(path)) return;
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } catch (error) {
    // There are file systems that can't do this for a folder.
    if (!statSync(path).isDirectory()) throw error;
  } finally {
    closeSync(opened);
  }
}

/**
 * Finishes a snapshot that was complete but not yet in place, or clears away one that never was. Details come before
 * the lists that name them, then the catalog, then deletions; the manifest is last of all. All of it may be repeated.
 * `delta`: what the delta's file says, where that is known; else it is read.
 */
export function finishCommit(layout: OutLayout, delta?: AppliedDelta): void {
  if (existsSync(layout.moves)) {
    const list = JSON.parse(readFileSync(layout.moves, "utf8")) as MoveList;
    if (existsSync(layout.nextSite)) moveSite(layout);
    const made = new Set<string>();
    for (const [number, key] of list.moves) {
      const target = join(layout.site, key);
      const folder = dirname(target);
      if (!made.has(folder)) makeOpenFolder(folder);
      made.add(folder);
      renameIfThere(stagedPath(layout, number), target);
    }
    if (delta !== undefined) delta.writer.commit();
    else if (list.meta !== null && existsSync(layout.nextDelta)) applyToCatalog(layout);
    renameIfThere(layout.nextCatalog, layout.catalog);
    // Nothing but what is public is in it: a fallback of another user may read it.
    if (existsSync(layout.catalog)) chmodSync(layout.catalog, OPEN_FILE);
    for (const key of list.deletions) removeFile(layout.site, key);
    renameIfThere(layout.nextManifest, layout.manifest);
    if (list.meta === null) rmSync(layout.deltas, { recursive: true, force: true });
    if (list.meta !== null && existsSync(layout.nextDelta)) {
      changeManifest(layout.manifest, { ...(delta?.keys ?? keysIn(layout.nextDelta)), meta: list.meta });
      keepDelta(layout);
    }
    renameIfThere(layout.nextReadings, layout.readings);
    // The list of moves goes only once what was moved is sure to stay.
    sync(dirname(layout.catalog));
  }
  rmSync(layout.next, { recursive: true, force: true });
}

/** Nothing stands in the place of a first snapshot but what somebody left there. */
function moveSite(layout: OutLayout): void {
  rmSync(layout.site, { recursive: true, force: true });
  renameSync(layout.nextSite, layout.site);
}

function applyToCatalog({ catalog, nextDelta }: OutLayout): void {
  // A record may be of any length, here where it is ours.
  const mostBytes = Number.POSITIVE_INFINITY;
  applyDeltas(catalog, [nextDelta], { digest: readHeader(nextDelta).to.catalog, mostBytes });
}

function keysIn(file: string): KeyChanges {
  const put: ManifestEntry[] = [];
  const gone: string[] = [];
  for (const change of keysOf(openDelta(file, Number.POSITIVE_INFINITY))) {
    if ("file" in change) put.push(change.file);
    else gone.push(change.gone);
  }
  return { put, gone };
}

/** Deltas of more than this share of the catalog's bytes are not kept: to whoever is further behind, the whole is less. */
const KEPT_SHARE = 0.25;
/** Nor are more files than that: each is looked at with each build. */
const KEPT_FILES = 500;

/** `00000012.ndjson`: in the order in which they were applied. The newest stay for as long as there is room. */
function keepDelta(layout: OutLayout): void {
  makePrivateFolder(layout.deltas);
  const last = Number.parseInt(deltaFiles(layout).at(-1) ?? "0", 10);
  renameSync(layout.nextDelta, join(layout.deltas, `${String(last + 1).padStart(8, "0")}.ndjson`));
  let room = KEPT_SHARE * statSync(layout.catalog).size;
  for (const [at, name] of deltaFiles(layout).reverse().entries()) {
    const file = join(layout.deltas, name);
    room -= statSync(file).size;
    if (room < 0 || at >= KEPT_FILES) rmSync(file);
  }
}

/** Names of the deltas that are kept, oldest first. */
export function deltaFiles(layout: OutLayout): string[] {
  if (!existsSync(layout.deltas)) return [];
  return readdirSync(layout.deltas)
    .filter((file) => /^\d{8}\.ndjson$/.test(file))
    .sort();
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
