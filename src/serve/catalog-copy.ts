/**
 * A server's copy of a catalog, kept up to date in one loop: fetches the partitions that differ from the source's and applies them
 * in one transaction. The reader keeps its old view until it switches.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { CLOCK, type Clock, type ClockOption, secondsSince, within } from "../base/clock.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { readPlainFile } from "../base/files.ts";
import type { Notes } from "../base/log.ts";
import {
  damagedMemory,
  deleteDamaged,
  isDamage,
  isMachineTrouble,
  isOtherMemory,
  type Memory,
  readMemory,
  writeMemory,
} from "../base/memory.ts";
import { openSqlite } from "../base/sqlite.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { PartitionNames } from "../release/fetch.ts";
import { type CatalogSource, type FoundCatalog, runTask } from "./catalog-source.ts";

/** The catalog that a copy's reader should switch to. */
export interface CopyChange {
  readonly file: string;
  readonly digest: string;
}

export interface CopyReader {
  /** Switches to a change. The copy does not change until this resolves. */
  take(change: CopyChange): Promise<void>;
  /** Continues on the copy's current state, so that its log is no longer needed. */
  refresh(): Promise<void>;
  /** Reads the copy no longer, because it is damaged. The next change is another copy. */
  drop(): void;
}

/** Called after each look at the source; `error` is null if it succeeded. */
export type Polled = (poll: { readonly seconds: number; readonly error: unknown }) => void;

export interface CopyOptions extends ClockOption {
  readonly log: Notes;
  readonly polled?: Polled | undefined;
  /** True for a failure that may go away: then the start succeeds without a catalog and a later look fetches it. Default: always false. */
  readonly mayPass?: (error: unknown) => boolean;
}

/** Identifies the catalog in the copy. Stored in a file beside it, for the next process. */
interface CopyIdentity {
  /** The source's id; null if the stored file does not match the copy. */
  readonly id: string | null;
  readonly digest: string;
  /** The folder of the copy. */
  readonly folder: string;
  /** Names of its partitions; null if unknown. */
  readonly names: PartitionNames | null;
}

const PREFIX = "copy-";
const CATALOG = "catalog.sqlite";
const PRESENT = "present.json";
/** The folder of fetched partitions. */
const FETCHED = "partitions";
/**
 * How long the start waits for the source to name a catalog: a source may take minutes to answer. Without a copy, the named catalog
 * is then awaited without a limit, since requests go to another server meanwhile.
 */
const START_MILLISECONDS = 5000;
/**
 * A damaged copy is fetched again at most this often: on a failing disk, or if the source has the same damage, the next copy would be
 * damaged, too.
 */
const REPLACE_MILLISECONDS = 3_600_000;
/** Text of earlier records is removed from the copy's unused bytes this often: seldom, since the whole file is written again. */
const CLEAN_MILLISECONDS = 3_600_000;
/** How long the end waits for a running poll. */
const END_MILLISECONDS = 2000;

export class CatalogCopy implements AsyncDisposable {
  readonly #source: CatalogSource;
  /** A folder that only this copy uses. */
  readonly #home: string;
  readonly #options: CopyOptions;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #present: CopyIdentity | null = null;
  #refused: { readonly version: string; readonly error: unknown } | null = null;
  #reader: CopyReader = { take: async () => {}, refresh: async () => {}, drop: () => {} };
  readonly #following = Promise.withResolvers<CopyReader>();
  /** The source has named a catalog. */
  #isFound = false;
  /** The change that the reader has not switched to yet. */
  #unannounced: CopyChange | null = null;
  #polling: Promise<void> = Promise.resolve();
  /** Ends the pause before the next poll. */
  #pause = new AbortController();
  /** Polls at once instead of later; does nothing during a poll. */
  #hurry = () => {};
  /** The copy is damaged, and the next poll replaces it. */
  #isDamaged = false;
  /** The disk does not give some of the copy: the next poll fetches another one, and this one is used until then. */
  #isUnread = false;
  /** When a damaged copy was last replaced. */
  #replaced = Number.NEGATIVE_INFINITY;
  /** When unused bytes of the copy were last cleaned: not during the start, which should be fast. */
  #cleaned: number;
  #said = "";
  /** True if the source changed during the last look. */
  #isStale = false;

  private constructor(source: CatalogSource, home: string, options: CopyOptions) {
    this.#source = source;
    this.#home = home;
    this.#options = options;
    this.#clock = options.clock ?? CLOCK;
    this.#cleaned = this.#clock.elapsed();
  }

