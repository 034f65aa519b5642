/**
 * Processes that answer on one address, each of them a whole fallback: workers of node:cluster. The primary accepts the
 * connections and hands them out, keeps the copy of the catalog that all read, replaces workers that end, and tells the metrics
 * of all as those of one.
 */
import cluster from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { counter, type Family, gauge, sumFamilies } from "../base/metrics.ts";
import type { CatalogCopy, CopyChange, CopyReaders } from "../serve/catalog-copy.ts";

/** What a worker is to do before it answers. */
type Question = { readonly take: CopyChange } | { readonly refresh: true } | { readonly metrics: true };
type Asked = Question & { readonly question: number };
/** The first message says which file a worker reads; `polled` when the source was last looked at, in seconds since 1970. */
type Message = Asked | { readonly file: string } | { readonly polled: number };

/** From a worker: the answer to a question, or, of none, its last words. */
interface Report {
  readonly question?: number;
  readonly families: readonly Family[];
}

/** How long one that ended by itself is waited for before another one follows: twice as long each time, unless it lived for long. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const LONG_LIFE = 60_000;
/** How long a worker may take to report its metrics; after that its last ones count. */
const METRICS_MILLISECONDS = 1000;
/** How long a worker may take to go over to a change; then another one takes its place. */
const CHANGE_MILLISECONDS = 120_000;
/** How long a worker may take to end once it has drained. */
const END_MILLISECONDS = 15_000;

interface Worker {
  readonly process: ReturnType<typeof cluster.fork>;
  /** Resolves when it is gone, to its exit code or signal. */
  readonly ended: Promise<number | string>;
  /** Resolves to its port; never where it ends before it listens. */
  readonly listens: Promise<number>;
  /** From then on it heeds orders. */
  isListening: boolean;
  /** Whether another one is to follow where it ends. */
  isWanted: boolean;
  /** Its last report. */
  families: readonly Family[];
  /** Who waits for its answer, by the question. */
  readonly asked: Map<number, () => void>;
}

export interface WorkersOptions {
  readonly count: number;
  readonly drainMilliseconds: number;
  readonly log: Pick<Log, "info">;
  readonly copy: Pick<CatalogCopy, "whole">;
}

export class Workers implements CopyReaders, AsyncDisposable {
  readonly #options: WorkersOptions;
  readonly #live = new Set<Worker>();
  readonly #stop = new AbortController();
  /** What those that have ended had counted: a sum never becomes less. */
  #ended: readonly Family[] = [];
  #replaced = 0;
  #polledSeconds = 0;
  #pause = SHORTEST_PAUSE;
  #questions = 0;
  #renewing = Promise.resolve();

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Starts one, and when it listens, the others. Resolves to its address, or to its exit code where it ended instead. */
  async start(): Promise<{ readonly port: number } | { readonly code: number }> {
    const first = this.#fork();
    const started = await Promise.race([
      first.listens.then((port) => ({ port })),
      first.ended.then((end) => ({ code: typeof end === "number" ? end : 1 })),
    ]);
    if ("code" in started) return started;
    first.isWanted = true;
    for (let count = 1; count < this.#options.count; count++) this.#fork().isWanted = true;
    return started;
  }

  #fork(): Worker {
    const forked = cluster.fork();
    const began = performance.now();
    const ended = new Promise<number | string>((resolve) => {
      forked.once("exit", async (code, signal) => {
        // Its last words may still be on their way.
        if (forked.isConnected()) await once(forked, "disconnect");
        this.#live.delete(worker);
        const counted = worker.families.filter(({ kind }) => kind === "counter" || kind === "histogram");
        this.#ended = sumFamilies([this.#ended, counted]);
        resolve(signal ?? code ?? 1);
      });
    });
    // A message to a worker that is ending cannot be written.
    forked.on("error", () => {});
    const listens = new Promise<number>((resolve) => {
      forked.once("listening", ({ port }) => {
        worker.isListening = true;
        this.#send(worker, { polled: this.#polledSeconds });
        // The copy may be another one since it began to read.
        this.#send(worker, { take: this.#options.copy.whole, question: ++this.#questions });
        resolve(port);
      });
    });
    const worker: Worker = {
      ...{ process: forked, ended, listens, isListening: false, isWanted: false },
      ...{ families: [], asked: new Map() },
    };
    this.#live.add(worker);
    forked.on("message", ({ question = 0, families }: Report) => {
      worker.families = families;
      worker.asked.get(question)?.();
      worker.asked.delete(question);
    });
    this.#send(worker, { file: this.#options.copy.whole.file });
    void ended.then((end) => this.#replace(worker, end, performance.now() - began));
    return worker;
  }

  async #replace({ isWanted }: Worker, end: number | string, livedMilliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    if (!isWanted || signal.aborted) return;
    if (livedMilliseconds > LONG_LIFE) this.#pause = SHORTEST_PAUSE;
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, LONGEST_PAUSE);
    this.#replaced += 1;
    this.#options.log.info(`a worker ended with ${end}; another one follows in ${pause / 1000} s`);
    try {
      await sleep(pause, null, { signal });
      this.#fork().isWanted = true;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Has another one take the place of each, one after the other: it listens before the former one drains. */
  renew(): void {
    this.#renewing = this.#renewing.then(async () => {
      this.#options.log.info("starting anew");
      for (const former of this.#listening) if (!(await this.#renewOne(former))) return;
      this.#options.log.info("started anew");
    });
  }

