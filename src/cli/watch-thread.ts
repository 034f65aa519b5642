/** The thread in which `watch` builds, again and again: each message is the order of a build, or says that one follows in a moment. */
import { parentPort, workerData } from "node:worker_threads";
import { toSqlTime } from "../base/time.ts";
import { Builder } from "../build.ts";
import type { BuildInputs } from "../config/inputs.ts";
import type { WatchOrder } from "./stages.ts";
import { reportFromThread } from "./thread.ts";

const inputs = workerData as BuildInputs;
const builder = new Builder();
parentPort?.on("message", (order: WatchOrder) => {
  if (order === "prepare") return builder.prepare(inputs);
  const { now, isQuick } = order;
  return reportFromThread((log) => builder.build({ ...inputs, now: toSqlTime(now) }, log, isQuick));
});
