/** The thread in which `watch` builds, again and again: each message is the moment of a build. */
import { parentPort, workerData } from "node:worker_threads";
import type { Log } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { Builder } from "../build/build.ts";
import { presentCosts } from "../build/plan.ts";
import type { BuildReport } from "../build/report.ts";
import { readCaptureStatus } from "../capture.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { dearProduct } from "../render/plan-summary.ts";
import { reportFromThread } from "./thread.ts";

const inputs = workerData as BuildInputs;
const builder = new Builder();
let isFirst = true;

/** Once a watch: a shop whose products cost too much goes on doing so. */
function warn(log: Log): void {
  const costs = isFirst ? presentCosts(inputs.out) : null;
  isFirst = false;
  const dear = costs === null ? null : dearProduct(costs);
  if (dear !== null) log.info(`${dear.what}. ${dear.next}`);
}

/** Of a build that compared all rows: more is a wait that a capture would spare. */
const SLOW_SECONDS = 2;
let isCaptureNamed = false;

/** Once a watch, too. */
async function nameCapture({ work, seconds }: BuildReport, log: Log): Promise<void> {
  if (isCaptureNamed || work === "whole" || seconds.extract < SLOW_SECONDS) return;
  isCaptureNamed = true;
  if ((await readCaptureStatus(inputs)).installed) return;
  log.info(
    `to find what changed, all rows were read, in ${seconds.extract.toFixed(1)} s; with vitrine capture install it would be ` +
      "a fraction of that",
  );
}

parentPort?.on("message", (now: Date) =>
  reportFromThread(async (log) => {
    const report = await builder.build({ ...inputs, now: toSqlTime(now) }, log);
    warn(log);
    await nameCapture(report, log);
    return report;
  }),
);
