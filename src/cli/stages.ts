/** Runs the stages of a build in a thread of their own and ends them cleanly when a signal comes. */
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Log } from "../base/log.ts";
import { SHORT_LIVED } from "../base/thread-pool.ts";
import type { BuildPlan } from "../build/plan.ts";
import type { BuildReport } from "../build/report.ts";
import type { WatchPorts } from "../build/watch.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import { startedModule } from "../package.ts";
import { onInterrupt, withTemporaryFolder } from "./interrupt.ts";
import { reportOf } from "./thread.ts";

export interface StageOrder {
  readonly inputs: BuildInputs;
  /** An empty folder, where it is only planned; null where it is built. */
  readonly planIn: string | null;
}

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

/** What a thread reports of a stage. A signal ends the thread, and `undo` follows. */
async function reportOfStage<Report>(thread: Worker, log: Log, undo: () => Promise<void>): Promise<Report> {
  const release = onInterrupt(async () => {
    thread.removeAllListeners("message");
    await thread.terminate();
    await undo();
  });
  try {
    return await reportOf<Report>(thread, log);
  } finally {
    release();
  }
}

/** @throws VitrineError as the build does */
export function runBuild(inputs: BuildInputs, log: Log): Promise<BuildReport> {
  const order: StageOrder = { inputs, planIn: null };
  const thread = startThread(startedModule("cli/stage-thread"), order);
  return reportOfStage(thread, log, () => repair(inputs.out));
}

/** @throws VitrineError as the plan does */
export function runPlan(inputs: BuildInputs, log: Log): Promise<BuildPlan> {
  return withTemporaryFolder((planIn) => {
    const order: StageOrder = { inputs, planIn };
    return reportOfStage(startThread(startedModule("cli/stage-thread"), order), log, async () => {});
  });
}

/**
 * Builds in one thread, kept with all that it has in memory from build to build. One that an unexpected error ended is
 * followed by another at the next build.
 */
export function residentBuilder(inputs: BuildInputs, log: Log): WatchPorts["build"] {
  let thread: Worker | undefined;
  return (now) => {
    if (thread === undefined) {
      thread = startThread(startedModule("cli/watch-thread"), inputs);
      thread.once("error", () => {
        thread = undefined;
      });
    }
    thread.postMessage(now);
    return reportOfStage(thread, log, () => repair(inputs.out));
  };
}
