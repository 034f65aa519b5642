/** The thread beside {@link digestRunsBeside}: digests runs of each job that it is sent. */
import { parentPort } from "node:worker_threads";
import { digestRuns, failRuns, type RunsJob } from "./sqlite-runs.ts";

parentPort?.on("message", (job: RunsJob) => {
  try {
    digestRuns(job);
  } catch {
    // Who waits finds out by itself what cannot be read.
    failRuns(job.state);
  }
});
