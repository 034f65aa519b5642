/** Runs the stages of a build in a thread of their own and ends them cleanly when a signal comes. */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type ErrorCode, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import type { BuildReport } from "../build.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import type { Plan } from "../render/plan.ts";
import { onInterrupt } from "./interrupt.ts";

interface Reports {
  readonly build: BuildReport;
  readonly plan: Plan;
}

export interface StageOrder {
  readonly stage: keyof Reports;
  readonly inputs: BuildInputs;
}

/** What the thread says. A report is cloned, so it holds data alone. */
export type StageMessage =
  | { readonly info: string }
  | { readonly progress: string }
  | { readonly report: BuildReport | Plan }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

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
  const thread = new Worker(file, { workerData: order });
  const release = onInterrupt(async () => {
    thread.removeAllListeners("message");
    await thread.terminate();
    await repair(inputs.out);
  });
  try {
    return await new Promise<Reports[Stage]>((resolve, reject) => {
      thread.on("message", (message: StageMessage) => {
        if ("info" in message) log.info(message.info);
        else if ("progress" in message) log.progress(() => message.progress);
        else if ("report" in message) resolve(message.report as Reports[Stage]);
        else reject(new VitrineError(message.refused.code, message.refused.message));
      });
      thread.once("error", reject);
    });
  } finally {
    release();
  }
}
