/** The thread of {@link RowsBeside}: begins a transaction of its own, then reads what it is asked for. */
import { workerData } from "node:worker_threads";
import { beginReading } from "../../base/read-transaction.ts";
import { answerMessages } from "../../base/thread-pool.ts";
import type { RowText } from "../store.ts";
import { connect, type Reading, rowBatches } from "./sqlite-rows.ts";

export interface RowsThreadData {
  readonly file: string;
  readonly busyMilliseconds: number;
}

export type RowsOrder = "begin" | Reading;

const { file, busyMilliseconds } = workerData as RowsThreadData;
const db = connect(file, busyMilliseconds);

answerMessages((order: RowsOrder): readonly RowText[] => {
  if (order === "begin") {
    beginReading(db);
    return [];
  }
  const batches = rowBatches(db, order);
  const first = batches.next();
  if (first.done === true) return [];
  if (batches.next().done !== true)
    throw new Error("These are more rows than go from thread to thread at once");
  return first.value;
});
