/** Runs the stages of a build in a thread of their own and ends them cleanly when a signal comes. */
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Log } from "../base/log.ts";
import { SHORT_LIVED } from "../base/thread-pool.ts";
import type { BuildReport } from "../build-report.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import { isLargeStore } from "../extract/stores/large-store.ts";
import { startedModule } from "../package.ts";
import type { BuildPlan } from "../plan.ts";
import type { WatchPorts } from "../watch-run.ts";
import { onInterrupt } from "./interrupt.ts";
import { startFrugally } from "./malloc.ts";
import { reportOf } from "./thread.ts";

interface Reports {
  readonly build: BuildReport;
  readonly plan: BuildPlan;
}

export interface StageOrder {
  readonly stage: keyof Reports;
  readonly inputs: BuildInputs;
}

/** A build of a thread that makes one after the other, or that one follows in a moment. */
export type WatchOrder = "prepare" | { readonly now: Date; readonly isQuick: boolean };

/** Finishes what the ended thread left, as the next build would. */
async function repair(out: string): Promise<void> {
  if (!existsSync(outLayout(out).next)) return;
  const { repairOut } = await import("../snapshot/out.ts");
  await repairOut(out);
}

/**
 * Left alone, V8 lets a heap grow to several times what is in use before it looks for what is not: in each of the threads. A
 * quarter more is enough.
 */
const HEAP_GROWTH_PERCENT = 25;

function startThread(module: URL, workerData: unknown): Worker {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  return new Worker(module, {
    workerData,
    resourceLimits: SHORT_LIVED,
  });
}

/** What a thread reports of a stage. A signal ends the thread, and its work is undone or finished. */
async function reportOfStage<Report>(thread: Worker, out: string, log: Log): Promise<Report> {
  const release = onInterrupt(async () => {
    thread.removeAllListeners("message");
    await thread.terminate();
    await repair(out);
  });
  try {
    return await reportOf<Report>(thread, log);
  } finally {
    release();
  }
}

/** Called before the first stage of a command that reads a whole store, and before anything that it could not do twice. */
export function readyProcess({ store }: BuildInputs): void {
  if (isLargeStore(store)) startFrugally();
}

/** Builds or plans. @throws VitrineError as the stages do */
export function runStage<Stage extends keyof Reports>(
  stage: Stage,
  inputs: BuildInputs,
  log: Log,
): Promise<Reports[Stage]> {
  const order: StageOrder = { stage, inputs };
  return reportOfStage(startThread(startedModule("cli/stage-thread"), order), inputs.out, log);
}

/**
 * Builds in one thread, kept with all that it has in memory from build to build. One that an unexpected error ended is
 * followed by another at the next build.
 */
export function residentBuilder(inputs: BuildInputs, log: Log): Pick<WatchPorts, "build" | "prepare"> {
  let thread: Worker | undefined;
  const build: WatchPorts["build"] = (now, isQuick) => {
    if (thread === undefined) {
      thread = startThread(startedModule("cli/watch-thread"), inputs);
      thread.once("error", () => {
        thread = undefined;
      });
    }
    const order: WatchOrder = { now, isQuick };
    thread.postMessage(order);
    return reportOfStage(thread, inputs.out, log);
  };
  return { build, prepare: () => thread?.postMessage("prepare" satisfies WatchOrder) };
}
