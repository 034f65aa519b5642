/** The capture of changes in a store: made, looked at and removed. Nothing else of Vitrine writes to a store. */
import { toSqlTime } from "./base/time.ts";
import { serverOf } from "./build/store.ts";
import type { BuildInputs } from "./config/inputs.ts";
import { readAllowList } from "./extract/allow-list.ts";
import {
  type CaptureStatus,
  captureStatus,
  type InstallPlan,
  planInstall,
  planPrune,
} from "./extract/capture/capture.ts";
import type { Ask, CaptureDialect } from "./extract/capture/dialect.ts";
import { SQLITE_CAPTURE } from "./extract/capture/sqlite.ts";
import { isServerAddress } from "./extract/stores/address.ts";
import { askOf } from "./extract/stores/server-session.ts";
import { askingSqlite, runSqlite } from "./extract/stores/sqlite.ts";

type Inputs = Pick<BuildInputs, "store" | "queries">;

/** Calls with who asks a store of any kind, as it is at one moment. @throws VitrineError store_unreadable */
export async function askingStore<Result>(
  store: string,
  work: (ask: Ask, dialect: CaptureDialect) => Promise<Result>,
): Promise<Result> {
  if (!isServerAddress(store)) return askingSqlite(store, (ask) => work(ask, SQLITE_CAPTURE));
  const { driver, address, password } = serverOf(store);
  const session = await driver.open(address, password, toSqlTime(new Date()));
  try {
    return await work(askOf(session), driver.dialect.capture);
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
  return askingStore(inputs.store, (ask, dialect) => dialect.removeSql(ask));
}

/** The SQL that removes all changes but the newest; none where there are no more than these. @throws VitrineError usage */
export function pruneSql(inputs: Pick<Inputs, "store">, keep: number): Promise<readonly string[]> {
  return askingStore(inputs.store, (ask, dialect) => planPrune(ask, dialect, keep));
}

export function readCaptureStatus(inputs: Inputs): Promise<CaptureStatus> {
  const queries = Object.values(readAllowList(inputs.queries));
  return askingStore(inputs.store, (ask, dialect) => captureStatus(ask, dialect, queries));
}

export async function runCaptureSql(
  { store }: Pick<Inputs, "store">,
  statements: readonly string[],
): Promise<void> {
  if (!isServerAddress(store)) return runSqlite(store, statements);
  const { driver, address, password } = serverOf(store);
  await driver.run(address, password, statements);
}
