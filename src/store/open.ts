/** Opens a store, whatever it stands in. */
import type { SqlTime } from "../base/time.ts";
import type { StoreReader } from "../extract/store.ts";
import { isServerAddress, parseServerAddress, storePassword } from "./address.ts";
import { mysqlDriver } from "./mysql.ts";
import { postgresDriver } from "./postgres.ts";
import { SessionReader } from "./reader.ts";
import type { Driver } from "./session.ts";
import { sqliteDriver } from "./sqlite.ts";

/**
 * @param store the path of an SQLite file, or a server's address, whose password is the environment's
 * @throws VitrineError config_invalid
 */
export function driverOf(store: string): Driver {
  if (!isServerAddress(store)) return sqliteDriver(store);
  const address = parseServerAddress(store);
  const driver = address.kind === "postgres" ? postgresDriver : mysqlDriver;
  return driver(address, storePassword(process.env));
}

/** @throws VitrineError store_unreadable, config_invalid, usage */
export async function openStore(store: string, now: SqlTime): Promise<StoreReader> {
  const driver = driverOf(store);
  return new SessionReader(await driver.open(now), driver.capture);
}
