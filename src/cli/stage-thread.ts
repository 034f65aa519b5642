/** The thread in which a store is read and rendered. Most of that is synchronous: the main thread is left free for signals. */
import { parentPort, workerData } from "node:worker_threads";
import { VitrineError } from "../base/error.ts";
import { buildSnapshot } from "../build.ts";
import { planBuild } from "../plan.ts";
import type { StageMessage, StageOrder } from "./stages.ts";

const PROGRESS_MILLISECONDS = 100;

function post(message: StageMessage): void {
  parentPort?.postMessage(message);
}

let posted = 0;
const log = {
  info: (info: string) => post({ info }),
  progress: (message: () => string) => {
    if (Date.now() - posted < PROGRESS_MILLISECONDS) return;
    posted = Date.now();
    post({ progress: message() });
  },
};

const { stage, inputs } = workerData as StageOrder;
try {
  const report = await (stage === "build" ? buildSnapshot(inputs, log) : planBuild(inputs));
  post({ report });
} catch (error) {
  // Any other error ends the thread, and is told with its stack.
  if (!(error instanceof VitrineError)) throw error;
  post({ refused: { code: error.code, message: error.message } });
}
