/** Opens a store, whatever it stands in. */
import type { SqlTime } from "../base/time.ts";
import type { StoreReader } from "../extract/store.ts";
import {
  isServerAddress,
  parseServerAddress,
  type ServerAddress,
  storePassword,
} from "../extract/stores/address.ts";
import { MYSQL } from "../extract/stores/mysql.ts";
import { POSTGRES } from "../extract/stores/postgres.ts";
import type { ServerDriver } from "../extract/stores/server-session.ts";
import { serverStore } from "../extract/stores/server-store.ts";
import { openSqliteStore } from "../extract/stores/sqlite.ts";

/** A server with all that it takes to speak to it. */
export interface Server {
  readonly driver: ServerDriver;
  readonly address: ServerAddress;
  readonly password: string;
}

/** The server that an address names; its password is the environment's. @throws VitrineError config_invalid */
export function serverOf(store: string): Server {
  const address = parseServerAddress(store);
  const driver = address.kind === "postgres" ? POSTGRES : MYSQL;
  return { driver, address, password: storePassword(process.env) };
}

/**
 * @param store the path of an SQLite file, or a server's address
 * @throws VitrineError store_unreadable, config_invalid, usage
 */
export async function openStore(store: string, now: SqlTime): Promise<StoreReader> {
  if (!isServerAddress(store)) return openSqliteStore(store, now);
  const { driver, address, password } = serverOf(store);
  return serverStore(await driver.open(address, password, now), address, driver.dialect);
}
