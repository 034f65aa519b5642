/** The thread in which a store is read and rendered. Most of that is synchronous: the main thread is left free for signals. */
import { workerData } from "node:worker_threads";
import { buildSnapshot } from "../build/build.ts";
import { planBuild } from "../build/plan.ts";
import type { StageOrder } from "./stages.ts";
import { reportFromThread } from "./thread.ts";

const { inputs, planIn } = workerData as StageOrder;
await reportFromThread<object>((log) =>
  planIn === null ? buildSnapshot(inputs, log) : planBuild(inputs, planIn),
);
