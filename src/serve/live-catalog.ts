/**
 * The catalog that requests are answered from while its copy changes: lists in memory, everything else in one read transaction on the
 * file. A thread reads the lists of a change, and switching to them is one step, so each answer comes from the old or from the new
 * catalog.
 */
import { CLOCK } from "../base/clock.ts";
import { messageOf } from "../base/error.ts";
import type { Notes } from "../base/log.ts";
import { isMachineTrouble } from "../base/memory.ts";
import { type Catalog, openHeldCatalog } from "../catalog/catalog.ts";
import type { CatalogMemory } from "../catalog/view.ts";
import type { CopyChange, CopyReader } from "./catalog-copy.ts";
import { runTask } from "./catalog-source.ts";

/** Opens a copy's current state with all lists in memory; requests are answered meanwhile. */
async function openLoaded(file: string, signal: AbortSignal): Promise<Catalog> {
  for (;;) {
    const memory = await runTask<CatalogMemory>({ task: "read", file }, signal);
    const catalog = openHeldCatalog(file);
    if (catalog.use(memory)) return catalog;
    // The first look of a process may have changed the file meanwhile: read it again.
    catalog.close();
  }
}

export class LiveCatalog implements CopyReader, Disposable {
  readonly #log: Notes;
  readonly #stop = new AbortController();
  #file: string | null;
  #catalog: Catalog | null;
  /** True while the copy has a newer catalog than requests are answered from. */
  #isBehind = false;
  /** When the current catalog was taken over, in seconds since 1970. */
  appliedSeconds: number = CLOCK.now().getTime() / 1000;

  private constructor(file: string | null, catalog: Catalog | null, log: Notes) {
    this.#file = file;
    this.#catalog = catalog;
    this.#log = log;
  }

  /**
   * @param file null: there is no catalog until the first change
   * @param replaceIfDamaged true if the copy will be replaced because of an error
   */
  static async open(
    file: string | null,
    log: Notes,
    replaceIfDamaged: (error: unknown) => boolean = () => false,
  ): Promise<LiveCatalog> {
    if (file === null) return new LiveCatalog(null, null, log);
    try {
      return new LiveCatalog(file, await openLoaded(file, new AbortController().signal), log);
    } catch (error) {
      if (replaceIfDamaged(error)) return new LiveCatalog(null, null, log);
      if (!isMachineTrouble(error)) throw error;
      log.warn(`no thread can read the catalog (${messageOf(error)}): requests read its lists`);
    }
    try {
      return new LiveCatalog(file, openHeldCatalog(file), log);
    } catch (error) {
      if (!isMachineTrouble(error)) throw error;
      log.warn(`the catalog cannot be opened now, trying again: ${messageOf(error)}`);
      return new LiveCatalog(null, null, log);
    }
  }

  /** Null until there is a catalog, and while a damaged one is fetched again. */
  get found(): Catalog | null {
    return this.#catalog;
  }

  /** For users that need a catalog. @throws if there is none yet */
  get current(): Catalog {
    if (this.#catalog === null) throw new Error("There is no catalog yet");
    return this.#catalog;
  }

  async take({ file, digest }: CopyChange): Promise<void> {
    if (file === this.#file && digest === this.#catalog?.digest) return;
    this.#isBehind = true;
    try {
      const next = await openLoaded(file, this.#stop.signal);
      // Answers are made in one go, so no request is using the previous catalog here.
      this.#catalog?.close();
      this.#catalog = next;
      this.#file = file;
      this.#isBehind = false;
      this.appliedSeconds = CLOCK.now().getTime() / 1000;
      this.#log.info(`catalog of ${next.generatedAt} reloaded`);
    } catch (error) {
      // If it was closed meanwhile, the change no longer matters.
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  drop(): void {
    this.#catalog?.close();
    this.#catalog = null;
  }

  async refresh(): Promise<void> {
    if (this.#catalog === null || this.#isBehind || this.#stop.signal.aborted) return;
    this.#catalog.release();
    this.#catalog.hold();
    this.#catalog.probe();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#catalog?.close();
  }
}
