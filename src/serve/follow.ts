/**
 * A catalog that follows a file: changes of which there are deltas are merged into what is in memory; any other file is
 * loaded whole, beside the requests. A broken one changes nothing.
 */
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { type Looked, lookEvery } from "../base/looked.ts";
import type { Steps } from "../base/steps.ts";
import { type Catalog, type CatalogChange, type ListChanges, openCatalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { layoutOf } from "../snapshot/layout.ts";
import { deltaFiles } from "../snapshot/writer.ts";
import type { CatchUpPart } from "./catch-up.ts";
import { type Copy, fingerprint, makeCopy, openLists, unusable } from "./copy.ts";
import { startThread } from "./thread.ts";

export interface FollowedCatalog extends AsyncDisposable {
  current(): Catalog;
  /** When it was taken up, in seconds since 1970. */
  appliedSeconds(): number;
  /** Takes up what the file is now, by deltas where these lead there. Never throws: the old one stays in use. */
  follow(deltas: readonly string[]): Promise<void>;
  /** Ends what is under way and removes the copy. */
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Folder for the copy that is read. */
  readonly copyTo: string;
  /** Files of deltas that may lead to the present file, the oldest first; by default those of its output folder. */
  readonly deltas?: () => readonly string[];
  /** How often the file is looked at; null where whoever changes it says so by `follow`. */
  readonly everyMilliseconds?: number | null;
  /** Changed rows up to which lists are merged with them; where there are more, lists are read again. */
  readonly mostRows?: number;
  readonly looked?: Looked | undefined;
}

function deltasBeside(file: string): string[] {
  const layout = layoutOf(dirname(file));
  return deltaFiles(layout).map((name) => join(layout.deltas, name));
}

async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await setImmediate();
  }
}

/** A catalog in memory, and the copy that it reads the rest from. */
interface Live {
  readonly catalog: Catalog;
  readonly copy: Copy;
}

interface Places {
  readonly copyTo: string;
  readonly mostRows: number;
}

class Follower {
  readonly #file: string;
  readonly #options: Places;
  readonly #log: Pick<Log, "info">;
  readonly #stop = new AbortController();
  #live: Live;
  /** When it became that, in seconds since 1970. */
  appliedSeconds = Date.now() / 1000;
  /** Why what the file is now is not in use; null where it is. */
  problem: Error | null = null;

  constructor(file: string, options: Places, log: Pick<Log, "info">, live: Live) {
    this.#file = file;
    this.#options = options;
    this.#log = log;
    this.#live = live;
  }

  get current(): Catalog {
    return this.#live.catalog;
  }

  /** Takes up what the file is by now. What fails leaves the present catalog in use. */
  async follow(deltas: readonly string[]): Promise<void> {
    try {
      const found = await this.#applyDeltas(deltas);
      if (found === "unreadable") return;
      if (found === "no deltas") await this.#reload();
    } catch (error) {
      this.#keep(error);
    }
  }

  /** Ends what is under way. */
  stop(): void {
    this.#stop.abort();
  }

  async close(): Promise<void> {
    this.#live.catalog.close();
    await this.#live.copy.remove();
  }

