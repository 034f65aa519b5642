/** What `vitrine doctor` looks at in a store: whether it can be read, who else may change it, its clock. */
import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { AllowListQuery } from "../extract/allow-list.ts";
import { parseServerAddress, type ServerAddress } from "../store/address.ts";
import { askStore, openSession } from "../store/open.ts";
import { mayRead, readDefinitions, readsOf } from "../store/reads.ts";
import { type Ask, askOf } from "../store/session.ts";
import { type Found, judgeClock, ok, readClock, warning } from "./finding.ts";

const OTHERS = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/** True where others may enter a folder and all above it: elsewhere the modes of what is in it do not count. */
function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & OTHERS.enter) === 0) return false;
  return dirname(folder) === folder || isReachable(dirname(folder));
}

function checkModes(file: string): Found[] {
  const folder = dirname(realpathSync(file));
  const { mode } = statSync(file);
  if (!isReachable(folder)) return [];
  if (((mode | statSync(folder).mode) & OTHERS.write) !== 0)
    return [warning(`Anybody on this machine may change ${file}`, "chmod o-w it, and its folder.")];
  if ((mode & OTHERS.read) === 0) return [];
  return [
    warning(
      `Anybody on this machine may read ${file}, which is private (mode ${(mode & 0o777).toString(8)})`,
      "chmod o-r it, and let the user that builds be its owner or of its group.",
    ),
  ];
}

/** @throws VitrineError store_unreadable */
export function checkStoreFile(file: string): Promise<Found[]> {
  return askStore(file, async (ask) => {
    const [[mode] = []] = await ask("PRAGMA journal_mode");
    const journal =
      mode === "wal"
        ? "its writers go on during a build (WAL)"
        : "its writers wait for a build (no WAL: docs/allow-list.md)";
    return [ok(`${file} can be read; ${journal}`), ...checkModes(file)];
  });
}

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

/** Names of a role's rights in MySQL that change what is in a database, or are above that. */
const WRITING =
  /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|INDEX|TRIGGER|FILE|SUPER|GRANT OPTION|DELETE HISTORY)\b/g;

/**
 * Lines of SHOW GRANTS → what they let a role change: ``GRANT SELECT, INSERT ON `shop`.* TO …`` → ``INSERT ON `shop`.*``. Of
 * each line only rights and place are looked at: what follows may be a password's digest.
 */
export function writingGrants(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const match = /^GRANT (.*?) ON ((?:`(?:[^`]|``)*`|\*)\.(?:`(?:[^`]|``)*`|\*)) TO /.exec(line);
    if (match === null) return [];
    const [, rights = "", place = ""] = match;
    // Columns stand in brackets.
    const named = rights.replace(/`(?:[^`]|``)*`/g, "").match(WRITING) ?? [];
    return named.length === 0 ? [] : [`${[...new Set(named)].join(", ")} ON ${place}`];
  });
}

/** Names that servers have for the one time zone in which moments without one are read. */
export function isUtc(zone: string): boolean {
  return /^(?:(?:etc\/)?(?:utc|uct|gmt|zulu|universal|greenwich)|\+00:00)$/i.test(zone);
}

/** `orders, users, carts and 28 more` */
function listed(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** True of a table of the store, or of a column of it, that a file may read. */
type Use = (table: string, column?: string) => boolean;

async function checkRights(ask: Ask, { writes }: Questions): Promise<Found> {
  const found = await writes(ask);
  if (found.length === 0) return ok("The role may only read");
  return warning(
    `The role may write, too: ${listed(found)}`,
    "Make one that can only read what the SQL files name (docs/stores.md, “The password”).",
  );
}

async function checkZone(ask: Ask, { zone, localMoments }: Questions, isUsed: Use): Promise<Found> {
  const [[name] = []] = await ask(zone);
  if (isUtc(String(name))) return ok("The server's time zone is UTC");
  const columns = (await ask(localMoments)).filter(([table, column]) =>
    isUsed(String(table), String(column)),
  );
  if (columns.length === 0)
    return ok(`The server's time zone is ${name}; no file reads a moment without one`);
  return warning(
    `The server's time zone is ${name}, and ${listed(columns.map((names) => names.join(".")))} are read as UTC`,
    "Where the shop writes local time there, convert it in the SQL (AT TIME ZONE, CONVERT_TZ).",
  );
}

async function checkEngines(ask: Ask, engines: string, isUsed: Use): Promise<Found> {
  const tables = (await ask(engines)).filter(([table]) => isUsed(String(table)));
  if (tables.length === 0) return ok("All tables that are read know transactions");
  return warning(
    `Without transactions are ${listed(tables.map(([table, engine]) => `${table} (${engine})`))}: what is written during a build may be read in part`,
    "ALTER TABLE … ENGINE = InnoDB.",
  );
}

/** @param queries of the allow-list; null where it cannot be read: then all tables count */
export async function checkServer(
  store: string,
  now: SqlTime,
  queries: readonly AllowListQuery[] | null,
): Promise<Found[]> {
  const { kind, shown } = parseServerAddress(store);
  const session = await openSession(store, now);
  try {
    const ask = askOf(session);
    const questions = QUESTIONS[kind];
    const { engines, clock } = questions;
    const schema = await readDefinitions(ask, store);
    const files = queries?.map(({ sql }) => readsOf(sql, schema)) ?? [null];
    const isUsed: Use = (table, column) =>
      files.some((reads) => {
        if (reads === null) return true;
        const isNamed = reads.tables.has(table.toLowerCase());
        return isNamed && (column === undefined || mayRead(reads, column));
      });
    const askClock = async () => Number((await ask(clock))[0]?.[0]) * 1000;
    const parts: (() => Promise<Found | Found[]>)[] = [
      () => checkRights(ask, questions),
      () => checkZone(ask, questions, isUsed),
      async () => judgeClock("The server's clock", await readClock(askClock)),
      async () => (engines === null ? [] : checkEngines(ask, engines, isUsed)),
    ];
    const found = [ok(`${shown} can be read, ${schema.tables.size} tables`)];
    // One that fails keeps none of the others from being asked.
    for (const part of parts)
      try {
        found.push(...[await part()].flat());
      } catch (error) {
        if (error instanceof VitrineError || !session.isSqlError(error)) throw error;
        found.push(warning(`The server does not tell: ${messageOf(error)}`, "Ask its administrator."));
      }
    return found;
  } finally {
    await session.close();
  }
}
