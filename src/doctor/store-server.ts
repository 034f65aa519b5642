/** A store on a server: whether the role only reads, and what of the server's clock and tables a build must know. */
import { messageOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { AllowListQuery } from "../extract/allow-list.ts";
import { readSchema } from "../extract/capture/capture.ts";
import type { Ask } from "../extract/capture/dialect.ts";
import { type FileReads, mayRead, readsOf } from "../extract/capture/reads.ts";
import { parseServerAddress, type ServerAddress } from "../extract/stores/address.ts";
import { askOf, type Session } from "../extract/stores/session.ts";
import { driverOf } from "../open-store.ts";
import { checkCapture } from "./capture.ts";
import { judgeClock, readClock } from "./clock.ts";
import { type Found, ok, warning } from "./finding.ts";
import { isUtc, writingGrants } from "./rights.ts";

/** What is asked of a kind of server. */
interface Questions {
  /** What the role may do beside reading, a short text each. */
  readonly writes: (ask: Ask) => Promise<readonly string[]>;
  /** Seconds since 1970. */
  readonly clock: string;
  /** The time zone of whoever names none. */
  readonly zone: string;
  /** Tables and columns with moments that have no time zone. */
  readonly localMoments: string;
  /** Tables without transactions, and what they are; null where a server has none. */
  readonly engines: string | null;
}

const POSTGRES_WRITES = `SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p')
    AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      OR has_any_column_privilege(c.oid, 'INSERT, UPDATE')) ORDER BY 1`;

const QUESTIONS: Readonly<Record<ServerAddress["kind"], Questions>> = {
  postgres: {
    async writes(ask) {
      const [[isSuper] = []] = await ask("SELECT current_setting('is_superuser')");
      const tables = (await ask(POSTGRES_WRITES)).map(([table]) => String(table));
      return [...(isSuper === "on" ? ["everything, as a superuser"] : []), ...tables];
    },
    clock: "SELECT extract(epoch FROM clock_timestamp())",
    zone: "SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'",
    localMoments: `SELECT table_name, column_name FROM information_schema.columns
      WHERE data_type = 'timestamp without time zone' AND table_schema = ANY (current_schemas(FALSE))`,
    engines: null,
  },
  mysql: {
    writes: async (ask) => writingGrants((await ask("SHOW GRANTS")).map(([line]) => String(line))),
    clock: "SELECT UNIX_TIMESTAMP(SYSDATE(6))",
    zone: "SELECT IF(@@global.time_zone = 'SYSTEM', @@system_time_zone, @@global.time_zone)",
    localMoments: `SELECT table_name, column_name FROM information_schema.columns
      WHERE data_type = 'datetime' AND table_schema = DATABASE()`,
    engines: `SELECT table_name, engine FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND engine <> 'InnoDB'`,
  },
};

const MOST_NAMED = 3;

/** `orders, users, carts and 28 more` */
function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

async function checkRights(ask: Ask, { writes }: Questions): Promise<Found[]> {
  const found = await writes(ask);
  if (found.length === 0) return [ok("The role may only read")];
  return [
    warning(
      `The role may write, too: ${listed(found)}`,
      "Make one that can only read what the SQL files name (docs/stores.md, “The password”).",
    ),
  ];
}

/** Tables and columns of the store that files name; null: any. */
type Use = (table: string, column?: string) => boolean;

function useOf(files: readonly (FileReads | null)[]): Use {
  return (table, column) =>
    files.some((reads) => {
      if (reads === null) return true;
      if (!reads.tables.some(({ name }) => name === table.toLowerCase())) return false;
      return column === undefined || mayRead(reads, column);
    });
}

async function checkZone(ask: Ask, { zone, localMoments }: Questions, isUsed: Use): Promise<Found[]> {
  const [[name] = []] = await ask(zone);
  if (isUtc(String(name))) return [ok("The server's time zone is UTC")];
  const columns = (await ask(localMoments))
    .map(([table, column]) => [String(table), String(column)] as const)
    .filter(([table, column]) => isUsed(table, column));
  if (columns.length === 0)
    return [ok(`The server's time zone is ${name}; no file reads a moment without one`)];
  return [
    warning(
      `The server's time zone is ${name}, and ${listed(columns.map((names) => names.join(".")))} are read as UTC`,
      "Where the shop writes local time there, convert it in the SQL (AT TIME ZONE, CONVERT_TZ).",
    ),
  ];
}

async function checkEngines(ask: Ask, { engines }: Questions, isUsed: Use): Promise<Found[]> {
  if (engines === null) return [];
  const tables = (await ask(engines)).filter(([table]) => isUsed(String(table)));
  if (tables.length === 0) return [ok("All tables that are read know transactions")];
  return [
    warning(
      `Without transactions are ${listed(tables.map(([table, engine]) => `${table} (${engine})`))}: what is written during a build may be read in part`,
      "ALTER TABLE … ENGINE = InnoDB.",
    ),
  ];
}

/** One that fails keeps none of the others from being asked. */
async function asked(session: Session, work: () => Promise<Found[]>): Promise<Found[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VitrineError || !session.isOfTheSql(error)) throw error;
    return [warning(`The server does not tell: ${messageOf(error)}`, "Ask its administrator.")];
  }
}

/** @param queries of the allow-list; null where it cannot be read: then all tables count */
export async function checkServer(
  store: string,
  now: SqlTime,
  queries: readonly AllowListQuery[] | null,
): Promise<Found[]> {
  const [driver, { kind, shown }] = [driverOf(store), parseServerAddress(store)];
  const session = await driver.open(now);
  try {
    const ask = askOf(session);
    const questions = QUESTIONS[kind];
    const schema = await readSchema(ask, driver.capture);
    const isUsed = useOf(queries === null ? [null] : queries.map(({ sql }) => readsOf(sql, schema)));
    const parts = [
      () => checkRights(ask, questions),
      () => checkZone(ask, questions, isUsed),
      async () => {
        const clock = await readClock(async () => Number((await ask(questions.clock))[0]?.[0]) * 1000);
        return [judgeClock("The server's clock", clock)];
      },
      () => checkEngines(ask, questions, isUsed),
      () => checkCapture(ask, driver.capture, queries ?? []),
    ];
    const found = [ok(`${shown} can be read, ${schema.tables.size} tables`)];
    for (const part of parts) found.push(...(await asked(session, part)));
    return found;
  } finally {
    await session.close();
  }
}
