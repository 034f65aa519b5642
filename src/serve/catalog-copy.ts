/**
 * The copy of a catalog that a server answers from, kept up to date in one loop: deltas that lead to what its source has by
 * now are applied to it, else all of it is fetched. Its reader sees it as it was until it switches.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { openCatalog } from "../catalog/catalog.ts";
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
  readonly log: Pick<Log, "info">;
  readonly polled?: Polled | undefined;
}

/** Which catalog the copy is, also for the process that finds it after this one: it is kept in a file next to it. */
interface CopyIdentity {
  readonly id: string;
  readonly digest: string;
  /** The folder that it stands in, of those that are named so. */
  readonly folder: string;
}

const PREFIX = "copy-";
const PRESENT = "present.json";
const DELTAS = "deltas";

/** Of a catalog that cannot be used, what no other try would change. */
const FINAL: readonly string[] = ["remote_invalid", "newer_format", "catalog_unreadable"];

/** How long the end of a poll that is under way is waited for. */
const END_MILLISECONDS = 2000;

/** With a write-ahead log, deltas are applied while others read. */
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
  /** What the reader has not switched to yet. */
  #unannounced: CopyChange | null = null;
  #polling: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #said = "";

  private constructor(source: CatalogSource, home: string, options: CopyOptions) {
    this.#source = source;
    this.#home = home;
    this.#options = options;
  }

  /**
   * Brings a catalog to the folder, or goes on with the one that another process left there, if only that can be had.
   * @throws VitrineError where there is none
   */
  static async open(source: CatalogSource, home: string, options: CopyOptions): Promise<CatalogCopy> {
    const copy = new CatalogCopy(source, home, options);
    await copy.#restore();
    await copy.poll().catch((error: unknown) => {
      if (copy.#present === null) throw error;
      copy.#say(error);
    });
    return copy;
  }

  /** What the reader begins with. */
  get whole(): CopyChange {
    const { digest } = this.#existing();
    return { file: this.#file(), digest };
  }

  /** Polls from now on, and has the reader switch to each change. */
  follow(reader: CopyReader): void {
    this.#reader = reader;
    const later = () => {
      if (this.#stop.signal.aborted) return;
      this.#timer = setTimeout(poll, this.#source.pollMilliseconds).unref();
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
    later();
  }

  /** Looks at the source, and takes up what it has. @throws where that cannot be used: the present one stays */
  async poll(): Promise<void> {
    const started = performance.now();
    const onPolled = (error: unknown) =>
      this.#options.polled?.({ seconds: (performance.now() - started) / 1000, error });
    try {
      await this.#takeUp(await this.#source.find());
      onPolled(null);
    } catch (error) {
      onPolled(error);
      throw error;
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

  #file({ folder } = this.#existing()): string {
    return join(this.#home, folder, "catalog.sqlite");
  }

  /** What goes wrong is said once for as long as it stays so. */
  #say(error: unknown): void {
    const message = messageOf(error);
    if (message !== this.#said && !this.#stop.signal.aborted)
      this.#options.log.info(`the old catalog is served on: ${message}`);
    this.#said = message;
  }

  /** Takes what a process before this one left, if it is sound, and removes all else. */
  async #restore(): Promise<void> {
    try {
      const { id, folder } = JSON.parse(readFileSync(join(this.#home, PRESENT), "utf8")) as CopyIdentity;
      const present = { id, folder: `${basename(folder)}` };
      const file = this.#file({ ...present, digest: "" });
      await runInThread({ task: "empty log", file });
      await runInThread({ task: "check", file });
      this.#present = { ...present, digest: storedDigest(file) };
    } catch {
      // There is none, or another process was ended while it wrote it: it is fetched.
    }
    this.#removeOthers();
  }

  #removeOthers(): void {
    for (const name of readdirSync(this.#home)) {
      if (name === DELTAS || (name.startsWith(PREFIX) && name !== this.#present?.folder))
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
      await this.#bring(found).catch((error: unknown) => {
        if (error instanceof VitrineError && FINAL.includes(error.code))
          this.#refused = { version: found.version, error };
        throw error;
      });
    }
    if (this.#unannounced !== null) {
      await this.#reader.take(this.#unannounced);
      this.#unannounced = null;
      this.#removeOthers();
    }
    await this.#emptyLog();
  }

  async #bring(found: FoundCatalog): Promise<void> {
    const present = this.#present;
    if (present?.digest.startsWith(found.digest)) {
      this.#become({ ...present, id: found.id });
      this.#options.log.info(`${found.name} has the catalog that is here`);
      return;
    }
    this.#unannounced = (await this.#applyDeltas(found)) ?? (await this.#fetch(found));
    this.#options.log.info(`${found.name} fetched`);
  }

  /** Null where no deltas lead there, or one is damaged. */
  async #applyDeltas(found: FoundCatalog): Promise<CopyChange | null> {
    if (this.#present === null) return null;
    const folder = join(this.#home, DELTAS);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const deltas = await found.deltasSince(this.#present, folder);
    if (deltas === null) return null;
    const file = this.#file();
    try {
      const order = { task: "apply", file, deltas, digest: found.digest } as const;
      const digest = await runInThread<string>(order, this.#stop.signal);
      this.#become({ ...this.#present, id: found.id, digest });
      return { file, digest };
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      this.#options.log.info(`the deltas are not applied, all is fetched: ${messageOf(error)}`);
      return null;
    }
  }

  async #fetch(found: FoundCatalog): Promise<CopyChange> {
    const path = mkdtempSync(join(this.#home, PREFIX));
    const folder = basename(path);
    try {
      const file = this.#file({ ...found, folder });
      await found.fetchTo(file);
      useLog(file);
      const digest = storedDigest(file);
      this.#become({ id: found.id, digest, folder });
      return { file, digest };
    } catch (error) {
      rmSync(path, { recursive: true, force: true });
      throw error;
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
