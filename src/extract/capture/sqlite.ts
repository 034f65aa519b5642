/**
 * The capture in SQLite. Its writers come one after the other, so changes stand in the order in which they were committed.
 * `REPLACE` removes rows without firing triggers: those that a unique index would let it remove are written down before.
 */
import {
  type Ask,
  byName,
  type CaptureDialect,
  CHANGES,
  type ChangesRead,
  type Installation,
  LOOKED_AT,
  MOST_CHANGES,
  type OwnTables,
  type Position,
  PREFIX,
  type Pruned,
  REGISTRY,
  type Source,
  type StoreSchema,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";

async function readOwn(ask: Ask): Promise<OwnTables> {
  const names = await ask(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('${CHANGES}', '${REGISTRY}')`,
  );
  const has = (table: string) => (names.some(([name]) => name === table) ? table : null);
  const columns = await ask(`SELECT name FROM pragma_table_info('${REGISTRY}')`);
  return {
    ...{ changes: has(CHANGES), registry: has(REGISTRY), refusal: null, definition: "" },
    registryColumns: columns.map(([name]) => String(name)),
  };
}

/** A unique index: its columns with their collations; null for one that is no column. */
type Unique = readonly (readonly [column: string | null, collation: string])[];

const TABLES = `SELECT s.name, s.sql LIKE 'CREATE VIRTUAL%',
    (SELECT json_group_array(c.name) FROM pragma_table_xinfo(s.name) AS c),
    (SELECT json_group_array(json_object('name', t.name, 'sql', t.sql)) FROM sqlite_schema AS t
      WHERE t.type = 'trigger' AND t.tbl_name = s.name AND t.name LIKE '${PREFIX.replaceAll("_", "\\_")}%' ESCAPE '\\'),
    (SELECT json_group_array(json(u.columns)) FROM (
      SELECT (SELECT json_group_array(json_array(k.name, k.coll)) FROM pragma_index_xinfo(i.name) AS k WHERE k.key = 1) AS columns
      FROM pragma_index_list(s.name) AS i WHERE i."unique" = 1 ORDER BY i.name) AS u),
    (SELECT json_group_array(json_array(c.name, 'BINARY')) FROM pragma_table_xinfo(s.name) AS c WHERE c.pk > 0
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(s.name) AS i WHERE i.origin = 'pk'))
  FROM sqlite_schema AS s
  WHERE s.type = 'table' AND s.name NOT IN ('${CHANGES}', '${REGISTRY}') ORDER BY s.name`;

/** Unique indexes by the table's SQL name; they belong to the schema that was read last. */
interface SqliteTable extends StoreTable {
  readonly unique: readonly Unique[];
}

async function readSchema(ask: Ask): Promise<StoreSchema> {
  const list = <Item>(cell: unknown) => JSON.parse(String(cell)) as Item[];
  const tables = (await ask(TABLES)).map(
    ([name, isVirtual, columns, triggers, unique, rowid]): SqliteTable => {
      const isOurs = String(name).startsWith("sqlite_");
      const own = list<{ readonly name: string; readonly sql: string }>(triggers);
      const keys = [...list<Unique>(unique), list(rowid) as Unique].filter(({ length }) => length > 0);
      return {
        ...{ name: String(name).toLowerCase(), sql: quoteName(String(name)), on: [quoteName(String(name))] },
        // What is no number is told when it is read.
        ...{ columns: list<string>(columns), numbers: list<string>(columns), definition: "", unique: keys },
        triggers: new Map(own.map((each) => [each.name, each.sql])),
        refusal:
          isVirtual === 1 || isOurs ? "it is a virtual table, or SQLite's own, and has no triggers" : null,
      };
    },
  );
  const views = await ask("SELECT name, sql FROM sqlite_schema WHERE type = 'view'");
  // The cookie counts changes of the schema; a copy that had as many has other texts.
  const [[cookie] = []] = await ask("SELECT schema_version FROM pragma_schema_version");
  const texts = await ask("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name");
  return {
    tables: byName(tables),
    views: new Map(views.map(([name, sql]) => [String(name).toLowerCase(), String(sql)])),
    identity: JSON.stringify([cookie, texts]),
    opaque: new Set(["sqlite_schema", "sqlite_master", "dbstat"]),
    cascades: new Map(),
  };
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** What would be removed for a new row, where that is not the row of the same keys. */
function replacedSql(
  table: StoreTable,
  keys: readonly (readonly [number, string])[],
  unique: Unique,
): string {
  if (keys.every(([, key]) => unique.some(([column]) => column === key))) return "";
  const conditions = unique.map(([column, collation]) =>
    column === null
      ? "NULL"
      : `t.${quoteName(column)} = NEW.${quoteName(column)} COLLATE ${quoteName(collation)}`,
  );
  return keys
    .map(([number, key]) => {
      const isAny = unique.some(([column]) => column === null);
      const row = isAny ? `${number}, NULL` : `${number}, t.${quoteName(key)}`;
      const from = isAny ? "" : ` FROM ${table.sql} AS t WHERE ${conditions.join(" AND ")}`;
      return ` INSERT INTO ${CHANGES} (src, id) SELECT ${row}${from};`;
    })
    .join("");
}

function triggersOf(table: StoreTable, sources: readonly Source[]): Map<string, string> {
  const own = sourcesOf(table, sources);
  const keys = own.flatMap(({ number, column }) => (column === null ? [] : [[number, column] as const]));
  const insert = (row: string) =>
    ` INSERT INTO ${CHANGES} (src, id) VALUES ${own
      .map(({ number, column }) => `(${number}, ${column === null ? "NULL" : `${row}.${quoteName(column)}`})`)
      .join(", ")};`;
  const moved = keys
    .map(([number, column]) => {
      const [before, after] = [`OLD.${quoteName(column)}`, `NEW.${quoteName(column)}`];
      return ` INSERT INTO ${CHANGES} (src, id) SELECT ${number}, ${after} WHERE ${after} IS NOT ${before};`;
    })
    .join("");
  const { unique } = table as SqliteTable;
  const replaced = unique
    .map((each) => ({ each, sql: replacedSql(table, keys, each) }))
    .filter(({ sql }) => sql !== "");
  const all: readonly (readonly [string, string])[] = [
    ["AFTER INSERT", insert("NEW")],
    ["AFTER UPDATE", insert("OLD") + moved],
    ["AFTER DELETE", insert("OLD")],
    ...replaced.flatMap(({ each, sql }) => {
      const columns = each.flatMap(([column]) => (column === null ? [] : [quoteName(column)]));
      const isAny = columns.length < each.length;
      return [
        ["BEFORE INSERT", sql] as const,
        [isAny ? "BEFORE UPDATE" : `BEFORE UPDATE OF ${columns.join(", ")}`, sql] as const,
      ];
    }),
  ];
  return new Map(
    all.map(([when, steps], place) => {
      const name = `${PREFIX}${own[0]?.number}_${place}`;
      return [name, `CREATE TRIGGER ${name} ${when} ON ${table.sql} BEGIN${steps} END`];
    }),
  );
}

async function readChanges(ask: Ask, changes: string, before: Position | null): Promise<ChangesRead> {
  const newestSql = `SELECT seq, at FROM ${changes}`;
  const [[last = 0, at = ""] = []] = await ask(`${newestSql} ORDER BY seq DESC LIMIT 1`);
  const next = { cursor: Number(last), newest: `${last} ${at}` };
  const { cursor, newest } = before ?? {};
  if (typeof cursor !== "number" || next.cursor < cursor || next.cursor - cursor > MOST_CHANGES)
    return { ...next, changes: null };
  const [[, then = ""] = []] = await ask(`${newestSql} WHERE seq = ${cursor}`);
  if (newest !== `${cursor} ${then}`) return { ...next, changes: null };
  const rows = await ask(`SELECT src, id FROM ${changes} WHERE seq > ${cursor}`);
  return { ...next, changes: rows.map(([source, id = null]) => [Number(source), id] as const) };
}

function lookSql(changes: string): string {
  return `SELECT MAX(seq) FROM ${changes} LIMIT ${LOOKED_AT}`;
}

async function installSql(_: Ask, { sources, tables, facts }: Installation): Promise<string[]> {
  return [
    `CREATE TABLE ${REGISTRY} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    `CREATE TABLE ${CHANGES} (seq INTEGER PRIMARY KEY AUTOINCREMENT, src INTEGER NOT NULL, id,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')))`,
    ...tables.flatMap((table) => [...triggersOf(table, sources).values()]),
    ...[...facts].map(
      ([name, value]) => `INSERT INTO ${REGISTRY} VALUES (${quoteText(name)}, ${quoteText(value)})`,
    ),
  ];
}

