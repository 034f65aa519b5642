/** Opens a store in any supported database. */
import { CLOCK } from "../base/clock.ts";
import { type SqlTime, toSqlTime } from "../base/time.ts";
import type { AllowListQuery } from "../extract/allow-list.ts";
import type { StoreReader } from "../extract/store.ts";
import { isServerAddress, parseServerAddress, storePassword } from "./address.ts";
import { connectMysql } from "./mysql.ts";
import { connectPostgres } from "./postgres.ts";
import { SessionReader } from "./reader.ts";
import { type Ask, askOf, type Session, type StoreConnection } from "./session.ts";
import { sourceOf } from "./sql.ts";
import { connectSqlite } from "./sqlite.ts";

/**
 * @param store the path of an SQLite file, or a server's address; the environment has its password
 * @throws VitrineError store_unreadable, config_invalid, usage
 */
export async function connectStore(store: string): Promise<StoreConnection> {
  if (!isServerAddress(store)) return connectSqlite(store);
  const address = parseServerAddress(store);
  const connect = address.kind === "postgres" ? connectPostgres : connectMysql;
  return connect(address, storePassword(process.env));
}

/** A session that ends with its connection. @throws VitrineError store_unreadable, config_invalid, usage */
export async function openSession(
  store: string,
  now: SqlTime,
  sources?: readonly string[],
): Promise<Session> {
  const connection = await connectStore(store);
  try {
    return await connection.begin(now, sources);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * @param queries the files that will be read: their tables stay as they are until the reader is closed
 * @throws VitrineError store_unreadable, config_invalid, usage
 */
export async function openStore(
  store: string,
  now: SqlTime,
  queries: readonly AllowListQuery[] = [],
): Promise<StoreReader> {
  return new SessionReader(await openSession(store, now, queries.map(sourceOf)));
}

/** Calls `work` with a function that queries the store as it is at one moment. @throws VitrineError store_unreadable, config_invalid, usage */
export async function askStore<Result>(store: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const session = await openSession(store, toSqlTime(CLOCK.now()));
  try {
    return await work(askOf(session));
  } finally {
    await session.close();
  }
}
