/** The checks of `vitrine doctor` for a store: whether it can be read, who else can change it, its clock. */
import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, VitrineError } from "../base/error.ts";
import { hasName, namesIn, textWithViews, withoutComments } from "../base/sql-words.ts";
import type { SqlTime } from "../base/time.ts";
import type { AllowListQuery } from "../extract/allow-list.ts";
import { parseServerAddress, type ServerAddress } from "../store/address.ts";
import { askStore, openSession } from "../store/open.ts";
import { type Ask, askOf } from "../store/session.ts";
import { type Found, judgeClock, ok, readClock, warning } from "./finding.ts";
import { readDefinitions, readsOf } from "./privacy/reads.ts";

const OTHERS = { read: 0o4, write: 0o2, enter: 0o1 } as const;

/** True if others can enter a folder and all folders above it; if not, the modes of its files do not matter. */
function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & OTHERS.enter) === 0) return false;
  return dirname(folder) === folder || isReachable(dirname(folder));
}

function checkModes(file: string): Found[] {
  const folder = dirname(realpathSync(file));
  const { mode } = statSync(file);
  if (!isReachable(folder)) return [];
  if (((mode | statSync(folder).mode) & OTHERS.write) !== 0)
    return [
      warning(`Every user of this machine can change ${file}`, "Run chmod o-w on it and on its folder."),
    ];
  if ((mode & OTHERS.read) === 0) return [];
  return [
    warning(
      `Every user of this machine can read ${file}, which is private (mode ${(mode & 0o777).toString(8)})`,
      "Run chmod o-r on it; the user that builds must be its owner or in its group.",
    ),
  ];
}

/** @throws VitrineError store_unreadable */
export function checkStoreFile(file: string): Promise<Found[]> {
  return askStore(file, async (ask) => {
    const [[mode] = []] = await ask("PRAGMA journal_mode");
    const journal =
      mode === "wal"
        ? "the shop can write during a build (WAL)"
        : "the shop cannot write during a build (no WAL: docs/allow-list.md)";
    return [ok(`${file} can be read; ${journal}`), ...checkModes(file)];
  });
}

/** The zone of a shop's local times in PostgreSQL, as files that convert them write it (docs/stores.md). */
const SHOP_ZONE = "current_setting('vitrine.zone')";

/** The questions to a kind of server. */
interface Questions {
  /** The role's rights other than reading, a short text each. */
  readonly writes: (ask: Ask) => Promise<readonly string[]>;
  /** Seconds since 1970. */
  readonly clock: string;
  /** The time zone of the shop's own sessions. */
  readonly zone: string;
  /** Tables and columns with moments without a time zone. */
  readonly localMoments: string;
  /** Tables without transactions, and their engine; null for a server without such tables. */
  readonly engines: string | null;
  /**
   * Tables whose rows only policies show: the name by which a file reads each (a view's, or its own), its own name, the role that
   * policies are asked about and the view that reads as this role (NULL: the session's own role), and 1 if one lets it read. Null for a
   * server without policies.
   */
  readonly policies: string | null;
}

const POSTGRES_WRITES = `SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p')
    AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      OR has_any_column_privilege(c.oid, 'INSERT, UPDATE')) ORDER BY 1`;

/**
 * A view reads its tables as its owner, unless it has `security_invoker`; a materialised view has its own rows. What rules do at an
 * INSERT or the like (`ev_type` 1 is SELECT) reads nothing. Policies add up; one for PUBLIC has the role 0.
 */
const POSTGRES_POLICIES = `WITH RECURSIVE me AS (SELECT oid FROM pg_roles WHERE rolname = current_user),
  reads (named, id, role, view) AS (
    SELECT c.relname, c.oid, me.oid, NULL::name FROM me, pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY (current_schemas(FALSE)) AND c.relkind IN ('r', 'p', 'v')
    UNION SELECT r.named, d.refobjid, CASE WHEN EXISTS (SELECT FROM pg_options_to_table(v.reloptions) AS o
      WHERE o.option_name = 'security_invoker' AND o.option_value::boolean) THEN me.oid ELSE v.relowner END, v.relname
    FROM me, reads AS r JOIN pg_class AS v ON v.oid = r.id AND v.relkind = 'v' JOIN pg_rewrite AS w ON w.ev_class = v.oid AND w.ev_type = '1'
    JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
      AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> v.oid)
  SELECT r.named, c.relname, CASE WHEN r.role <> me.oid THEN u.rolname END, r.view, EXISTS (
    SELECT FROM pg_policy AS p, unnest(p.polroles) AS a (id) WHERE p.polrelid = c.oid AND p.polpermissive
      AND p.polcmd IN ('*', 'r') AND (a.id = 0 OR pg_has_role(u.oid, a.id, 'USAGE')))
  FROM me, reads AS r JOIN pg_class AS c ON c.oid = r.id JOIN pg_roles AS u ON u.oid = r.role
  WHERE c.relkind IN ('r', 'p') AND c.relrowsecurity AND NOT u.rolsuper AND NOT u.rolbypassrls
    AND (c.relforcerowsecurity OR NOT pg_has_role(u.oid, c.relowner, 'USAGE')) ORDER BY 2, 3, 4`;