async function removeSql(ask: Ask): Promise<string[]> {
  const found = await ask(
    `SELECT type, name FROM sqlite_schema WHERE (type = 'trigger' AND name LIKE '${PREFIX.replaceAll(
      "_",
      "\\_",
    )}%' ESCAPE '\\') OR (type = 'table' AND name IN ('${CHANGES}', '${REGISTRY}')) ORDER BY type DESC, name`,
  );
  return found.map(([type, name]) => `DROP ${String(type).toUpperCase()} ${quoteName(String(name))}`);
}

async function pruneBelow(ask: Ask, changes: string, keep: number): Promise<string | null> {
  const [[first, last] = []] = await ask(`SELECT MIN(seq), MAX(seq) FROM ${changes}`);
  const below = Number(last ?? 0) - keep + 1;
  return Number(first ?? 0) < below ? String(below) : null;
}

/** Nothing need be told of it: a build to which the newest change that it saw is gone reads everything. */
function pruneSql({ changes }: { readonly changes: string }, { below }: Pruned): string[] {
  return [`DELETE FROM ${changes} WHERE seq < ${below}`];
}

export const SQLITE_CAPTURE: CaptureDialect = {
  ...{ readOwn, readSchema, triggersOf, readChanges, lookSql, installSql, removeSql, pruneBelow, pruneSql },
  grantsSql: async () => [],
  readFaults: async () => [],
};
