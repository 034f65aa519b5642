/** The capture of changes in a store: made, looked at and removed. Nothing else of Vitrine writes to a store. */
import { toSqlTime } from "../base/time.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { readAllowList } from "../extract/allow-list.ts";
import {
  type CaptureStatus,
  captureStatus,
  type InstallPlan,
  planInstall,
  planPrune,
  planRemove,
} from "../store/capture/capture.ts";
import type { Ask, CaptureDialect } from "../store/capture/dialect.ts";
import { driverOf } from "../store/open.ts";
import { askOf } from "../store/session.ts";
import type { BuildReport } from "./report.ts";

type Inputs = Pick<BuildInputs, "store" | "queries">;

/** Calls with who asks a store of any kind, as it is at one moment. @throws VitrineError store_unreadable */
export async function askingStore<Result>(
  store: string,
  work: (ask: Ask, dialect: CaptureDialect) => Promise<Result>,
): Promise<Result> {
  const driver = driverOf(store);
  const session = await driver.open(toSqlTime(new Date()));
  try {
    return await work(askOf(session), driver.capture);
  } finally {
    await session.close();
  }
}

/**
 * What makes the capture for an allow-list, in the place of one that there may be.
 * @param definer the account that triggers run as in MySQL and MariaDB, `shop@%`; null elsewhere
 * @throws VitrineError usage, allow_list_invalid: what it can't hold
 */
export function planCapture(inputs: Inputs, definer: string | null = null): Promise<InstallPlan> {
  const queries = Object.values(readAllowList(inputs.queries));
  return askingStore(inputs.store, (ask, dialect) => planInstall(ask, dialect, queries, definer));
}

/** The SQL that removes it. */
export function removeSql(inputs: Pick<Inputs, "store">): Promise<readonly string[]> {
  return askingStore(inputs.store, planRemove);
}

/** The SQL that removes all changes but the newest; none where there are no more than these. @throws VitrineError usage */
export function pruneSql(inputs: Pick<Inputs, "store">, keep: number): Promise<readonly string[]> {
  return askingStore(inputs.store, (ask, dialect) => planPrune(ask, dialect, keep));
}

export function readCaptureStatus(inputs: Inputs): Promise<CaptureStatus> {
  const queries = Object.values(readAllowList(inputs.queries));
  return askingStore(inputs.store, (ask, dialect) => captureStatus(ask, dialect, queries));
}

export function runCaptureSql(
  { store }: Pick<Inputs, "store">,
  statements: readonly string[],
): Promise<void> {
  return driverOf(store).run(statements);
}

/** Of a build that compared all rows: more is a wait that a capture would spare. */
const SLOW_SECONDS = 2;

/** What a `watch` says of a build that read all rows of a store without a capture to find what changed; null where it need not. */
export async function captureHint(
  inputs: Inputs,
  { work, seconds }: Pick<BuildReport, "work" | "seconds">,
  slowSeconds = SLOW_SECONDS,
): Promise<string | null> {
  if (work === "whole" || seconds.extract < slowSeconds) return null;
  if ((await readCaptureStatus(inputs)).installed) return null;
  const spent = seconds.extract.toFixed(1);
  return `to find what changed, all rows were read, in ${spent} s; with vitrine capture install it would be a fraction of that`;
}
