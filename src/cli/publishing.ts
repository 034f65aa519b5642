/** Publishes in a thread whose memory does not grow with the number of files. */
import { Worker } from "node:worker_threads";
import type { Log } from "../base/log.ts";
import type { EraseOptions, EraseReport } from "../erase.ts";
import { startedModule } from "../package.ts";
import type { PublishOptions, PublishReport } from "../publish-snapshot.ts";
import type { RollbackReport } from "../rollback.ts";
import { untilInterrupted } from "./interrupt.ts";
import { reportOf } from "./thread.ts";

/** What a thread can be given: data alone. */
export type PublishOrder = Omit<PublishOptions, "log" | "signal">;

/**
 * V8 lets the space of short-lived objects grow to some 130 MB where enough of them pass through, however few are in use
 * at a time, and so all the further the more files are put. With this bound a publish takes 8 % more processor time.
 */
const YOUNG_MEGABYTES = 16;

/** A rollback publishes too, what it has made anew before. */
export interface RollbackOrder {
  /** The release that is named; null for the one before the live one. */
  readonly rollback: string | null;
  readonly options: PublishOrder;
}

/** What is erased is published as well. */
export interface EraseOrder {
  readonly erase: Omit<EraseOptions, "log" | "signal">;
}

function inThread<Report>(order: PublishOrder | RollbackOrder | EraseOrder, log: Log): Promise<Report> {
  const file = startedModule("cli/publish-thread");
  return untilInterrupted((signal) => {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
    const thread = new Worker(file, { workerData: order, resourceLimits });
    signal.addEventListener("abort", () => thread.postMessage("interrupted"));
    return reportOf<Report>(thread, log);
  });
}

/** @throws VitrineError as the publish does */
export function publishInThread(order: PublishOrder, log: Log): Promise<PublishReport> {
  return inThread(order, log);
}

/** @throws VitrineError as the rollback does */
export function rollbackInThread(order: RollbackOrder, log: Log): Promise<RollbackReport> {
  return inThread(order, log);
}

/** @throws VitrineError as the erasing does */
export function eraseInThread(order: EraseOrder, log: Log): Promise<EraseReport> {
  return inThread(order, log);
}