  /**
   * Fetches a catalog into the folder. If that fails, continues with the one that an earlier process left, or without one if the
   * failure may go away.
   * @throws VitrineError if there is no catalog and the failure is final
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
    const isLate = await within(
      START_MILLISECONDS,
      ended,
      () => (isEmpty && copy.#isFound ? ended : true),
      copy.#background,
    );
    if (!isLate) return copy;
    if (isEmpty) copy.#say(new Error(`no answer within ${START_MILLISECONDS / 1000} s`));
    // The first look may end before the reader follows.
    copy.#reader = {
      take: async (change) => (await copy.#following.promise).take(change),
      refresh: async () => (await copy.#following.promise).refresh(),
      drop: () => {},
    };
    return copy;
  }

  /** The reader's first file; null if there is no catalog yet. */
  get file(): string | null {
    return this.#present === null ? null : this.#file();
  }

  /** Starts polling and makes the reader switch to each change. `isBehind`: the reader could not open {@link file} yet. */
  follow(reader: CopyReader, { isBehind = false } = {}): void {
    this.#reader = reader;
    if (isBehind && this.#present !== null)
      this.#unannounced ??= { file: this.#file(), digest: this.#present.digest };
    this.#following.resolve(reader);
    const later = () => {
      if (this.#stop.signal.aborted) return;
      // If the shop publishes while the first copy is fetched, look again at once: what was fetched so far is kept.
      const isUrgent = this.#isDamaged || (this.#present === null && this.#isStale);
      this.#pause = new AbortController();
      const { signal } = this.#pause;
      this.#hurry = () => {
        this.#pause.abort();
        poll();
      };
      // An aborted pause is followed by a poll already, or by nothing.
      this.#clock
        .sleep(isUrgent ? 0 : this.#source.pollMilliseconds, signal, true)
        .then(poll, () => undefined);
    };
    const poll = () => {
      this.#hurry = () => {};
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

  /**
   * Called with each error of reading the copy. If the copy is damaged, its reader drops it and a new one is fetched. If the disk does
   * not give it, it is used on until a new one is fetched.
   * @returns true if the reader has no catalog until then
   */
  replaceIfDamaged(error: unknown): boolean {
    const isDamaged = isWrong(error);
    if ((!isDamaged && !isUnread(error)) || this.#stop.signal.aborted) return false;
    const isBeingReplaced = this.#isDamaged || this.#present === null || (this.#isUnread && !isDamaged);
    if (!isBeingReplaced) {
      const now = this.#clock.elapsed();
      if (now - this.#replaced < REPLACE_MILLISECONDS) return false;
      this.#replaced = now;
      this.#isDamaged = isDamaged;
      this.#isUnread = !isDamaged;
      const is = isDamaged ? "is damaged" : "cannot be read";
      this.#options.log.warn(
        `the copy of the catalog ${is} (${messageOf(error)}), fetching it again: check the disk of ${this.#home}`,
      );
      this.#hurry();
    }
    if (isDamaged) this.#reader.drop();
    return isDamaged;
  }

  /** Looks at the source and takes over its catalog. @throws if that cannot be used: the current one stays */
  async poll(): Promise<void> {
    const started = this.#clock.elapsed();
    if (this.#isDamaged) {
      this.#isDamaged = false;
      this.#present = null;
      this.#unannounced = null;
    }
    const onPolled = (error: unknown) =>
      this.#options.polled?.({ seconds: secondsSince(started, this.#clock), error });
    try {
      // It may be left from a failed try, and does not need the source.
      await this.#announce();
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
    this.#pause.abort();
    await within(END_MILLISECONDS, this.#polling, () => undefined, this.#background);
  }

  /** Its waits do not keep a process alive. */
  get #background() {
    return { clock: this.#clock, isBackground: true };
  }

  #existing(): CopyIdentity {
    if (this.#present === null) throw new Error("There is no copy yet");
    return this.#present;
  }

  #file(): string {
    return join(this.#home, this.#existing().folder, CATALOG);
  }

  /** Logs an error once for as long as it stays the same. */
  #say(error: unknown): void {
    const message = messageOf(error);
    if (message !== this.#said && !this.#stop.signal.aborted) {
      const hasCatalog = this.#present !== null && !this.#isDamaged;
      const served = hasCatalog ? "the old catalog is served on" : "there is no catalog yet";
      this.#options.log.warn(`${served}: ${message}`);
    }
    this.#said = message;
  }

  #memory(file: string): Memory {
    const { log } = this.#options;
    return { file, what: "the copy of the catalog", follows: "it is fetched again", log };
  }

  /** Takes over what an earlier process left: the copy that it named, or any other sound one. */
  async #restore(): Promise<void> {
    const said = this.#readIdentity();
    const names = readdirSync(this.#home).filter((name) => name.startsWith(PREFIX));
    const named = said === null ? [] : [basename(said.folder)];
    for (const folder of new Set([...named, ...names])) {
      const digest = await this.#digestOf(folder, folder === named[0]);
      if (digest === null) continue;
      // The earlier process may have ended between committing a catalog and writing its identity.
      const isTrue = said !== null && folder === named[0] && said.digest === digest;
      this.#present = { id: isTrue ? said.id : null, digest, folder, names: isTrue ? said.names : null };
      // Only now: without a sound copy, one that cannot be read at the moment may be the last.
      this.#removeOthers();
      return;
    }
  }

  /** What the earlier process wrote about its copy; null if that cannot be read. */
  #readIdentity(): CopyIdentity | null {
    const file = join(this.#home, PRESENT);
    return readMemory({ ...this.#memory(file), what: "the note about the copy of the catalog" }, () => {
      const text = readPlainFile(file).toString();
      try {
        const said = JSON.parse(text) as CopyIdentity | null;
        if (typeof said?.folder === "string" && typeof said.digest === "string") return said;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
      throw damagedMemory("it is not what was written");
    });
  }

  /** The digest of an earlier process's copy; null if it cannot be used. A damaged one is deleted, and no other. */
  async #digestOf(folder: string, wasComplete: boolean): Promise<string | null> {
    const { log } = this.#options;
    const file = join(this.#home, folder, CATALOG);
    if (!existsSync(file)) return null;
    try {
      await runTask({ task: "empty log", file });
      await runTask({ task: "check", file });
    } catch (error) {
      if (isWrong(error)) return this.#deleteWrong(file, wasComplete, error);
      // Whatever kept the check from running, it says nothing about the copy. Damage shows when it is read.
      log.warn(`the copy of the catalog (${file}) is used unchecked: ${messageOf(error)}`);
    }
    try {
      return storedDigest(file);
    } catch (error) {
      if (isWrong(error)) return this.#deleteWrong(file, wasComplete, error);
      if (!(error instanceof VitrineError)) throw error;
      // Of another version, or not readable at the moment.
      log.warn(
        `the copy of the catalog (${file}) cannot be used now, it stays until another is fetched: ${messageOf(error)}`,
      );
      return null;
    }
  }

  #deleteWrong(file: string, wasComplete: boolean, error: unknown): null {
    // A killed process leaves what it had fetched, under no name yet.
    const what = wasComplete ? "the copy of the catalog" : "a copy of the catalog that was not finished";
    deleteDamaged({ ...this.#memory(file), what }, error);
    return null;
  }

  /** Removes other copies. Fetched partitions stay, so that they are not fetched again. */
  #removeOthers(): void {
    for (const name of readdirSync(this.#home)) {
      if (name.startsWith(PREFIX) && name !== this.#present?.folder)
        rmSync(join(this.#home, name), { recursive: true, force: true });
    }
  }

  #become(present: CopyIdentity): void {
    this.#present = present;
    const file = join(this.#home, PRESENT);
    const follows = "the next start compares all of it with its source";
    writeMemory({ ...this.#memory(file), what: "the note about the copy of the catalog", follows }, () => {
      writeFileSync(`${file}.next`, JSON.stringify(present));
      renameSync(`${file}.next`, file);
    });
  }

  /** Makes the reader switch to the latest change. */
  async #announce(): Promise<void> {
    if (this.#unannounced === null) return;
    try {
      await this.#reader.take(this.#unannounced);
    } catch (error) {
      this.replaceIfDamaged(error);
      throw error;
    }
    this.#unannounced = null;
    this.#removeOthers();
  }

  async #takeUp(found: FoundCatalog): Promise<void> {
    if (found.id !== this.#present?.id || this.#isUnread) {
      if (found.version === this.#refused?.version) throw this.#refused.error;
      this.#refused = null;
      await this.#bring(found);
    }
    await this.#announce();
    await this.#clean();
    await this.#emptyLog();
  }

  async #bring(found: FoundCatalog): Promise<void> {
    const { id, names } = found;
    if (this.#isUnread) {
      this.#unannounced = await this.#bringWhole(found);
      this.#isUnread = false;
      this.#options.log.info(`${found.name} fetched`);
      return;
    }
    if (this.#present !== null && this.#present.digest === found.digest) {
      this.#become({ ...this.#present, id, names });
      this.#options.log.info(`${found.name} has the catalog that is here`);
      return;
    }
    this.#unannounced = (await this.#change(found)) ?? (await this.#bringWhole(found));
    this.#options.log.info(`${found.name} fetched`);
  }

  /** Applies the differences to the copy; null if they do not lead to the wanted catalog. */
  async #change(found: FoundCatalog): Promise<CopyChange | null> {
    const present = this.#present;
    if (present === null) return null;
    const [file, fetched] = [this.#file(), join(this.#home, FETCHED)];
    const { signal } = this.#stop;
    const changes = await found.changesFrom({ file, names: present.names }, fetched, signal);
    if (changes === null) return null;
    try {
      const digest = await runTask<string>({ task: "apply", file, isNew: false, changes }, signal);
      this.#become({ ...present, id: found.id, digest, names: found.names });
      return { file, digest };
    } catch (error) {
      signal.throwIfAborted();
      // The copy is as it was. Another one would need more of what is missing: room, descriptors, memory.
      if (isMachineTrouble(error) && existsSync(file)) throw error;
      // Without an expected digest, a full fetch would fail at the same record.
      if (found.digest === null && isFinal(error)) {
        this.#refused = { version: found.version, error };
        throw error;
      }
      this.#options.log.warn(`cannot apply the differences, fetching everything: ${messageOf(error)}`);
      return null;
    } finally {
      if (!signal.aborted) rmSync(fetched, { recursive: true, force: true });
    }
  }

  /** Makes a new copy. An unusable catalog is not tried again; a failed fetch is. */
  async #bringWhole(found: FoundCatalog): Promise<CopyChange> {
    const fetched = join(this.#home, FETCHED);
    const { signal } = this.#stop;
    // Left by an interrupted fetch.
    const isReused = existsSync(fetched);
    const changes = await found.changesFrom(null, fetched, signal);
    const path = mkdtempSync(join(this.#home, PREFIX));
    const [file, folder] = [join(path, CATALOG), basename(path)];
    try {
      if (changes === null) await found.copyTo?.(file);
      else await runTask({ task: "apply", file, isNew: true, changes }, signal);
      useLog(file);
      const digest = storedDigest(file);
      this.#become({ id: found.id, digest, folder, names: found.names });
      return { file, digest };
    } catch (error) {
      rmSync(path, { recursive: true, force: true });
      if (isFinal(error) && isReused && !signal.aborted) {
        this.#options.log.warn(
          `what was fetched before cannot be used, fetching everything: ${messageOf(error)}`,
        );
        rmSync(fetched, { recursive: true, force: true });
        return await this.#bringWhole(found);
      }
      if (isFinal(error) && !isMachineTrouble(error)) this.#refused = { version: found.version, error };
      throw error;
    } finally {
      if (!signal.aborted) rmSync(fetched, { recursive: true, force: true });
    }
  }

  /** Removes text of earlier records from the file's unused bytes. A failure is logged, and it is tried again later. */
  async #clean(): Promise<void> {
    const now = this.#clock.elapsed();
    if (now - this.#cleaned < CLEAN_MILLISECONDS) return;
    this.#cleaned = now;
    const file = this.#file();
    try {
      await runTask({ task: "remove remains", file }, this.#stop.signal);
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      const why = messageOf(explainWriteFailure(error, this.#home));
      this.#options.log.warn(`unused bytes of ${file} may still hold text of earlier records: ${why}`);
    }
  }

  /** Moves the log into the file, so that deleted rows are in neither. Tried again by each poll until it works. */
  async #emptyLog(): Promise<void> {
    const file = this.#file();
    const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {};
    if (size === 0) return;
    const empty = () => runTask<boolean>({ task: "empty log", file }, this.#stop.signal);
    if (await empty()) return;
    await this.#reader.refresh();
    await empty();
  }
}

/** Codes of errors that the same catalog would cause again. */
const FINAL: readonly string[] = ["remote_invalid", "newer_format", "catalog_unreadable"];

function isFinal(error: unknown): boolean {
  return error instanceof VitrineError && FINAL.includes(error.code);
}

/** True if an error proves that the copy's content is wrong. */
function isWrong(error: unknown): boolean {
  if (isDamage(error)) return true;
  return systemCodeOf(error) === "catalog_unreadable" && !isMachineTrouble(error) && !isOtherMemory(error);
}

/** True if the disk did not give the copy's bytes: it may at the next try. */
function isUnread(error: unknown): boolean {
  return !isWrong(error) && systemCodeOf(error).startsWith("SQLITE_IOERR");
}

/** Turns on the write-ahead log, so that changes can be applied while others read. */
function useLog(file: string): void {
  const db = openSqlite(file);
  db.pragma("journal_mode = WAL");
  db.close();
}

function storedDigest(file: string): string {
  const catalog = openCatalog(file);
  catalog.close();
  return catalog.digest;
}

/** Copies what an earlier process left in a folder that cannot be written to: it is checked like any other. */
export function borrowCopy(from: string, home: string, log: Notes): void {
  const memory = { file: from, what: "the copy of the catalog", follows: "it is fetched again", log };
  const names = readMemory(memory, () => readdirSync(from)) ?? [];
  for (const name of names.filter((name) => name === PRESENT || name.startsWith(PREFIX)))
    readMemory(memory, () => cpSync(join(from, name), join(home, name), { recursive: true }));
}
