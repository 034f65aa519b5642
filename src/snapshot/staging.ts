/** Answers → staged files of the next snapshot, where they differ from the present one's; by the whole or by a thread's part. */
import { createHash } from "node:crypto";
import { chmodSync, linkSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { etagOfDigest } from "../api/validator.ts";
import { systemCodeOf } from "../base/error.ts";
import { makeOpenFolder, OPEN_FILE } from "../base/modes.ts";
import { type OpenFile, PartFile } from "../base/part-file.ts";
import type { MetaTime } from "../base/time.ts";
import { type Body, createDigests, stampBody } from "../catalog/envelope.ts";
import type { OutLayout } from "./layout.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";

/** Takes the answers of a snapshot. */
export interface SnapshotWriter {
  /**
   * Adds the answer at a key, and at others that have the same bytes: hard links on disk. Its bytes are not needed any more
   * then. Order of calls is the order in which files are put in place.
   */
  put(key: string, body: Body, aliases?: readonly string[]): void;
  /** The file at a key, which is no answer, in pieces: it is put once it is whole. */
  open(key: string): OpenFile;
  /** Takes a key out, where it is in; one that is put as well stays. */
  remove(key: string): void;
  /** SHA-256 of the file that the snapshot will have at a key, as far as it was put by now, hexadecimal; null where it has none. */
  digestOf(key: string): string | null;
}

/** Staged files stand in folders of this many: some file systems slow down in very large ones. */
const FOLDER_SIZE = 4096;

export function stagedPath(layout: OutLayout, number: number): string {
  return join(layout.nextFiles, String(Math.floor(number / FOLDER_SIZE)), String(number));
}

/** A file that the present snapshot has not got. */
interface NewFile {
  readonly digest: string;
  readonly sizeBytes: number;
  write(path: string): void;
}

interface StagingOptions {
  readonly firstNumber?: number;
  /** Where the files of a previous snapshot are not there: all are made, and those that it knows get the bytes they had. */
  readonly isFirst?: boolean;
}

/** Stages the answers of the next snapshot that differ from the present one's. */
export abstract class Staging implements SnapshotWriter {
  protected readonly layout: OutLayout;
  protected readonly previous: Manifest | null;
  /** True where no file stands yet. */
  protected readonly isFirst: boolean;
  protected readonly moves: [number, string][] = [];
  readonly #now: MetaTime;
  /** Number of the first staged file. */
  readonly #firstNumber: number;
  readonly #folders = new Set<string>();
  #parts = 0;

  constructor(
    layout: OutLayout,
    previous: Manifest | null,
    now: MetaTime,
    { firstNumber = 0, isFirst = previous === null }: StagingOptions = {},
  ) {
    this.layout = layout;
    this.previous = previous;
    previous?.hold();
    this.isFirst = isFirst;
    this.#now = now;
    this.#firstNumber = firstNumber;
  }

  /** Told of each answer; `known`: what the present snapshot has at its key. */
  protected abstract add(entry: ManifestEntry, isChanged: boolean, known: ManifestEntry | undefined): void;

  /** What is not put in a whole snapshot is not in it. */
  remove(_key: string): void {}

  abstract digestOf(key: string): string | null;

  put(key: string, body: Body, aliases: readonly string[] = []): void {
    const { etag, digestOf } = createDigests(body);
    const { entry, path } = this.#put(key, etag, (generatedAt) => {
      const bytes = stampBody(body, generatedAt);
      return {
        digest: digestOf(bytes),
        sizeBytes: bytes.length,
        write: (staged) => writeFileSync(staged, bytes),
      };
    });
    for (const alias of aliases) this.#link(alias, entry, path);
  }

  open(key: string): OpenFile {
    const part = new PartFile(`${this.layout.nextPart}${this.#firstNumber + this.#parts++}`);
    const hashed = createHash("sha256");
    return {
      add(bytes) {
        hashed.update(bytes);
        part.add(bytes);
      },
      put: () => {
        const [digest, { sizeBytes }] = [hashed.digest("hex"), part];
        const write = (staged: string) => part.moveTo(staged);
        this.#put(key, etagOfDigest(digest), () => ({ digest, sizeBytes, write }));
        return sizeBytes;
      },
      [Symbol.dispose]: () => part[Symbol.dispose](),
    };
  }

  /** Adds the answer at a key, and stages it where the present snapshot has another. Returns where it stands. */
  #put(
    key: string,
    etag: string,
    make: (generatedAt: MetaTime) => NewFile,
  ): { entry: ManifestEntry; path: string } {
    const known = this.previous?.get(key);
    const same = known?.etag === etag ? known : null;
    if (same !== null && !this.isFirst) {
      this.add(same, false, known);
      return { entry: same, path: join(this.layout.site, key) };
    }
    const generatedAt = same?.generatedAt ?? this.#now;
    const { digest, sizeBytes, write } = make(generatedAt);
    const path = this.#stage(key, known, write);
    const entry = { key, digest, sizeBytes, etag, generatedAt };
    this.add(entry, true, known);
    return { entry, path };
  }

  #link(key: string, entry: ManifestEntry, path: string): void {
    const known = this.previous?.get(key);
    const isChanged = this.isFirst || known?.digest !== entry.digest;
    this.add({ ...entry, key }, isChanged, known);
    if (isChanged) this.#stage(key, known, (staged) => linkOrCopy(path, staged));
  }

  /** Takes what a thread staged. Order of calls is the order in which files are put in place. */
  take({ entries, moves }: StagedPart): void {
    for (const staged of entries) this.add(...staged);
    for (const [number, key] of moves) this.moves.push([number, key]);
  }

  /** A first snapshot's files stand in their places at once: the folder as a whole is moved. */
  #stage(key: string, known: ManifestEntry | undefined, write: (path: string) => void): string {
    const number = this.#firstNumber + this.moves.length;
    const path = this.isFirst ? join(this.layout.nextSite, key) : stagedPath(this.layout, number);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      makeOpenFolder(folder);
      // Keys come folder by folder: what was made is not asked for again, and few are remembered.
      if (this.#folders.size > FOLDER_SIZE) this.#folders.clear();
      this.#folders.add(folder);
    }
    write(path);
    chmodSync(path, OPEN_FILE);
    if (this.isFirst) return path;
    if (known !== undefined) keepTimesApart(path, join(this.layout.site, key));
    this.moves.push([number, key]);
    return path;
  }
}

