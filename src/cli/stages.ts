/** Runs the stages of a build in a thread of their own and ends them cleanly when a signal comes. */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Log } from "../base/log.ts";
import { SHORT_LIVED } from "../base/thread-pool.ts";
import type { BuildReport } from "../build.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import type { Plan } from "../render/plan.ts";
import { onInterrupt } from "./interrupt.ts";
import { reportOf } from "./thread.ts";

interface Reports {
  readonly build: BuildReport;
  readonly plan: Plan;
}

export interface StageOrder {
  readonly stage: keyof Reports;
  readonly inputs: BuildInputs;
}

/** Finishes what the ended thread left, as the next build would. */
async function repair(out: string): Promise<void> {
  if (!existsSync(outLayout(out).next)) return;
  const { repairOut } = await import("../snapshot/out.ts");
  await repairOut(out);
}

/** Builds or plans. @throws VitrineError as the stages do */
export async function runStage<Stage extends keyof Reports>(
  stage: Stage,
  inputs: BuildInputs,
  log: Log,
): Promise<Reports[Stage]> {
  const order: StageOrder = { stage, inputs };
  const file = new URL(`./stage-thread${extname(import.meta.filename)}`, import.meta.url);
  const thread = new Worker(file, { workerData: order, resourceLimits: SHORT_LIVED });
  const release = onInterrupt(async () => {
    thread.removeAllListeners("message");
    await thread.terminate();
    await repair(inputs.out);
  });
  try {
    return await reportOf<Reports[Stage]>(thread, log);
  } finally {
    release();
  }
}
