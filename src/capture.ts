/** The capture of changes in a store on a server: made, looked at and removed. Nothing else of Vitrine writes to a store. */
import { VitrineError } from "./base/error.ts";
import { toSqlTime } from "./base/time.ts";
import type { BuildInputs } from "./config/inputs.ts";
import { readAllowList } from "./extract/allow-list.ts";
import {
  type CaptureStatus,
  captureStatus,
  planInstall,
  planPrune,
  planRemove,
} from "./extract/capture/capture.ts";
import type { CaptureDialect } from "./extract/capture/dialect.ts";
import { isServerAddress } from "./extract/stores/address.ts";
import type { ServerSession } from "./extract/stores/server-session.ts";
import { serverOf } from "./open-store.ts";

type Inputs = Pick<BuildInputs, "store" | "queries">;

async function asking<Result>(
  { store }: Pick<Inputs, "store">,
  work: (session: ServerSession, dialect: CaptureDialect) => Promise<Result>,
): Promise<Result> {
  if (!isServerAddress(store))
    throw new VitrineError("usage", "A store in a file needs no capture: its pages tell what changed.");
  const { driver, address, password } = serverOf(store);
  const session = await driver.open(address, password, toSqlTime(new Date()));
  try {
    return await work(session, driver.dialect.capture);
  } finally {
    await session.close();
  }
}

/** The SQL that makes the capture for an allow-list, in the place of one that there may be. */
export function installSql(inputs: Inputs): Promise<readonly string[]> {
  const queries = Object.values(readAllowList(inputs.queries));
  return asking(inputs, (session, dialect) => planInstall(session, dialect, queries));
}

/** The SQL that removes it. */
export function removeSql(inputs: Inputs): Promise<readonly string[]> {
  return asking(inputs, planRemove);
}

/** The SQL that removes all changes but the newest; none where there are no more than these. @throws VitrineError usage */
export function pruneSql(inputs: Pick<Inputs, "store">, keep: number): Promise<readonly string[]> {
  return asking(inputs, (session, dialect) => planPrune(session, dialect, keep));
}

export function readCaptureStatus(inputs: Inputs): Promise<CaptureStatus> {
  const queries = Object.values(readAllowList(inputs.queries));
  return asking(inputs, (session, dialect) => captureStatus(session, dialect, queries));
}

export async function runCaptureSql(
  { store }: Pick<Inputs, "store">,
  statements: readonly string[],
): Promise<void> {
  const { driver, address, password } = serverOf(store);
  await driver.run(address, password, statements);
}
