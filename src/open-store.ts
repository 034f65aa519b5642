/** Opens a store, whatever it stands in. */
import type { SqlTime } from "./base/time.ts";
import type { StoreReader } from "./extract/store.ts";
import { isServerAddress, parseServerAddress, storePassword } from "./extract/stores/address.ts";
import { openMysqlStore } from "./extract/stores/mysql.ts";
import { openPostgresStore } from "./extract/stores/postgres.ts";
import { openSqliteStore } from "./extract/stores/sqlite.ts";

/**
 * @param store the path of an SQLite file, or a server's address; its password is the environment's
 * @throws VitrineError store_unreadable, config_invalid, usage
 */
export async function openStore(store: string, now: SqlTime): Promise<StoreReader> {
  if (!isServerAddress(store)) return openSqliteStore(store, now);
  const address = parseServerAddress(store);
  const open = address.kind === "postgres" ? openPostgresStore : openMysqlStore;
  return open(address, storePassword(process.env), now);
}
