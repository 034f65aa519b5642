/**
 * The next snapshot beside the previous one. A file whose fingerprint the manifest has stays as it is. Of the others, those with
 * different bytes are staged, and all are moved into place together.
 *
 * Everything that needs disk space happens in `.next/`: a full disk or a crash there leaves the previous snapshot untouched. Then a
 * list names the moves, the deletions and the digest of the next catalog. The catalog makes the commit: it is changed in one
 * transaction, or a new file is renamed to its place. From then on the work can only be completed, by this process or by the next one
 * that opens the folder.
 */
import { hash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCodeOf } from "../base/error.ts";
import {
  keepTimesApart,
  makeOpenFolder,
  OPEN_FILE,
  readPlainFile,
  refusePipe,
  removeEmptyFolders,
} from "../base/files.ts";
import { type Notes, SILENT } from "../base/log.ts";
import { isMachineTrouble, writeMemory } from "../base/memory.ts";
import type { MetaTime } from "../base/time.ts";
import { type CatalogFileWriter, changeCatalog } from "../catalog/catalog-file.ts";
import { createDigests, reusedMemory, stampBody } from "../catalog/envelope.ts";
import type { OutLayout } from "./layout.ts";
import { explainInputs, type MadeFile } from "./made-file.ts";
import {
  type BuiltEntry,
  copyManifest,
  createManifest,
  type MadeOfInputs,
  type Manifest,
  type ManifestEntry,
  type ManifestMeta,
  type ManifestWriter,
} from "./manifest.ts";
import type { WriteReport } from "./write-report.ts";

/** What to move and delete to make the next snapshot current. */
interface MoveList {
  /** Keys by staged file number. */
  readonly moves: readonly (readonly [number: number, key: string])[];
  readonly deletions: readonly string[];
  /** The content digest of the next catalog: files are moved once the catalog has it. Null if there is no catalog. */
  readonly catalog: string | null;
}

/** Staged files per folder: some file systems slow down in very large folders. */
const FOLDER_SIZE = 4096;

export function stagedPath(layout: OutLayout, number: number): string {
  return join(layout.nextFiles, String(Math.floor(number / FOLDER_SIZE)), String(number));
}

interface WriterOptions {
  /** The time that changed answers get. */
  readonly now: MetaTime;
  /** Largest file in bytes; larger ones are left out of the snapshot. */
  readonly mostFileBytes?: number | undefined;
  /** False: make and compare all files, without the manifest's fingerprints. */
  readonly remembers: boolean;
  /** True: the previous snapshot's files do not exist. All are written, and those that its manifest has keep their time. */
  readonly isFirst?: boolean;
}

/** Receives all files of the next snapshot: files that are not put are not in it. */
export class NextSnapshot {
  readonly #layout: OutLayout;
  readonly #previous: Manifest | null;
  readonly #options: WriterOptions;
  readonly #isFirst: boolean;
  /** True if the manifest is empty at the start. */
  readonly #isNew: boolean;
  readonly #manifest: ManifestWriter;
  readonly #moves: [number, string][] = [];
  readonly #folders = new Set<string>();
  /** Fingerprints of the previous snapshot's files that have not been put yet, by key. */
  readonly #left: Map<string, string>;
  readonly #ports = {
    allocate: reusedMemory(),
    putFile: (key: string) => (this.#left.has(key) ? null : this.#manifest.get(key)),
  };
  #files = 0;
  #written = 0;

  constructor(layout: OutLayout, previous: Manifest | null, options: WriterOptions) {
    this.#layout = layout;
    this.#previous = previous;
    this.#options = options;
    this.#isFirst = options.isFirst ?? previous === null;
    this.#isNew = this.#isFirst || !options.remembers;
    this.#manifest = this.#isNew
      ? createManifest(layout.nextManifest)
      : copyManifest(layout.manifest, layout.nextManifest);
    previous?.hold();
    this.#left = this.#isFirst ? new Map() : (previous?.fingerprints() ?? new Map());
  }

  /** Number of files put so far. */
  get files(): number {
    return this.#files;
  }