  #keep(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.problem = error instanceof Error ? error : new Error(messageOf(error));
    this.#log.info(`the catalog is not reloaded, the old one stays in use: ${messageOf(error)}`);
  }

  /** Responses are made in one go, so no request is using the former catalog here. */
  #use(catalog: Catalog, copy: Copy): void {
    this.#stop.signal.throwIfAborted();
    const former = this.#live.catalog;
    this.#live = { catalog, copy };
    this.problem = null;
    this.appliedSeconds = Date.now() / 1000;
    if (former.db !== catalog.db) former.close();
  }

  async #reload(): Promise<void> {
    const former = this.#live.copy;
    const { catalog, copy } = await load(this.#file, this.#options, true, this.#stop.signal);
    this.#use(catalog, copy);
    await former.remove();
    this.#log.info(`catalog of ${catalog.generatedAt} reloaded`);
  }

  /**
   * Until all of a change is merged, everything is read as it was. Where that fails in the middle it stays so: the copy may
   * be ahead of what is in memory, and the next one takes its place.
   */
  async #applyDeltas(deltas: readonly string[]): Promise<"applied" | "unreadable" | "no deltas"> {
    const { catalog, copy } = this.#live;
    catalog.hold();
    const { mostRows } = this.#options;
    const order = { file: this.#file, deltas, copy: copy.file, digest: catalog.digest, mostRows };
    const parts = startThread<CatchUpPart>({ task: "catch up", order }, this.#stop.signal);
    try {
      const told: ToldChanges = {};
      for (let part = await parts.next(); part !== null; part = await parts.next()) {
        if (part.kind === "rows") addChanges(told, part);
        else if (part.kind === "rest") await this.#merge({ changes: told, ...part.change });
        else if (part.kind === "large") await this.#reopen();
        else return this.#withoutChange(part);
      }
      return "applied";
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      this.#log.info(`the deltas are not applied, the catalog is loaded: ${messageOf(error)}`);
      return "no deltas";
    } finally {
      await parts.end();
    }
  }

  #withoutChange(part: NoChange): "applied" | "unreadable" | "no deltas" {
    this.current.release();
    if (part.kind === "same") this.problem = null;
    if (part.kind === "unreadable")
      this.#keep(part.isNewer ? new VitrineError("newer_format", part.why) : unusable(this.#file, part.why));
    return part.kind === "same" ? "applied" : part.kind;
  }

  async #merge(change: CatalogChange): Promise<void> {
    const { catalog, copy } = this.#live;
    const next = await inSlices(catalog.nextInSteps(change));
    catalog.release();
    this.#use(next, copy);
    this.#log.info(`catalog of ${next.generatedAt} taken up by delta`);
  }

  /** Reads the lists of a copy that has changed by too much to be told. */
  async #reopen(): Promise<void> {
    const { copy } = this.#live;
    const { signal } = this.#stop;
    const next = await openLists(copy.file, { isChecked: true, isBeside: true, signal });
    this.#use(next, copy);
    this.#log.info(`catalog of ${next.generatedAt} taken up by a large delta`);
  }
}

type NoChange = Extract<CatchUpPart, { kind: "unreadable" | "same" | "no deltas" }>;

/** Changes as they are put together of parts. */
type ToldChanges = Partial<Record<ResourceName, { put: ListChanges["put"][number][]; deleted: number[] }>>;

function addChanges(told: ToldChanges, part: Extract<CatchUpPart, { kind: "rows" }>): void {
  const known = told[part.resource] ?? { put: [], deleted: [] };
  told[part.resource] = known;
  known.put.push(...part.changes.put);
  known.deleted.push(...part.changes.deleted);
}

/** @throws VitrineError catalog_unreadable */
async function load(file: string, { copyTo }: Places, isBeside: boolean, signal: AbortSignal): Promise<Live> {
  try {
    const copy = await makeCopy(file, copyTo);
    try {
      return { catalog: await openLists(copy.file, { isChecked: false, isBeside, signal }), copy };
    } catch (error) {
      await copy.remove();
      throw error;
    }
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
}

/** Opens a catalog and looks every so often whether another has taken its place. @throws VitrineError catalog_unreadable */
export async function followCatalog(
  file: string,
  log: Pick<Log, "info">,
  options: FollowOptions,
): Promise<FollowedCatalog> {
  const {
    copyTo,
    deltas = () => deltasBeside(file),
    everyMilliseconds = 1000,
    mostRows = 10_000,
    looked,
  } = options;
  const places = { copyTo, mostRows };
  // Says what is wrong with a file that is none in the words of every command.
  openCatalog(file).close();
  const stateNow = () => [fingerprint(file), ...deltas()].join("\n");
  /** The file as it was last tried, and as it was at the last look: one that is still being written waits. */
  let tried = stateNow();
  let seen = tried;
  const live = await load(file, places, false, new AbortController().signal);
  const follower = new Follower(file, places, log, live);
  /** One after the other: the copy has one writer. */
  let working = Promise.resolve();
  const follow = (found: readonly string[]) => {
    tried = stateNow();
    working = working.then(() => follower.follow(found));
    return working;
  };
  const look = async () => {
    await working;
    const now = stateNow();
    const unchanged = now === seen;
    seen = now;
    if (fingerprint(file) === "") throw unusable(file, "it is gone");
    if (now !== tried && unchanged) await follow(deltas());
    if (follower.problem !== null) throw follower.problem;
  };
  const tell = (error: string) => {
    // What was wrong with following is told already.
    if (error !== follower.problem?.message) log.info(`${file} cannot be followed: ${error}`);
  };
  const looks = everyMilliseconds === null ? null : lookEvery(everyMilliseconds, look, looked, tell);
  const close = async () => {
    follower.stop();
    await Promise.all([looks?.end(), working]);
    await follower.close();
  };
  return {
    current: () => follower.current,
    appliedSeconds: () => follower.appliedSeconds,
    follow,
    close,
    [Symbol.asyncDispose]: close,
  };
}
