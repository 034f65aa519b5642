/** The thread in which `watch` builds, again and again: each message is the moment of a build. */
import { parentPort, workerData } from "node:worker_threads";
import type { Log } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { Builder } from "../build.ts";
import type { BuildReport } from "../build-report.ts";
import { captureHint } from "../capture.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { presentCosts } from "../plan.ts";
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

let isCaptureNamed = false;

/** Once a watch, too. */
async function nameCapture(report: BuildReport, log: Log): Promise<void> {
  const hint = isCaptureNamed ? null : await captureHint(inputs, report);
  if (hint === null) return;
  isCaptureNamed = true;
  log.info(hint);
}

parentPort?.on("message", (now: Date) =>
  reportFromThread(async (log) => {
    const report = await builder.build({ ...inputs, now: toSqlTime(now) }, log);
    warn(log);
    await nameCapture(report, log);
    return report;
  }),
);
