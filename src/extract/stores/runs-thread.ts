/** The thread beside {@link digestRunsBeside}: digests runs of each job that it is sent. */
import { parentPort } from "node:worker_threads";
import { digestRuns, failRuns, type RunsJob } from "./sqlite-runs.ts";

/** It is kept for a while, since a `watch` wants it again soon; and ends by itself, so never amid a run that others wait for. */
const KEPT_MILLISECONDS = 30_000;
const end = setTimeout(() => parentPort?.close(), KEPT_MILLISECONDS);

parentPort?.on("message", (job: RunsJob) => {
  try {
    digestRuns(job);
  } catch {
    // Who waits finds out by itself what cannot be read.
    failRuns(job.state);
  }
  end.refresh();
});
