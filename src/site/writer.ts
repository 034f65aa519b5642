/**
 * The next snapshot beside the previous one. A file whose fingerprint the manifest has stays as it is; of the others, those that
 * come out with other bytes are staged, and all are moved into place in one go.
 *
 * Everything that needs disk space happens in `.next/`: a full disk or a crash there leaves the previous snapshot as it
 * was. Then a list names what is to be moved and deleted, and the digest of the next catalog. The commit is the catalog's: it is
 * changed in one transaction, or a new file is renamed to its place. From that moment on the work is only finished, by this
 * process or by the next one that opens the folder.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { etagOfDigest } from "../api/validator.ts";
import { systemCodeOf } from "../base/error.ts";
import { keepTimesApart } from "../base/file-times.ts";
import { makeOpenFolder, OPEN_FILE } from "../base/modes.ts";
import { type OpenFile, PartFile } from "../base/part-file.ts";
import type { MetaTime } from "../base/time.ts";
import { createDigests, reusedMemory, stampBody } from "../catalog/envelope.ts";
import { type CatalogWriter, changeCatalog } from "../catalog/writer.ts";
import type { OutLayout } from "./layout.ts";
import { explainInputs, type MadeFile, type MadeTogether } from "./made-file.ts";
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
import type { WriteReport } from "./report.ts";

/** What is moved and deleted to make the next snapshot the present one. */
interface MoveList {
  /** Keys by staged file number. */
  readonly moves: readonly (readonly [number: number, key: string])[];
  readonly deletions: readonly string[];
  /** The content digest of the next catalog: once the catalog has it, files are moved. Null if there is no catalog. */
  readonly catalog: string | null;
}

/** Staged files stand in folders of this many: some file systems slow down in very large ones. */
const FOLDER_SIZE = 4096;

export function stagedPath(layout: OutLayout, number: number): string {
  return join(layout.nextFiles, String(Math.floor(number / FOLDER_SIZE)), String(number));
}

/** A file that the previous snapshot does not have. */
interface NewFile {
  readonly digest: string;
  readonly sizeBytes: number;
  write(path: string): void;
}

interface WriterOptions {
  /** Stamps what changed. */
  readonly now: MetaTime;
  /** Largest file in bytes; a larger one has no place in the snapshot. */
  readonly mostFileBytes?: number | undefined;
  /** False if all files are to be made and compared, whatever the manifest remembers. */
  readonly remembers: boolean;
  /** True if the files of the previous snapshot are not there: all are written, and those that it knows get the time they had. */
  readonly isFirst?: boolean;
}

/** Takes all files of the next snapshot: those that are not put are not in it. */
export class NextSnapshot {
  readonly #layout: OutLayout;
  readonly #previous: Manifest | null;
  readonly #options: WriterOptions;
  readonly #isFirst: boolean;
  /** True if the manifest begins empty. */
  readonly #isNew: boolean;
  readonly #manifest: ManifestWriter;
  readonly #moves: [number, string][] = [];
  readonly #folders = new Set<string>();
  /** Fingerprints of those files of the previous snapshot that were not put yet, by key. */
  readonly #left: Map<string, string>;
  readonly #ports = {
    allocate: reusedMemory(),
    digestOf: (key: string) => (this.#left.has(key) ? null : this.#manifest.digestOf(key)),
  };
  #files = 0;
  #written = 0;
  #parts = 0;

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

  /** Files that were put by now. */
  get files(): number {
    return this.#files;
  }