/** An answer, whether it differs from the present snapshot's, and what that has at its key where it is. */
export type StagedEntry = readonly [
  entry: ManifestEntry,
  isChanged: boolean,
  known: ManifestEntry | undefined,
];

/** What a thread staged, to be taken by the writer of the whole. Data. */
export interface StagedPart {
  readonly entries: readonly StagedEntry[];
  readonly moves: readonly (readonly [number: number, key: string])[];
}

/** Staged files of parts are numbered from multiples of this on: more than one part can have. */
const PART_NUMBERS = 2 ** 32;

/** What of a snapshot a part is of. Data: it goes from thread to thread. */
export interface StagedSnapshot {
  readonly layout: OutLayout;
  /** False where the snapshot is the first one. */
  readonly hasPrevious: boolean;
  readonly now: MetaTime;
}

export interface PartOptions extends StagedSnapshot {
  /** From 0; no two parts have one number. */
  readonly place: number;
}

/** Stages a part of a snapshot, in a thread that does not write the manifest. */
export class SnapshotPart extends Staging {
  readonly #entries = new Map<string, StagedEntry>();

  /** @param previous what the present snapshot's manifest says, where there is one */
  constructor({ layout, now, place }: Omit<PartOptions, "hasPrevious">, previous: Manifest | null) {
    super(layout, previous, now, { firstNumber: (place + 1) * PART_NUMBERS });
  }

  protected add(entry: ManifestEntry, isChanged: boolean, known: ManifestEntry | undefined): void {
    this.#entries.set(entry.key, [entry, isChanged, isChanged ? known : undefined]);
  }

  /** Of those of this part. */
  digestOf(key: string): string | null {
    return this.#entries.get(key)?.[0].digest ?? null;
  }

  get staged(): StagedPart {
    return { entries: [...this.#entries.values()], moves: this.moves };
  }
}

/**
 * Makes a file at least a second younger than the one that it will replace. nginx makes a file's ETag of its size and its
 * time in whole seconds: two releases in one second could else send the second's clients away with a 304.
 */
function keepTimesApart(staged: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  if (old === undefined) return;
  const next = statSync(staged);
  const oldSeconds = Math.floor(old.mtimeMs / 1000);
  if (Math.floor(next.mtimeMs / 1000) <= oldSeconds) utimesSync(staged, next.atime, oldSeconds + 1);
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
