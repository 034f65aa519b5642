/**
 * A catalog that requests are answered from, while the copy that it is read from changes: lists in memory, all else in one
 * read transaction of that file. Goes over to a change in one go, so each answer is of the old or of the new.
 */
import { messageOf } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { finishStepsInTurns } from "../base/steps.ts";
import { type Catalog, type CatalogChange, type ListChanges, openCatalog } from "../catalog/catalog.ts";
import type { Piece } from "../catalog/lists.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
import type { CopyChange, CopyReader } from "./catalog-copy.ts";
import type { ChangePart } from "./catalog-thread.ts";
import { partsFromThread } from "./in-thread.ts";

/** Lists that take about as long to read as all the others. */
const FIRST_HALF: readonly ResourceName[] = ["review", "release", "faq"];
const SECOND_HALF = RESOURCES.map(({ name }) => name).filter((name) => !FIRST_HALF.includes(name));

/** How often a copy that changes while it is read is read again. */
const MOST_TRIES = 10;

/** Opens a copy, with all lists in memory as they are in one transaction. */
async function openLists(file: string, signal: AbortSignal, tries = 1): Promise<Catalog> {
  const catalog = openCatalog(file);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const read = async (names: readonly ResourceName[], words: boolean) => {
    const task = { task: "read lists", file, digest: catalog.digest, names, words } as const;
    for await (const piece of partsFromThread<Piece>(task, either)) catalog.take(piece);
  };
  try {
    catalog.hold();
    catalog.probe();
    await Promise.all([read(SECOND_HALF, true), read(FIRST_HALF, false)]);
    return catalog;
  } catch (error) {
    failed.abort();
    catalog.close();
    signal.throwIfAborted();
    if (tries === MOST_TRIES) throw error;
  }
  return openLists(file, signal, tries + 1);
}

type MergedChanges = Partial<Record<ResourceName, { put: ListChanges["put"][number][]; deleted: number[] }>>;

export class LiveCatalog implements CopyReader, Disposable {
  readonly #log: Pick<Log, "info">;
  readonly #mostRows: number;
  readonly #stop = new AbortController();
  #file: string;
  #catalog: Catalog;
  /** Of what the copy is by now, this is not yet, or never will be. */
  #isBehind = false;
  /** When the present one was taken up, in seconds since 1970. */
  appliedSeconds: number = Date.now() / 1000;

  private constructor(file: string, catalog: Catalog, log: Pick<Log, "info">, mostRows: number) {
    this.#file = file;
    this.#catalog = catalog;
    this.#log = log;
    this.#mostRows = mostRows;
  }

  /** @param mostRows changed rows up to which they are merged with lists; where there are more, lists are read again */
  static async open(file: string, log: Pick<Log, "info">, mostRows = 10_000): Promise<LiveCatalog> {
    return new LiveCatalog(file, await openLists(file, new AbortController().signal), log, mostRows);
  }

  get current(): Catalog {
    return this.#catalog;
  }

  async take(change: CopyChange): Promise<void> {
    const { file, digest } = change;
    if (file === this.#file && digest === this.#catalog.digest) return;
    this.#isBehind = true;
    try {
      const merged = await this.#merge(change);
      this.#goOverTo(merged ?? (await openLists(file, this.#stop.signal)), file);
      const how = merged === null ? "reloaded" : "taken up by delta";
      this.#log.info(`catalog of ${this.#catalog.generatedAt} ${how}`);
    } catch (error) {
      // Closed meanwhile, it needs no change any more.
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  async refresh(): Promise<void> {
    if (this.#isBehind || this.#stop.signal.aborted) return;
    this.#catalog.release();
    this.#catalog.hold();
    this.#catalog.probe();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#catalog.close();
  }

  /** Answers are made in one go, so no request is using the former catalog here. */
  #goOverTo(next: Catalog, file: string): void {
    this.#stop.signal.throwIfAborted();
    const former = this.#catalog;
    if (next.db === former.db) {
      former.release();
      next.hold();
      next.probe();
    } else former.close();
    this.#catalog = next;
    this.#file = file;
    this.#isBehind = false;
    this.appliedSeconds = Date.now() / 1000;
  }

  /** The present catalog with what deltas change; null where it is to be read anew. */
  async #merge({ file, digest, deltas, documents }: CopyChange): Promise<Catalog | null> {
    if (deltas === null || file !== this.#file) return null;
    const changes: MergedChanges = {};
    let rest: Omit<CatalogChange, "changes"> | null = null;
    const { digest: from } = this.#catalog;
    const task = { task: "read changes", file, deltas, from, documents, mostRows: this.#mostRows } as const;
    try {
      for await (const part of partsFromThread<ChangePart>(task, this.#stop.signal)) {
        if ("rest" in part) rest = part.rest;
        else {
          const known = changes[part.resource] ?? { put: [], deleted: [] };
          changes[part.resource] = known;
          known.put.push(...part.changes.put);
          known.deleted.push(...part.changes.deleted);
        }
      }
      if (rest === null) return null;
      const steps = this.#catalog.nextInSteps({ changes, ...rest });
      const next = await finishStepsInTurns(steps);
      if (next.digest === digest) return next;
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      this.#log.info(`the change is not merged, lists are read again: ${messageOf(error)}`);
    }
    return null;
  }
}
