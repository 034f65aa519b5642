/**
 * The capture in MySQL and MariaDB. Changes are numbered when they are made, not when they are committed: numbers that are
 * missing when a build looks are remembered, and looked for by the next.
 */
import { VitrineError } from "../../base/error.ts";
import { quoteName as quoteNameOf } from "../stores/sql.ts";
import {
  type Ask,
  byName,
  type CaptureDialect,
  type Cascade,
  CHANGES,
  type ChangesRead,
  columnsOf,
  groupRows,
  type Installation,
  LOOKED_AT,
  MOST_CHANGES,
  namesOf,
  type OwnTables,
  type Position,
  PREFIX,
  type Pruned,
  REGISTRY,
  type Rows,
  type Source,
  type StoreSchema,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;

/** Tells which storage each table has: TRUNCATE and EXCHANGE PARTITION change nothing else, and only PROCESS may see it. */
const STORAGE = "vitrine_storage";
/** Runs as the account that triggers run as: it fails where that account is gone. */
const DEFINER = "vitrine_definer";

/** Most numbers that are waited for: of transactions that are open, or were rolled back. The oldest are forgotten. */
const MOST_GAPS = 10_000;

interface Cursor {
  readonly highest: number;
  /** Missing below it, in their order. */
  readonly gaps: readonly number[];
  /** The last prune that was known then. */
  readonly pruned: string | null;
}

const HERE = "table_schema = DATABASE()";
const OURS = `table_name IN ('${CHANGES}', '${REGISTRY}')`;

async function readOwn(ask: Ask): Promise<OwnTables> {
  const found = await ask(
    `SELECT table_name, create_time FROM information_schema.tables WHERE ${HERE} AND ${OURS}`,
  );
  const columns = groupRows(
    await ask(`SELECT table_name, column_name, column_type, is_nullable, column_default FROM information_schema.columns
      WHERE ${HERE} AND ${OURS} ORDER BY table_name, ordinal_position`),
  );
  const own = columnsOf([...columns].flatMap(([table, cells]) => cells.map(([name = ""]) => [table, name])));
  const names = namesOf(found);
  const has = (table: string) => (names.has(table) ? quoteName(table) : null);
  const tried = async (sql: string) => (await ask(sql).catch(() => null)) !== null;
  const mayRead = async (table: string) =>
    !names.has(table) || (await tried(`SELECT * FROM ${quoteName(table)} LIMIT 0`));
  let refusal: string | null = null;
  if (!(await mayRead(CHANGES)) || !(await mayRead(REGISTRY)))
    refusal = `this account may not read ${CHANGES} and ${REGISTRY}: GRANT SELECT on both`;
  else if (own.get(REGISTRY)?.join() === "name,value" && !(await tried(`SELECT ${STORAGE}()`)))
    refusal = `${STORAGE}() can't be called: GRANT EXECUTE ON FUNCTION ${STORAGE}, or install again if its definer is gone`;
  const definition = JSON.stringify([found, [...columns]]);
  return { changes: has(CHANGES), registry: has(REGISTRY), columns: own, refusal, definition };
}

const TABLES = `SELECT table_name, engine, table_type, create_time, table_collation, create_options
  FROM information_schema.tables WHERE ${HERE} AND table_type <> 'VIEW' AND NOT ${OURS}`;

const COLUMNS = `SELECT table_name, column_name, data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint'),
    column_type, character_set_name, collation_name, is_nullable, extra
  FROM information_schema.columns WHERE ${HERE} ORDER BY table_name, ordinal_position`;

const PARTS = `SELECT table_name, partition_name, partition_method, partition_expression, partition_description
  FROM information_schema.partitions WHERE ${HERE} AND partition_name IS NOT NULL ORDER BY table_name, partition_name`;

const TRIGGERS = `SELECT event_object_table, event_manipulation, action_timing, action_statement, sql_mode, created
  FROM information_schema.triggers WHERE trigger_schema = DATABASE() AND trigger_name LIKE 'vitrine\\_capture\\_%'`;

/** A definition that we may not see is empty. */
const VIEWS = `SELECT table_name, view_definition FROM information_schema.views WHERE ${HERE}`;

const OPAQUE = `SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()
    AND routine_name NOT IN ('${STORAGE}', '${DEFINER}')
  UNION SELECT schema_name FROM information_schema.schemata WHERE schema_name <> DATABASE()`;

const CASCADES = `SELECT r.referenced_table_name, r.table_name, r.update_rule IN ('RESTRICT', 'NO ACTION'), k.referenced_column_name
  FROM information_schema.referential_constraints AS r
  JOIN information_schema.key_column_usage AS k
    ON k.constraint_schema = r.constraint_schema AND k.constraint_name = r.constraint_name AND k.table_name = r.table_name
  WHERE r.constraint_schema = DATABASE() AND r.unique_constraint_schema = DATABASE()
    AND (r.delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR r.update_rule NOT IN ('RESTRICT', 'NO ACTION'))
  ORDER BY 1, 2, 4`;

/** The server, and what of its settings decides how values are shown. */
const SERVER = `SHOW VARIABLES WHERE variable_name IN ('server_uuid', 'server_uid', 'datadir', 'hostname', 'time_zone',
  'system_time_zone', 'sql_mode', 'lc_time_names', 'div_precision_increment', 'default_week_format', 'collation_connection')`;

/** In a view, which the database writes in its own way: a function of the store's own, or a table of another database. */
const ELSEWHERE = /`[^`]+`\.`[^`]+`\(|\b(?:from|join)[\s(]+`([^`]+)`\./g;

function isWithin(view: string, database: string): boolean {
  return [...view.matchAll(ELSEWHERE)].every(([, schema]) => schema === database);
}

/** `shop/a 19`, `shop/b#P#p1 20` → by table; names with other characters are spelled in a way of the server's own, so they count for all. */
function storageOf(text: string): (table: string) => string {
  const lines = text.split("\n").map((line) => line.slice(line.indexOf("/") + 1));
  const tableOf = (line: string) => (/^[^ #]*/.exec(line)?.[0] ?? "").toLowerCase();
  return (table) =>
    lines.filter((line) => tableOf(line) === table || /@/.test(line) || !/^\w+$/.test(table)).join();
}

async function readSchema(ask: Ask): Promise<StoreSchema> {
  const [[database] = []] = await ask("SELECT DATABASE()");
  const [columns, parts] = [groupRows(await ask(COLUMNS)), groupRows(await ask(PARTS))];
  const triggers = groupRows(await ask(TRIGGERS));
  // Where it can't be called, nothing is made of what stands here.
  const [[stored] = []] = await ask(`SELECT ${STORAGE}()`).catch(() => []);
  const storage = storageOf(String(stored ?? ""));
  const tables = (await ask(TABLES)).map((row): StoreTable => {
    const [name, engine, type] = row.map(String);
    const key = String(name).toLowerCase();
    const given = columns.get(key) ?? [];
    const own = triggers.get(key) ?? [];
    const isHeld = engine === "InnoDB" && type === "BASE TABLE";
    return {
      ...{ name: key, sql: quoteName(String(name)), on: [quoteName(String(name))] },
      columns: given.map(([column]) => String(column)),
      numbers: given.flatMap(([column, isNumber]) => (isNumber === "1" ? [String(column)] : [])),
      definition: JSON.stringify([row, given, parts.get(key) ?? [], storage(key), own]),
      triggers: new Map(own.map(([event, timing, statement]) => [`${timing} ${event}`, String(statement)])),
      refusal: isHeld ? null : `${engine} tables may change without triggers`,
    };
  });
  const views = (await ask(VIEWS)).map(([name, sql]) => {
    const isPlain = sql !== null && sql !== "" && isWithin(String(sql), String(database));
    return [String(name).toLowerCase(), isPlain ? String(sql) : null] as const;
  });
  const cascades = cascadesOf(await ask(CASCADES), tables);
  const identity = JSON.stringify([database, await ask(SERVER)]);
  const opaque = namesOf(await ask(OPAQUE));
  return { ...{ tables: byName(tables), views: new Map(views), cascades }, identity, opaque };
}

/** Over children of children, too. */
function cascadesOf(rows: Rows, tables: readonly StoreTable[]): Map<string, readonly Cascade[]> {
  const sqlOf = new Map(tables.map(({ name, sql }) => [name, sql]));
  const direct = new Map<string, Map<string, readonly string[] | null>>();
  for (const [parent, child, isKept, column] of rows) {
    const [from, to] = [parent, child].map((name) => sqlOf.get(String(name).toLowerCase()));
    if (from === undefined || to === undefined) continue;
    const children = direct.get(from) ?? new Map<string, readonly string[] | null>();
    const known = children.get(to) ?? null;
    direct.set(from, children.set(to, isKept === 1 ? known : [...(known ?? []), String(column)]));
  }
  return new Map(
    [...direct].map(([parent, children]) => {
      const reached = new Map(children);
      for (const [child, columns] of reached)
        for (const next of direct.get(child)?.keys() ?? [])
          if (!reached.has(next)) reached.set(next, columns);
      return [parent, [...reached].map(([child, onUpdateOf]) => ({ child, onUpdateOf }))] as const;
    }),
  );
}

const quoteName = (name: string) => quoteNameOf(name, "mysql");

function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** What a trigger runs. If that fails, the table's number is written alone; nothing of it fails the shop's own write. */
function bodyOf(
  table: StoreTable,
  sources: readonly Source[],
  { cascades }: StoreSchema,
  event: (typeof EVENTS)[number],
): string {
  const own = sourcesOf(table, sources);
  const insert = (rows: readonly string[]) => `INSERT INTO ${CHANGES} (src, id) VALUES ${rows.join(", ")};`;
  const rowsOf = (row: string) =>
    own.map(
      ({ number, column }) => `(${number}, ${column === null ? "NULL" : `${row}.${quoteName(column)}`})`,
    );
  const wholly = (tables: readonly string[]) =>
    tables.flatMap((sql) => sourcesOf({ sql }, sources).slice(0, 1)).map(({ number }) => `(${number}, NULL)`);
  const differ = (columns: readonly string[]) =>
    columns.every((column) => table.numbers.includes(column))
      ? `NOT (${columns.map((column) => `OLD.${quoteName(column)} <=> NEW.${quoteName(column)}`).join(" AND ")})`
      : "TRUE";
  const children = cascades.get(table.sql) ?? [];
  const all = wholly([table.sql, ...children.map(({ child }) => child)]);
  const steps: string[] = [];
  if (event === "INSERT") steps.push(insert(rowsOf("NEW")));
  if (event === "DELETE")
    steps.push(insert([...rowsOf("OLD"), ...wholly(children.map(({ child }) => child))]));
  if (event === "UPDATE") {
    const keys = own.flatMap(({ column }) => (column === null ? [] : [column]));
    steps.push(insert(rowsOf("OLD")));
    if (keys.length > 0) steps.push(`IF ${differ(keys)} THEN ${insert(rowsOf("NEW"))} END IF;`);
    for (const { child, onUpdateOf } of children) {
      const [row] = wholly([child]);
      if (onUpdateOf !== null && row !== undefined)
        steps.push(`IF ${differ(onUpdateOf)} THEN ${insert([row])} END IF;`);
    }
  }
  return `BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN
    DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
    ${insert(event === "INSERT" ? all.slice(0, 1) : all)}
  END;
  ${steps.join("\n  ")}
END`;
}

function triggersOf(table: StoreTable, sources: readonly Source[], schema: StoreSchema): Map<string, string> {
  return new Map(EVENTS.map((event) => [`AFTER ${event}`, bodyOf(table, sources, schema, event)]));
}

function isCursor(value: unknown): value is Cursor {
  return typeof value === "object" && value !== null && "highest" in value && "gaps" in value;
}

/** True where changes that a build has not seen may be gone: those after it, and those that it waits for. */
function mayHaveLost({ highest, gaps, pruned: known }: Cursor, pruned: Pruned | null): boolean {
  if (pruned === null || pruned.id === known) return false;
  return [highest + 1, ...gaps].some((seq) => seq < Number(pruned.below));
}

async function readChanges(
  ask: Ask,
  changes: string,
  position: Position | null,
  pruned: Pruned | null,
): Promise<ChangesRead> {
  const newestSql = `SELECT seq, CAST(at AS CHAR) FROM ${changes}`;
  const [[last = 0, at = ""] = []] = await ask(`${newestSql} ORDER BY seq DESC LIMIT 1`);
  const [highest, newest] = [Number(last), `${last} ${at}`];
  const { cursor, newest: known = "0 " } = position ?? {};
  const [seq] = known.split(" ");
  const [[, then = ""] = []] = await ask(`${newestSql} WHERE seq = ${Number(seq)}`);
  const stands = known === "0 " || known === `${seq} ${then}`;
  const isKnown =
    isCursor(cursor) && stands && cursor.highest <= highest && highest - cursor.highest <= MOST_CHANGES;
  // Also of what stands when there is no build before: numbers among it may still be to come.
  const before: Cursor = isKnown
    ? cursor
    : { highest: Math.max(0, highest - MOST_CHANGES), gaps: [], pruned: null };
  const missing = before.gaps.length === 0 ? "" : ` OR seq IN (${before.gaps.map(Number).join()})`;
  const rows = await ask(
    `SELECT src, id, seq FROM ${changes} WHERE seq > ${Number(before.highest)}${missing} ORDER BY seq`,
  );
  const seen = new Set(rows.map(([, , seq]) => Number(seq)));
  const gaps = before.gaps.filter((seq) => !seen.has(seq));
  for (let seq = before.highest + 1; seq <= highest; seq++) if (!seen.has(seq)) gaps.push(seq);
  const next: Cursor = { highest, gaps: gaps.slice(-MOST_GAPS), pruned: pruned?.id ?? null };
  const told = rows.map(([source, id = null]) => [Number(source), id] as const);
  return { cursor: next, newest, changes: isKnown && !mayHaveLost(before, pruned) ? told : null };
}

function lookSql(changes: string): string {
  return `SELECT COUNT(*), SUM(n.seq) FROM (SELECT seq FROM ${changes} ORDER BY seq DESC LIMIT ${LOOKED_AT}) AS n`;
}

/** `shop@10.0.0.%` → `'shop'@'10.0.0.%'` */
function accountOf(definer: string): string {
  const at = definer.lastIndexOf("@");
  const [user, host] = at < 0 ? [definer, "%"] : [definer.slice(0, at), definer.slice(at + 1)];
  return [user, host].map((part) => quoteText(part.replace(/^['`"](.*)['`"]$/, "$1"))).join("@");
}

/** What an account may do that triggers need: `INSERT *`, `TRIGGER .`, `TRIGGER products`; USAGE says that it is there. */
function rightsSql(account: string): string {
  const of = `grantee = ${quoteText(account)}`;
  return `SELECT GROUP_CONCAT(r.item SEPARATOR '\n') FROM (
    SELECT CONCAT(privilege_type, ' *') AS item FROM information_schema.user_privileges WHERE ${of}
    UNION ALL SELECT CONCAT(privilege_type, ' .') FROM information_schema.schema_privileges
      WHERE ${of} AND DATABASE() LIKE table_schema
    UNION ALL SELECT CONCAT(privilege_type, ' ', table_name) FROM information_schema.table_privileges
      WHERE ${of} AND table_schema = DATABASE()) AS r`;
}

/** What of the rights that triggers need is missing, as GRANTs. */
function missingRights(rights: string, tables: readonly string[], account: string): string[] {
  const held = new Set(rights.split("\n"));
  const has = (right: string, table: string) => ["*", ".", table].some((on) => held.has(`${right} ${on}`));
  return [
    ...(has("INSERT", CHANGES) ? [] : [`GRANT INSERT ON ${CHANGES} TO ${account}`]),
    ...tables
      .filter((table) => !has("TRIGGER", table))
      .map((table) => `GRANT TRIGGER ON ${quoteName(table)} TO ${account}`),
  ];
}

async function installSql(ask: Ask, installation: Installation): Promise<string[]> {
  const { sources, tables, facts, schema } = installation;
  const [[database, version, self] = []] = await ask("SELECT DATABASE(), VERSION(), CURRENT_USER()");
  if (installation.definer === null)
    throw new VitrineError(
      "usage",
      "Triggers run as an account of the database. If that is dropped one day, or may no longer do what they do, every write " +
        "to these tables fails (errors 1449 and 1142). Name one with --definer that lasts as long as the shop: best the shop's own, " +
        `since without it the shop can't write anyway. You are ${self} now.`,
    );
  const account = accountOf(installation.definer);
  const [[rights] = []] = await ask(rightsSql(account));
  const names = tables.map(({ sql }) => sql.slice(1, -1).replaceAll("``", "`"));
  const missing =
    rights === null || rights === undefined ? null : missingRights(String(rights), names, account);
  if (missing === null || missing.length > 0)
    throw new VitrineError(
      "usage",
      missing === null
        ? `There is no account ${account}, as far as ${self} may see. Name one that is there with --definer.`
        : `Triggers that run as ${account} would fail the shop's writes, or write nothing down: ${missing.join("; ")}.`,
    );
  const list = /MariaDB/i.test(String(version)) ? "innodb_sys_tables" : "innodb_tables";
  const only = /^\w+$/.test(String(database)) ? ` WHERE t.name LIKE ${quoteText(`${database}/%`)}` : "";
  return [
    // A long transaction of the shop's must not make all others wait behind this one.
    "SET SESSION lock_wait_timeout = 10",
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES'",
    `CREATE TABLE ${REGISTRY} (name VARCHAR(20) PRIMARY KEY, value MEDIUMTEXT NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4`,
    `CREATE TABLE ${CHANGES} (seq BIGINT AUTO_INCREMENT PRIMARY KEY, src INT NOT NULL, id BIGINT,
  at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)) ENGINE = InnoDB CHARACTER SET utf8mb4`,
    `CREATE FUNCTION ${STORAGE}() RETURNS LONGTEXT CHARACTER SET utf8mb4 READS SQL DATA SQL SECURITY DEFINER
  RETURN (SELECT GROUP_CONCAT(t.name, ' ', t.table_id ORDER BY t.name SEPARATOR '\n')
    FROM information_schema.${list} AS t${only})`,
    `CREATE DEFINER = ${account} FUNCTION ${DEFINER}() RETURNS LONGTEXT CHARACTER SET utf8mb4 READS SQL DATA SQL SECURITY DEFINER
  RETURN (${rightsSql(account)})`,
    ...(/^EXECUTE [*.]$/m.test(String(rights)) ? [] : [`GRANT EXECUTE ON FUNCTION ${DEFINER} TO ${account}`]),
    ...tables.flatMap((table) =>
      [...triggersOf(table, sources, schema)].map(
        ([on, body]) =>
          `CREATE DEFINER = ${account} TRIGGER ${PREFIX}${sourcesOf(table, sources)[0]?.number}_${on.slice(6).toLowerCase()}
  ${on} ON ${table.sql} FOR EACH ROW ${body}`,
      ),
    ),
    // Last: without it nothing that stands here counts.
    ...[...facts].map(
      ([name, value]) => `INSERT INTO ${REGISTRY} VALUES (${quoteText(name)}, ${quoteText(value)})`,
    ),
  ];
}

async function grantsSql(_: Ask, tables: readonly StoreTable[]): Promise<string[]> {
  return [
    ...[CHANGES, REGISTRY].map((table) => `GRANT SELECT ON ${table} TO …`),
    ...[STORAGE, DEFINER].map((name) => `GRANT EXECUTE ON FUNCTION ${name} TO …`),
    // Without it, triggers can't be seen.
    ...tables.map(({ sql }) => `GRANT TRIGGER ON ${sql} TO …`),
  ];
}

async function removeSql(ask: Ask): Promise<string[]> {
  const triggers =
    await ask(`SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()
    AND trigger_name LIKE 'vitrine\\_capture\\_%' ORDER BY trigger_name`);
  return [
    ...triggers.map(([name]) => `DROP TRIGGER ${quoteName(String(name))}`),
    `DROP FUNCTION IF EXISTS ${STORAGE}`,
    `DROP FUNCTION IF EXISTS ${DEFINER}`,
    `DROP TABLE IF EXISTS ${REGISTRY}, ${CHANGES}`,
  ];
}

/** Numbers that are missing leave fewer than `keep`, never more. */
async function pruneBelow(ask: Ask, changes: string, keep: number): Promise<string | null> {
  const [[first, last] = []] = await ask(`SELECT MIN(seq), MAX(seq) FROM ${changes}`);
  const below = Number(last ?? 0) - keep + 1;
  return Number(first ?? 0) < below ? String(below) : null;
}

/** In one transaction: who sees that changes are gone sees which prune it was. */
function pruneSql(own: { readonly changes: string; readonly registry: string }, pruned: Pruned): string[] {
  return [
    "START TRANSACTION",
    `REPLACE INTO ${own.registry} VALUES ('pruned', ${quoteText(JSON.stringify(pruned))})`,
    `DELETE FROM ${own.changes} WHERE seq < ${Number(pruned.below)}`,
    "COMMIT",
  ];
}

async function readFaults(ask: Ask): Promise<string[]> {
  const triggers = await ask(`SELECT DISTINCT definer, event_object_table FROM information_schema.triggers
    WHERE trigger_schema = DATABASE() AND trigger_name LIKE 'vitrine\\_capture\\_%'`);
  const [[definer] = []] = triggers;
  if (definer === undefined) return [];
  const account = accountOf(String(definer));
  const tables = triggers.map(([, table]) => String(table));
  try {
    const [[rights] = []] = await ask(`SELECT ${DEFINER}()`);
    const missing = missingRights(String(rights ?? ""), tables, account);
    return missing.map(
      (grant) => `The triggers run as ${account}, which may no longer do what they do: ${grant}.`,
    );
  } catch (error) {
    const isGone = error instanceof Error && "errno" in error && error.errno === 1449;
    return [
      isGone
        ? `The triggers run as ${account}, which is gone: every write to these tables fails. Make that account again, or install ` +
          "the capture with another --definer."
        : `The triggers run as ${account}; whether that account still stands, this one can't see: GRANT EXECUTE ON FUNCTION ` +
          `${DEFINER} to it.`,
    ];
  }
}

export const MYSQL_CAPTURE: CaptureDialect = {
  changeColumns: ["seq", "src", "id", "at"],
  ...{ readOwn, readSchema, triggersOf, readChanges, lookSql },
  ...{ installSql, grantsSql, removeSql, pruneBelow, pruneSql, readFaults },
};
