/**
 * The copy of a catalog that a server answers from, kept up to date in one loop: partitions that differ from those of its source
 * are fetched, and applied in one transaction. Its reader sees it as it was until it switches.
 */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Notes } from "../base/log.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { PartitionNames } from "../release/fetch.ts";
import type { CatalogSource, FoundCatalog } from "./catalog-source.ts";
import { runInThread } from "./in-thread.ts";

/** What the reader of a copy is to switch to. */
export interface CopyChange {
  readonly file: string;
  readonly digest: string;
}

export interface CopyReader {
  /** Switches to a change. The copy stays as it is until that is done. */
  take(change: CopyChange): Promise<void>;
  /** Reads on what the copy is now: then what is in its log is not needed. */
  refresh(): Promise<void>;
}

/** How one look at the source went; `error` is null where it succeeded. */
export type Polled = (poll: { readonly seconds: number; readonly error: unknown }) => void;

export interface CopyOptions {
  readonly log: Notes;
  readonly polled?: Polled | undefined;
  /** True for a failure that may pass: if the first look ends with it, a later one brings the first catalog. Default: none may. */
  readonly mayPass?: (error: unknown) => boolean;
}

/** Which catalog the copy is. A file beside it says so to the next process. */
interface CopyIdentity {
  /** The source's id; null if what the file says is not the copy's. */
  readonly id: string | null;
  readonly digest: string;
  /** The folder of the copy. */
  readonly folder: string;
  /** What its partitions are named; null if that is not known. */
  readonly names: PartitionNames | null;
}

const PREFIX = "copy-";
const CATALOG = "catalog.sqlite";
const PRESENT = "present.json";
/** The folder of partitions that are fetched. */
const FETCHED = "partitions";

/** Errors of a catalog that another try would not change. */
const FINAL: readonly string[] = ["remote_invalid", "newer_format", "catalog_unreadable"];

function isFinal(error: unknown): boolean {
  return error instanceof VitrineError && FINAL.includes(error.code);
}

/**
 * How long the start waits for the source to name a catalog; a source may keep its followers waiting for minutes. Without a
 * copy, what it names is waited for, however long that takes: requests go to another server meanwhile.
 */
const START_MILLISECONDS = 5000;

/** How long the end of a poll that is under way is waited for. */
const END_MILLISECONDS = 2000;

/** With a write-ahead log, changes are applied while others read. */
function useLog(file: string): void {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.close();
}

function storedDigest(file: string): string {
  const catalog = openCatalog(file);
  catalog.close();
  return catalog.digest;
}

export class CatalogCopy implements AsyncDisposable {
  readonly #source: CatalogSource;
  /** A folder for this copy alone. */
  readonly #home: string;
  readonly #options: CopyOptions;
  readonly #stop = new AbortController();
  #present: CopyIdentity | null = null;
  #refused: { readonly version: string; readonly error: unknown } | null = null;
  #reader: CopyReader = { take: async () => {}, refresh: async () => {} };
  readonly #following = Promise.withResolvers<CopyReader>();
  /** The source has named a catalog. */
  #isFound = false;
  /** What the reader has not switched to yet. */
  #unannounced: CopyChange | null = null;
  #polling: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #said = "";
  /** The last look met a source that changed while it was read. */
  #isStale = false;

  private constructor(source: CatalogSource, home: string, options: CopyOptions) {
    this.#source = source;
    this.#home = home;
    this.#options = options;
  }