/** The text of the functions that read as their callers, by name. */
const POSTGRES_FUNCTIONS = `SELECT p.proname, string_agg(pg_get_functiondef(p.oid), chr(10)) FROM pg_proc AS p
  JOIN pg_language AS l ON l.oid = p.prolang JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE l.lanname NOT IN ('c', 'internal') AND p.prokind = 'f' AND NOT p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  GROUP BY 1`;

const QUESTIONS: Readonly<Record<ServerAddress["kind"], Questions>> = {
  postgres: {
    async writes(ask) {
      const [[isSuper] = []] = await ask("SELECT current_setting('is_superuser')");
      const tables = (await ask(POSTGRES_WRITES)).map(([table]) => String(table));
      return [...(isSuper === "on" ? ["everything, as a superuser"] : []), ...tables];
    },
    clock: "SELECT extract(epoch FROM clock_timestamp())",
    zone: `SELECT ${SHOP_ZONE}`,
    localMoments: `SELECT table_name, column_name FROM information_schema.columns
      WHERE data_type = 'timestamp without time zone' AND table_schema = ANY (current_schemas(FALSE))`,
    engines: null,
    policies: POSTGRES_POLICIES,
  },
  mysql: {
    writes: async (ask) => writingGrants((await ask("SHOW GRANTS")).map(([line]) => String(line))),
    clock: "SELECT UNIX_TIMESTAMP(SYSDATE(6))",
    zone: "SELECT IF(@@global.time_zone = 'SYSTEM', @@system_time_zone, @@global.time_zone)",
    localMoments: `SELECT table_name, column_name FROM information_schema.columns
      WHERE data_type = 'datetime' AND table_schema = DATABASE()`,
    engines: `SELECT t.table_name, t.engine FROM information_schema.tables AS t
      WHERE t.table_schema = DATABASE() AND t.table_type <> 'VIEW'
        AND t.engine NOT IN (SELECT e.engine FROM information_schema.engines AS e WHERE e.transactions = 'YES')`,
    policies: null,
  },
};

/** Rights in MySQL that can change the data, or more. */
const WRITING =
  /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|INDEX|TRIGGER|FILE|SUPER|GRANT OPTION|DELETE HISTORY)\b/g;

/**
 * Lines of SHOW GRANTS → what they let a role change: ``GRANT SELECT, INSERT ON `shop`.* TO …`` → ``INSERT ON `shop`.*``. Reads
 * only the rights and the place of each line: the rest may have the digest of a password.
 */
export function writingGrants(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const match = /^GRANT (.*?) ON ((?:`(?:[^`]|``)*`|\*)\.(?:`(?:[^`]|``)*`|\*)) TO /.exec(line);
    if (match === null) return [];
    const [, rights = "", place = ""] = match;
    // Names of columns are in brackets; they may look like rights.
    const named = rights.replace(/`(?:[^`]|``)*`/g, "").match(WRITING) ?? [];
    return named.length === 0 ? [] : [`${[...new Set(named)].join(", ")} ON ${place}`];
  });
}

/** True for the names of UTC: moments without a time zone are read in it. */
export function isUtc(zone: string): boolean {
  return /^(?:(?:etc\/)?(?:utc|uct|gmt|zulu|universal|greenwich)|\+00:00)$/i.test(zone);
}

/** `orders, users, carts and 28 more` */
function listed(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** True if a file may read the table, or the column of it. */
type Use = (table: string, column?: string) => boolean;

async function checkRights(ask: Ask, { writes }: Questions): Promise<Found> {
  const found = await writes(ask);
  if (found.length === 0) return ok("The role can only read");
  return warning(
    `The role can also write: ${listed(found)}`,
    "Make a role that can only read the tables of the SQL files (docs/stores.md, “The password”).",
  );
}

/** @param converts true if the files convert the shop's local times */
async function checkZone(
  ask: Ask,
  { zone, localMoments }: Questions,
  isUsed: Use,
  converts: boolean,
): Promise<Found> {
  const [[name] = []] = await ask(zone);
  if (isUtc(String(name))) return ok("The server's time zone is UTC");
  if (converts) return ok(`The server's time zone is ${name}; the SQL files convert its local times`);
  const columns = (await ask(localMoments)).filter(([table, column]) =>
    isUsed(String(table), String(column)),
  );
  if (columns.length === 0)
    return ok(`The server's time zone is ${name}; no SQL file reads a moment without a time zone`);
  return warning(
    `The server's time zone is ${name}, and ${listed(columns.map((names) => names.join(".")))} are read as UTC`,
    "If the shop writes local time there, convert it in the SQL (docs/stores.md, “Times without a zone”).",
  );
}

