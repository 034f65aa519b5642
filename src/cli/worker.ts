/** Work in a thread of its own: what it says there becomes a log, a report or an error again here, and a signal ends it. */
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { SHORT_LIVED } from "../base/thread-pool.ts";
import { outLayout } from "../config/inputs.ts";
import { startedModule } from "../package.ts";
import { onInterrupt, untilInterrupted } from "./interrupt.ts";
import type { Heard, ThreadMessage, Work } from "./work-thread.ts";

type Order<Name extends keyof Work> = Parameters<Work[Name]>[0];
type Report<Name extends keyof Work> = Awaited<ReturnType<Work[Name]>>;

/**
 * Left alone, V8 lets a heap grow to several times what is in use before it looks for what is not: in each of the threads. A
 * quarter more is enough.
 */
const HEAP_GROWTH_PERCENT = 25;

/** What the thread reports of the work that it does now. @throws VitrineError as the work does */
function reportOf<Result>(worker: Worker, log: Log): Promise<Result> {
  return new Promise((resolve, reject) => {
    const settle = (result: () => void) => {
      worker.off("message", onMessage).off("error", fail).off("exit", end);
      result();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const end = () => fail(new Error("A thread has ended before its work was done."));
    const onMessage = (message: ThreadMessage) => {
      if ("info" in message) log.info(message.info);
      else if ("progress" in message) log.progress(() => message.progress);
      else if ("report" in message) settle(() => resolve(message.report as Result));
      else fail(new VitrineError(message.refused.code, message.refused.message));
    };
    worker.on("message", onMessage).on("error", fail).on("exit", end);
  });
}

/** A thread for one work after the other; one that an unexpected error ended is followed by another. */
export class WorkThread implements AsyncDisposable {
  #worker: Worker | undefined;

  /**
   * @param undo where the work can't be told to end: a signal ends the thread, and this follows. Otherwise the work is told,
   * and waited for.
   */
  run<Name extends keyof Work>(
    work: Name,
    order: Order<Name>,
    log: Log,
    undo?: () => Promise<void>,
  ): Promise<Report<Name>> {
    const worker = this.#started();
    const post = (heard: Heard) => worker.postMessage(heard);
    const begin = () => {
      const report = reportOf<Report<Name>>(worker, log);
      post({ work, order });
      return report;
    };
    if (undo === undefined)
      return untilInterrupted((signal) => {
        signal.addEventListener("abort", () => post("interrupted"));
        return begin();
      });
    const release = onInterrupt(async () => {
      worker.removeAllListeners();
      await worker.terminate();
      await undo();
    });
    return begin().finally(release);
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    const worker = new Worker(startedModule("cli/work-thread"), { resourceLimits: SHORT_LIVED });
    worker.once("exit", () => {
      this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }
}

/** Finishes what a build left that was ended, as the next build would. */
export async function repair(out: string): Promise<void> {
  if (existsSync(outLayout(out).next)) await (await import("../snapshot/out.ts")).repairOut(out);
}

/** One work in a thread of its own. */
export async function inThread<Name extends keyof Work>(
  ...given: Parameters<typeof WorkThread.prototype.run<Name>>
): Promise<Report<Name>> {
  await using thread = new WorkThread();
  return await thread.run(...given);
}