  /**
   * Brings a catalog to the folder, or goes on with the one that another process left there, if only that can be had; or
   * without any, if the failure may pass.
   * @throws VitrineError if there is no catalog and the failure may not pass
   */
  static async open(source: CatalogSource, home: string, options: CopyOptions): Promise<CatalogCopy> {
    const copy = new CatalogCopy(source, home, options);
    await copy.#restore();
    const isEmpty = copy.#present === null;
    const mayPass = (error: unknown) => !isEmpty || options.mayPass?.(error) === true;
    const first = copy.poll();
    copy.#polling = first.catch((error: unknown) => {
      if (mayPass(error)) copy.#say(error);
    });
    const ended = first.then(
      () => false,
      (error: unknown) => {
        if (mayPass(error)) return false;
        throw error;
      },
    );
    const late = sleep(START_MILLISECONDS, true, { ref: false });
    const isLate = await Promise.race([ended, late.then(() => (isEmpty && copy.#isFound ? ended : true))]);
    if (!isLate) return copy;
    if (isEmpty) copy.#say(new Error(`no answer within ${START_MILLISECONDS / 1000} s`));
    // What the first look brings is for the reader, which is not there yet.
    copy.#reader = {
      take: async (change) => (await copy.#following.promise).take(change),
      refresh: async () => (await copy.#following.promise).refresh(),
    };
    return copy;
  }

  /** The file that the reader begins with; null if there is no catalog yet. */
  get file(): string | null {
    return this.#present === null ? null : this.#file();
  }

  /** Polls from now on, and has the reader switch to each change. */
  follow(reader: CopyReader): void {
    this.#reader = reader;
    this.#following.resolve(reader);
    const later = () => {
      if (this.#stop.signal.aborted) return;
      // A shop that publishes while its first copy is fetched is looked at again at once: what was fetched by then is kept.
      const milliseconds = this.#present === null && this.#isStale ? 0 : this.#source.pollMilliseconds;
      this.#timer = setTimeout(poll, milliseconds).unref();
    };
    const poll = () => {
      this.#polling = this.poll()
        .then(
          () => {
            this.#said = "";
          },
          (error: unknown) => this.#say(error),
        )
        .then(later);
    };
    void this.#polling.then(later);
  }

  /** Looks at the source, and takes up what it has. @throws where that cannot be used: the present one stays */
  async poll(): Promise<void> {
    const started = performance.now();
    const onPolled = (error: unknown) =>
      this.#options.polled?.({ seconds: (performance.now() - started) / 1000, error });
    try {
      const found = await this.#source.find();
      this.#isFound = true;
      await this.#takeUp(found);
      this.#isStale = false;
      onPolled(null);
    } catch (error) {
      const explained = explainWriteFailure(error, this.#home);
      this.#isStale = explained instanceof VitrineError && explained.code === "remote_stale";
      onPolled(explained);
      throw explained;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await Promise.race([this.#polling, sleep(END_MILLISECONDS, null, { ref: false })]);
  }

  #existing(): CopyIdentity {
    if (this.#present === null) throw new Error("There is no copy yet");
    return this.#present;
  }

  #file(): string {
    return join(this.#home, this.#existing().folder, CATALOG);
  }

  /** What goes wrong is said once for as long as it stays so. */
  #say(error: unknown): void {
    const message = messageOf(error);
    if (message !== this.#said && !this.#stop.signal.aborted) {
      const served = this.#present === null ? "there is no catalog yet" : "the old catalog is served on";
      this.#options.log.warn(`${served}: ${message}`);
    }
    this.#said = message;
  }

  /** Takes what a process before this one left, if it is sound, and removes all else. */
  async #restore(): Promise<void> {
    try {
      const said = JSON.parse(readFileSync(join(this.#home, PRESENT), "utf8")) as CopyIdentity;
      const folder = basename(said.folder);
      const file = join(this.#home, folder, CATALOG);
      await runInThread({ task: "empty log", file });
      await runInThread({ task: "check", file });
      const digest = storedDigest(file);
      // A process may end between the commit of a catalog and the file that says which one it is.
      const isTrue = said.digest === digest;
      this.#present = {
        id: isTrue ? said.id : null,
        digest,
        folder,
        names: isTrue ? said.names : null,
      };
    } catch {
      // There is none, or another process was ended while it wrote it: it is fetched.
    }
    this.#removeOthers();
  }

  /** Partitions stay that were fetched: what is still wanted of them is not fetched again. */
  #removeOthers(): void {
    for (const name of readdirSync(this.#home)) {
      if (name.startsWith(PREFIX) && name !== this.#present?.folder)
        rmSync(join(this.#home, name), { recursive: true, force: true });
    }
  }

  #become(present: CopyIdentity): void {
    this.#present = present;
    const file = join(this.#home, PRESENT);
    writeFileSync(`${file}.next`, JSON.stringify(present));
    renameSync(`${file}.next`, file);
  }

  async #takeUp(found: FoundCatalog): Promise<void> {
    if (found.id !== this.#present?.id) {
      if (found.version === this.#refused?.version) throw this.#refused.error;
      this.#refused = null;
      await this.#bring(found);
    }
    if (this.#unannounced !== null) {
      await this.#reader.take(this.#unannounced);
      this.#unannounced = null;
      this.#removeOthers();
    }
    await this.#emptyLog();
  }

  async #bring(found: FoundCatalog): Promise<void> {
    const { id, names } = found;
    if (this.#present !== null && this.#present.digest === found.digest) {
      this.#become({ ...this.#present, id, names });
      this.#options.log.info(`${found.name} has the catalog that is here`);
      return;
    }
    this.#unannounced = (await this.#change(found)) ?? (await this.#bringWhole(found));
    this.#options.log.info(`${found.name} fetched`);
  }

  /** Applies what differs to the copy; null if that does not lead to the catalog. */
  async #change(found: FoundCatalog): Promise<CopyChange | null> {
    const present = this.#present;
    if (present === null) return null;
    const [file, fetched] = [this.#file(), join(this.#home, FETCHED)];
    const { signal } = this.#stop;
    const changes = await found.changesFrom({ file, names: present.names }, fetched, signal);
    if (changes === null) return null;
    try {
      const digest = await runInThread<string>({ task: "apply", file, isNew: false, changes }, signal);
      this.#become({ ...present, id: found.id, digest, names: found.names });
      return { file, digest };
    } catch (error) {
      signal.throwIfAborted();
      // Without a digest that must come out, all of it is refused for the same record.
      if (found.digest === null && isFinal(error)) {
        this.#refused = { version: found.version, error };
        throw error;
      }
      this.#options.log.warn(`what differs is not applied, all is fetched: ${messageOf(error)}`);
      return null;
    } finally {
      if (!signal.aborted) rmSync(fetched, { recursive: true, force: true });
    }
  }

  /** Makes another copy. A catalog that cannot be used is not tried again; what could not be fetched is. */
  async #bringWhole(found: FoundCatalog): Promise<CopyChange> {
    const fetched = join(this.#home, FETCHED);
    const { signal } = this.#stop;
    const changes = await found.changesFrom(null, fetched, signal);
    const path = mkdtempSync(join(this.#home, PREFIX));
    const [file, folder] = [join(path, CATALOG), basename(path)];
    try {
      if (changes === null) await found.copyTo?.(file);
      else await runInThread({ task: "apply", file, isNew: true, changes }, signal);
      useLog(file);
      const digest = storedDigest(file);
      this.#become({ id: found.id, digest, folder, names: found.names });
      return { file, digest };
    } catch (error) {
      rmSync(path, { recursive: true, force: true });
      if (isFinal(error)) this.#refused = { version: found.version, error };
      throw error;
    } finally {
      if (!signal.aborted) rmSync(fetched, { recursive: true, force: true });
    }
  }

  /** What is in the log goes into the file: what was deleted stands in neither then. Tried again by each poll until it works. */
  async #emptyLog(): Promise<void> {
    const file = this.#file();
    const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {};
    if (size === 0) return;
    const empty = () => runInThread<boolean>({ task: "empty log", file }, this.#stop.signal);
    if (await empty()) return;
    await this.#reader.refresh();
    await empty();
  }
}
