/** A thread that digests runs beside this one. */
import { Worker } from "node:worker_threads";
import { SHORT_LIVED } from "../../base/thread-pool.ts";
import { startedModule } from "../../package.ts";
import { LARGE_STORE_BYTES } from "./large-store.ts";
import { digestRuns, finishRuns, type RunsJob } from "./sqlite-runs.ts";

/** A run takes some tenths of a millisecond, and on a machine that does other things as well some hundred. */
const STUCK_MILLISECONDS = 5000;

let thread: Worker | null = null;

function keptThread(): Worker {
  if (thread !== null) return thread;
  const worker = new Worker(startedModule("extract/stores/runs-thread"), { resourceLimits: SHORT_LIVED });
  // Nobody waits for it: what it does not do is done here.
  worker.unref();
  worker.on("error", () => {});
  worker.once("exit", () => {
    if (thread === worker) thread = null;
  });
  thread = worker;
  return worker;
}

function endThread(): void {
  void thread?.terminate();
  thread = null;
}

/** Begins to digest runs of a job, which {@link digestRunsBeside} ends; false where the store is too small to be worth it. */
export function beginRuns(job: RunsJob, fromBytes = LARGE_STORE_BYTES): boolean {
  const { pages, pageSize } = job.source;
  if (pages * pageSize < fromBytes) return false;
  keptThread().postMessage(job);
  return true;
}

/**
 * Digests all runs; false where some cannot be read, or that is not certain.
 * @param fromBytes the least store for which another thread is worth it
 */
export function digestRunsBeside(job: RunsJob, fromBytes = LARGE_STORE_BYTES): boolean {
  beginRuns(job, fromBytes);
  digestRuns(job);
  const end = finishRuns(job, STUCK_MILLISECONDS);
  if (end === "stuck") endThread();
  return end === "done";
}