  /** Files of the previous snapshot that are not in the next one; valid once all files are put. */
  get deletions(): readonly string[] {
    return [...this.#left.keys()];
  }

  /** Adds a file; makes it if its fingerprint differs from the manifest's. Files are put in place in the order of calls. */
  put(file: MadeFile): void {
    const { key, aliases } = file;
    if (this.#isRemembered(key, file)) {
      this.#keep(key);
      for (const alias of aliases) {
        // An alias has its file's fingerprint.
        if (this.#isRemembered(alias, file)) this.#keep(alias);
        else this.#link(alias, this.#builtOf(key), join(this.#layout.site, key));
      }
      return;
    }
    const known = this.#previous?.built(key);
    const body = file.make(this.#ports);
    if (body.bytes.length > (this.#options.mostFileBytes ?? Infinity)) return;
    const { etag, digestOf } = createDigests(body);
    const made = { fingerprint: file.fingerprint, inputs: file.inputs() };
    const isSame = known?.etag === etag;
    if (isSame && this.#isInPlace(known)) {
      const entry = { ...known, ...made };
      this.#add(entry, entry, known, false);
      for (const alias of aliases) this.#link(alias, entry, join(this.#layout.site, key));
      return;
    }
    const changedAt = file.changedAt?.();
    const isLater = changedAt !== undefined && changedAt > (known?.generatedAt ?? "");
    const generatedAt = isSame ? known.generatedAt : isLater ? changedAt : this.#options.now;
    const bytes = stampBody(body, generatedAt);
    const path = this.#stage(key, known, (staged) => writeFileSync(staged, bytes));
    const why = known === undefined ? "new" : explainInputs(known.inputs, made.inputs).join("\n");
    const entry = { key, digest: digestOf(bytes), sizeBytes: bytes.length, etag, generatedAt, ...made, why };
    this.#add(entry, entry, known, true);
    for (const alias of aliases) this.#link(alias, entry, path);
  }

  /** Keeps files of the previous snapshot with their entries, instead of putting them. */
  keep(isKept: (key: string) => boolean): void {
    for (const key of this.#left.keys()) if (isKept(key)) this.#keep(key);
  }

  #isRemembered(key: string, { fingerprint }: MadeFile): boolean {
    return this.#options.remembers && this.#left.get(key) === fingerprint;
  }

  /**
   * True if the previous snapshot's file can stay. A build that makes everything again looks: the file may be damaged, or of another
   * state than the manifest, as in a backup that ran during a build.
   */
  #isInPlace({ key, digest, sizeBytes }: ManifestEntry): boolean {
    if (this.#isFirst) return false;
    if (this.#options.remembers) return true;
    const file = join(this.#layout.site, key);
    const found = lstatSync(file, { throwIfNoEntry: false });
    return (
      found?.isFile() === true &&
      found.size === sizeBytes &&
      hash("sha256", readFileSync(file), "hex") === digest
    );
  }

  #builtOf(key: string): BuiltEntry {
    const entry = this.#previous?.built(key);
    if (entry === undefined) throw new Error(`The manifest has no ${key}`);
    return entry;
  }

  /** Keeps a file and its entry. */
  #keep(key: string): void {
    this.#left.delete(key);
    this.#files += 1;
  }

  /** Adds another key with the bytes of a file that was just added. */
  #link(alias: string, of: BuiltEntry, path: string): void {
    const known = this.#previous?.built(alias);
    const isChanged = known?.digest !== of.digest || !this.#isInPlace(known);
    this.#add({ ...of, key: alias }, { ...of, inputs: `= ${of.key}` }, known, isChanged);
    if (isChanged) this.#stage(alias, known, (staged) => linkOrCopy(path, staged));
  }

  #add(entry: ManifestEntry, made: MadeOfInputs, known: ManifestEntry | undefined, isChanged: boolean): void {
    if (this.#isNew || known === undefined) this.#manifest.add(entry, made);
    else this.#manifest.replace(known, entry, made);
    this.#left.delete(entry.key);
    this.#files += 1;
    if (isChanged) this.#written += 1;
  }

  /** Stages a file and returns its path. A first snapshot is staged by key, since the folder is moved as a whole. */
  #stage(key: string, known: ManifestEntry | undefined, write: (path: string) => void): string {
    const path = this.#isFirst
      ? join(this.#layout.nextSite, key)
      : stagedPath(this.#layout, this.#moves.length);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      makeOpenFolder(folder);
      // Keys come folder by folder, so it is enough to remember few.
      if (this.#folders.size > FOLDER_SIZE) this.#folders.clear();
      this.#folders.add(folder);
    }
    write(path);
    chmodSync(path, OPEN_FILE);
    if (this.#isFirst) return path;
    if (known !== undefined) keepTimesApart(path, join(this.#layout.site, key));
    this.#moves.push([this.#moves.length, key]);
    return path;
  }

  /**
   * Puts everything in place; after that this writer is finished. `catalog`: the writer of a catalog that is changed in place, inside a
   * transaction; null if `.next/` has a new catalog.
   */
  commit(meta: ManifestMeta, catalog: CatalogFileWriter | null, log: Notes = SILENT): WriteReport {
    const { deletions } = this;
    if (!this.#isNew) for (const key of deletions) this.#manifest.remove(this.#builtOf(key));
    const { files, sizeBytes } = this.#manifest.finish(meta);
    this.#previous?.close();
    for (const file of [this.#layout.nextCatalog, this.#layout.nextManifest]) sync(file);
    writeMoves(this.#layout, { moves: this.#moves, deletions, catalog: meta["catalog_digest"] ?? null });
    catalog?.commit();
    finishCommit(this.#layout, log);
    return { files, sizeBytes, written: this.#written, deleted: deletions.length };
  }

  /** Discards the next snapshot, unless it is committed: then the next process completes it. */
  discard(): void {
    this.#manifest.close();
    this.#previous?.close();
    if (!existsSync(this.#layout.moves)) rmSync(this.#layout.next, { recursive: true, force: true });
  }
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
  sync(layout.next);
}

/** Syncs a file, or the names in a folder, so that they survive a power failure. */
function sync(path: string): void {
  if (!existsSync(path)) return;
  refusePipe(path);
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } catch (error) {
    // Some file systems cannot sync a folder.
    if (!statSync(path).isDirectory()) throw error;
  } finally {
    closeSync(opened);
  }
}

/**
 * Completes a snapshot whose catalog is committed, or removes one that never was. Details come before the lists that name them, then
 * deletions, and the manifest last. All of it can be repeated.
 */
export function finishCommit(layout: OutLayout, log: Notes = SILENT): void {
  if (existsSync(layout.moves)) {
    const list = JSON.parse(readPlainFile(layout.moves).toString()) as MoveList;
    renameIfThere(layout.nextCatalog, layout.catalog);
    if (digestOf(layout.catalog) === list.catalog) move(layout, list, log);
  }
  rmSync(layout.next, { recursive: true, force: true });
}

function move(layout: OutLayout, { moves, deletions }: MoveList, log: Notes): void {
  // The catalog holds only public content: a fallback of another user may read it.
  if (existsSync(layout.catalog)) chmodSync(layout.catalog, OPEN_FILE);
  if (existsSync(layout.nextSite)) moveSite(layout);
  const made = new Set<string>();
  for (const [number, key] of moves) {
    const target = join(layout.site, key);
    const folder = dirname(target);
    if (!made.has(folder)) makeOpenFolder(folder);
    made.add(folder);
    renameIfThere(stagedPath(layout, number), target);
  }
  for (const key of deletions) removeFile(layout.site, key);
  renameIfThere(layout.nextManifest, layout.manifest);
  moveReadings(layout, log);
  // Delete the list of moves only after the moves are safely on the disk.
  sync(dirname(layout.catalog));
}

/** The content digest of a catalog, after rolling back the transaction of a killed process; null if it cannot be read. */
function digestOf(catalog: string): string | null {
  try {
    const writer = changeCatalog(catalog);
    try {
      return writer.meta("digest");
    } finally {
      writer.close();
    }
  } catch (error) {
    // Another process is reading it, or the machine cannot: its digest cannot be determined now, and the moves must stay.
    if (existsSync(catalog) && isMachineTrouble(error)) throw error;
    return null;
  }
}

/**
 * Puts what is remembered of the build in place. Without it the snapshot is whole all the same: the memory of the previous snapshot names
 * another catalog and is not used.
 */
export function moveReadings({ nextReadings, readings: file }: OutLayout, log: Notes): void {
  const what = "what this build read of the store";
  const follows = "the next build reads and makes everything again";
  writeMemory({ file, what, follows, log }, () => renameIfThere(nextReadings, file));
}

/** Moves a first snapshot's folder into place, over the remains of an earlier one. */
function moveSite(layout: OutLayout): void {
  rmSync(layout.site, { recursive: true, force: true });
  renameSync(layout.nextSite, layout.site);
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT" || existsSync(from)) throw error;
  }
}

/** Deletes a file and the folders that become empty. */
function removeFile(site: string, key: string): void {
  rmSync(join(site, key), { force: true });
  removeEmptyFolders(site, key);
}