  /** Files of the previous snapshot that are not in the next; asked for once all is put. */
  get deletions(): readonly string[] {
    return [...this.#left.keys()];
  }

  /** Adds a file; it is made if its fingerprint is another than the manifest's. Files are put in place in the order of calls. */
  put(file: MadeFile | MadeTogether): void {
    if ("keys" in file) this.#putTogether(file);
    else this.#putFile(file);
  }

  #putFile(file: MadeFile): void {
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
    const { entry, path } = this.#putMade(key, etag, { file, known }, (generatedAt) => {
      const bytes = stampBody(body, generatedAt);
      return {
        digest: digestOf(bytes),
        sizeBytes: bytes.length,
        write: (staged) => writeFileSync(staged, bytes),
      };
    });
    for (const alias of aliases) this.#link(alias, entry, path);
  }

  #putTogether(file: MadeTogether): void {
    if (file.keys.every((key) => this.#isRemembered(key, file))) {
      for (const key of file.keys) this.#keep(key);
      return;
    }
    file.write((key) => this.#open(key, file));
  }

  /** A file in pieces; it is added when it is whole. */
  #open(key: string, file: MadeTogether): OpenFile {
    const part = new PartFile(`${this.#layout.nextPart}${this.#parts++}`);
    const hashed = createHash("sha256");
    return {
      add(bytes) {
        hashed.update(bytes);
        part.add(bytes);
      },
      put: () => {
        const digest = hashed.digest("hex");
        const { sizeBytes } = part;
        if (sizeBytes > (this.#options.mostFileBytes ?? Infinity)) return sizeBytes;
        const known = this.#previous?.built(key);
        const write = (path: string) => part.moveTo(path);
        this.#putMade(key, etagOfDigest(digest), { file, known }, () => ({ digest, sizeBytes, write }));
        return sizeBytes;
      },
      [Symbol.dispose]: () => part[Symbol.dispose](),
    };
  }

  #isRemembered(key: string, { fingerprint }: MadeFile | MadeTogether): boolean {
    return this.#options.remembers && this.#left.get(key) === fingerprint;
  }

  #builtOf(key: string): BuiltEntry {
    const entry = this.#previous?.built(key);
    if (entry === undefined) throw new Error(`The manifest has no ${key}`);
    return entry;
  }

  /** A file stays as it is, and so does its entry. */
  #keep(key: string): void {
    this.#left.delete(key);
    this.#files += 1;
  }

  /** Adds a file that was made, and stages it if the previous snapshot has another. Returns where its bytes are, too. */
  #putMade(
    key: string,
    etag: string,
    { file, known }: { readonly file: MadeFile | MadeTogether; readonly known: BuiltEntry | undefined },
    make: (generatedAt: MetaTime) => NewFile,
  ): { readonly entry: BuiltEntry; readonly path: string } {
    const { fingerprint } = file;
    const inputs = file.inputs();
    if (known?.etag === etag && !this.#isFirst) {
      const entry = { ...known, fingerprint, inputs };
      this.#add(entry, entry, known, false);
      return { entry, path: join(this.#layout.site, key) };
    }
    const generatedAt = known?.etag === etag ? known.generatedAt : this.#options.now;
    const { digest, sizeBytes, write } = make(generatedAt);
    const path = this.#stage(key, known, write);
    const why = known === undefined ? "new" : explainInputs(known.inputs, inputs).join("\n");
    const entry = { key, digest, sizeBytes, etag, generatedAt, fingerprint, inputs, why };
    this.#add(entry, entry, known, true);
    return { entry, path };
  }

  /** Adds a key with the bytes of a file that was just added. */
  #link(alias: string, of: BuiltEntry, path: string): void {
    const known = this.#previous?.built(alias);
    const isChanged = this.#isFirst || known?.digest !== of.digest;
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

  /** Stages a file and returns where. A first snapshot's files are in their places at once: the folder is moved as a whole. */
  #stage(key: string, known: ManifestEntry | undefined, write: (path: string) => void): string {
    const path = this.#isFirst
      ? join(this.#layout.nextSite, key)
      : stagedPath(this.#layout, this.#moves.length);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      makeOpenFolder(folder);
      // Keys come folder by folder: few are remembered.
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
   * Puts everything in place; after that this writer is done. `catalog`: of a catalog that is changed in its place, in a transaction;
   * null if a new one is in `.next/`.
   */
  commit(meta: ManifestMeta, catalog: CatalogWriter | null): WriteReport {
    const { deletions } = this;
    if (!this.#isNew) for (const key of deletions) this.#manifest.remove(this.#builtOf(key));
    const { files, sizeBytes } = this.#manifest.finish(meta);
    this.#previous?.close();
    for (const file of [this.#layout.nextCatalog, this.#layout.nextManifest]) sync(file);
    writeMoves(this.#layout, { moves: this.#moves, deletions, catalog: meta["catalog_digest"] ?? null });
    catalog?.commit();
    finishCommit(this.#layout);
    return { files, sizeBytes, written: this.#written, deleted: deletions.length };
  }

  /** Throws the next snapshot away, unless it is committed: then the next process finishes it. */
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
 * Finishes a snapshot whose catalog is committed, or clears away one that never was. Details come before the lists that name them,
 * then deletions; the manifest is last of all. All of it may be repeated.
 */
export function finishCommit(layout: OutLayout): void {
  if (existsSync(layout.moves)) {
    const list = JSON.parse(readFileSync(layout.moves, "utf8")) as MoveList;
    renameIfThere(layout.nextCatalog, layout.catalog);
    if (digestOf(layout.catalog) === list.catalog) move(layout, list);
  }
  rmSync(layout.next, { recursive: true, force: true });
}

function move(layout: OutLayout, { moves, deletions }: MoveList): void {
  // Nothing but what is public is in it: a fallback of another user may read it.
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
  renameIfThere(layout.nextReadings, layout.readings);
  // The list of moves goes only once what was moved is sure to stay.
  sync(dirname(layout.catalog));
}

/** The content digest of a catalog, without the transaction of a process that was killed; null if it cannot be read. */
function digestOf(catalog: string): string | null {
  try {
    const writer = changeCatalog(catalog);
    try {
      return writer.meta("digest");
    } finally {
      writer.close();
    }
  } catch (error) {
    // Another process reads it: what it is cannot be said now.
    if (systemCodeOf(error).startsWith("SQLITE_BUSY")) throw error;
    return null;
  }
}

/** Nothing stands in the place of a first snapshot but what somebody left there. */
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