async function checkEngines(ask: Ask, engines: string, isUsed: Use): Promise<Found> {
  const tables = (await ask(engines)).filter(([table]) => isUsed(String(table)));
  if (tables.length === 0) return ok("All tables that are read have transactions");
  return warning(
    `Tables without transactions: ${listed(tables.map(([table, engine]) => `${table} (${engine})`))}. A build may read half of a change`,
    "Run ALTER TABLE … ENGINE = InnoDB.",
  );
}

/** Row level security hides rows without an error: a file reads no row. */
async function checkPolicies(
  ask: Ask,
  policies: string,
  queries: readonly AllowListQuery[] | null,
): Promise<Found[]> {
  const all = await ask(policies);
  if (all.length === 0) return [];
  const functions = new Map(
    (await ask(POSTGRES_FUNCTIONS)).map(([name, text]) => [String(name), String(text)]),
  );
  const files = queries?.map(({ sql }) => namesIn(textWithViews(withoutComments(sql), functions) ?? sql));
  const isNamed = (name: string) => files?.some((names) => hasName(names, name)) ?? true;
  const found = all.filter(([named]) => isNamed(String(named)));
  const hiddenFrom = (isOwn: boolean) =>
    found.filter(([, , role, , read]) => read === 0 && (role === null) === isOwn);
  const unique = (names: readonly unknown[]) => [...new Set(names.map(String))];
  const hidden = unique(hiddenFrom(true).map(([, table]) => table));
  const behind = unique(
    hiddenFrom(false).map(
      ([, table, role, view]) => `${table} from ${role}, as which the view ${view} reads it`,
    ),
  );
  const partly = unique(found.flatMap(([, table, , , read]) => (read === 1 ? [table] : [])));
  return [
    ...(hidden.length === 0
      ? []
      : [
          warning(
            `Row level security hides all rows of ${listed(hidden)} from this role`,
            "Give it a policy: CREATE POLICY vitrine ON … FOR SELECT TO vitrine USING (true).",
          ),
        ]),
    ...(behind.length === 0
      ? []
      : [
          warning(
            `Row level security hides all rows of ${listed(behind)}`,
            "Give that role a policy: CREATE POLICY vitrine ON … FOR SELECT TO … USING (true).",
          ),
        ]),
    ...(partly.length === 0 ? [] : [ok(`Policies decide which rows of ${listed(partly)} are read`)]),
  ];
}

/** @param queries of the allow-list; null if it cannot be read: then all tables count */
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
    const { engines, policies, clock } = questions;
    const schema = await readDefinitions(ask, store);
    const files = queries?.map(({ sql }) => readsOf(sql, schema)) ?? [null];
    const isUsed: Use = (table, column) =>
      files.some((reads) => {
        if (reads === null) return true;
        const isNamed = reads.tables.has(table.toLowerCase());
        return isNamed && (column === undefined || reads.mayRead(table, column));
      });
    const converts = queries?.some(({ sql }) => sql.includes(SHOP_ZONE)) ?? false;
    const askClock = async () => Number((await ask(clock))[0]?.[0]) * 1000;
    const parts: (() => Promise<Found | Found[]>)[] = [
      () => checkRights(ask, questions),
      () => checkZone(ask, questions, isUsed, converts),
      async () => judgeClock("The server's clock", await readClock(askClock)),
      async () => (engines === null ? [] : checkEngines(ask, engines, isUsed)),
      async () => (policies === null ? [] : checkPolicies(ask, policies, queries)),
    ];
    const found = [ok(`${shown} can be read`)];
    // If one query fails, the others are still run.
    for (const part of parts)
      try {
        found.push(...[await part()].flat());
      } catch (error) {
        if (error instanceof VitrineError || !session.isSqlError(error)) throw error;
        found.push(
          warning(`The server did not answer a check: ${messageOf(error)}`, "Ask its administrator."),
        );
      }
    return found;
  } finally {
    await session.close();
  }
}