  async #renewOne(former: Worker): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const next = this.#fork();
    const listens = await Promise.race([next.listens.then(() => true), next.ended.then(() => false)]);
    if (!listens) {
      this.#options.log.info("a new worker ended before it listened; the present ones go on");
      return false;
    }
    // One that ended by itself meanwhile has another one follow.
    const spare = this.#live.has(former) ? former : next;
    next.isWanted = spare === former;
    await this.#end(spare);
    return true;
  }

  /** Lets it drain; resolves when it is gone. */
  async #end(worker: Worker): Promise<void> {
    worker.isWanted = false;
    worker.process.process.kill("SIGTERM");
    const limit = this.#options.drainMilliseconds + END_MILLISECONDS;
    const late = setTimeout(() => worker.process.process.kill("SIGKILL"), limit);
    await worker.ended;
    clearTimeout(late);
  }

  get #listening(): Worker[] {
    return [...this.#live].filter(({ isListening }) => isListening);
  }

  #send({ process }: Worker, message: Message): void {
    if (process.isConnected()) process.send(message, () => {});
  }

  /** Resolves when all have answered or have ended, to those that took too long. */
  async #ask(about: Question, milliseconds: number): Promise<Worker[]> {
    const question = ++this.#questions;
    const workers = this.#listening;
    const answers = workers.map((worker) => {
      const answered = new Promise<void>((resolve) => worker.asked.set(question, resolve));
      this.#send(worker, { ...about, question });
      return Promise.race([answered, worker.ended]);
    });
    const enough = new AbortController();
    await Promise.race([Promise.all(answers), sleep(milliseconds, null, { signal: enough.signal })]);
    enough.abort();
    return workers.filter(({ asked, process }) => asked.delete(question) && !process.isDead());
  }

  /** As of all that read a copy: it changes again only when all have gone over. Who cannot is ended. */
  async #askReaders(about: Question): Promise<void> {
    for (const late of await this.#ask(about, CHANGE_MILLISECONDS)) late.process.process.kill("SIGKILL");
  }

  async take(change: CopyChange): Promise<void> {
    await this.#askReaders({ take: change });
  }

  async refresh(): Promise<void> {
    await this.#askReaders({ refresh: true });
  }

  /** Tells all when the source was last looked at with success. */
  polled(seconds: number): void {
    this.#polledSeconds = seconds;
    for (const worker of this.#listening) this.#send(worker, { polled: seconds });
  }

  /** What all have counted. */
  async families(): Promise<Family[]> {
    await this.#ask({ metrics: true }, METRICS_MILLISECONDS);
    const replaced = "Workers that ended by themselves and were followed by another one.";
    const own = [
      gauge("vitrine_workers", "Workers that listen.", this.#listening.length),
      counter("vitrine_workers_replaced", replaced, { value: this.#replaced }),
    ];
    const reported = [...this.#live].map(({ families }) => families);
    return sumFamilies([own, this.#ended, ...reported]);
  }

  /** Lets all of them drain; resolves when they are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#live].map((worker) => this.#end(worker)));
  }
}

/** In a worker: the file of the copy that it is to read. */
export async function copyOfPrimary(): Promise<string> {
  const [message] = (await once(process, "message")) as [{ readonly file: string }];
  return message.file;
}

interface Primary {
  /** When it last looked at the source with success. */
  polledSeconds(): number;
  /** Tells it what this worker has counted. */
  report(): void;
}

/** In a worker: does what the primary asks for, one after the other. */
export function obeyPrimary(
  catalog: CopyReaders,
  families: () => readonly Family[],
  log: Pick<Log, "info">,
): Primary {
  let polledSeconds = Date.now() / 1000;
  let working = Promise.resolve();
  // Where the primary is gone, so is this process in a moment.
  const report = (said: Report) => process.send?.(said, undefined, undefined, () => {});
  const obey = async (asked: Asked) => {
    if ("take" in asked) await catalog.take(asked.take);
    else if ("refresh" in asked) await catalog.refresh();
    report({ question: asked.question, families: families() });
  };
  process.on("message", (message: Message) => {
    if ("polled" in message) polledSeconds = message.polled;
    else if ("metrics" in message) void obey(message);
    else if ("question" in message)
      working = working
        .then(() => obey(message))
        .catch((error: unknown) => {
          log.info(`the catalog is not taken up, another worker is to do so: ${messageOf(error)}`);
          process.exitCode = 1;
          process.kill(process.pid, "SIGTERM");
        });
  });
  // A signal to all processes of a service to restart is meant for the primary.
  process.on("SIGHUP", () => {});
  return { polledSeconds: () => polledSeconds, report: () => report({ families: families() }) };
}
