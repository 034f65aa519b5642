/** The thread of {@link SqliteBeside}: begins a transaction of its own, then reads what it is asked for. */
import { workerData } from "node:worker_threads";
import type Database from "better-sqlite3";
import { beginReading } from "../../base/read-transaction.ts";
import { answerMessages } from "../../base/thread-pool.ts";
import type { RowText } from "../store.ts";
import { changesSince } from "./sqlite-changes.ts";
import { digestsForOthers } from "./sqlite-pages.ts";
import type { Picture } from "./sqlite-picture.ts";
import type { Plan } from "./sqlite-plan.ts";
import { connect, type Reading, rowBatches } from "./sqlite-rows.ts";

export interface BesideData {
  readonly file: string;
  readonly busyMilliseconds: number;
}

/** First `begin`. `picture`: of whoever asks, which sees the same. */
export type BesideOrder =
  | "begin"
  | { readonly reading: Reading }
  | { readonly plans: readonly Plan[]; readonly picture: Picture };

export interface BesideResponse {
  readonly rows?: readonly RowText[];
  readonly fingerprint?: Uint8Array | null;
}

const { file, busyMilliseconds } = workerData as BesideData;
const db = connect(file, busyMilliseconds);

answerMessages((order: BesideOrder): BesideResponse => {
  if (order === "begin") {
    beginReading(db);
    return {};
  }
  if ("plans" in order) {
    const { picture, plans } = order;
    return { fingerprint: changesSince(db, picture, null, plans, digestsForOthers).fingerprint };
  }
  return { rows: rowsOf(db, order.reading) };
});

function rowsOf(db: Database.Database, reading: Reading): readonly RowText[] {
  const batches = rowBatches(db, reading);
  const first = batches.next();
  if (first.done === true) return [];
  if (batches.next().done !== true)
    throw new Error("These are more rows than go from thread to thread at once");
  return first.value;
}
