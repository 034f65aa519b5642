/**
 * The capture in SQLite. Its writers come one after the other, so changes are numbered in the order in which they were
 * committed. `REPLACE` removes rows without firing triggers: those that a unique index would let it remove are written before.
 */
import { quoteName as quoteNameOf, quoteText } from "../stores/sql.ts";
import {
  type Ask,
  byName,
  type CaptureDialect,
  CHANGES,
  type ChangesRead,
  columnsOf,
  type Installation,
  MOST_CHANGES,
  namesOf,
  type OwnTables,
  type Position,
  PREFIX,
  REGISTRY,
  type Source,
  type StoreSchema,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";

const OURS = `'${CHANGES}', '${REGISTRY}'`;
const IS_OUR_TRIGGER = `type = 'trigger' AND substr(name, 1, ${PREFIX.length}) = '${PREFIX}'`;

async function readOwn(ask: Ask): Promise<OwnTables> {
  const columns = columnsOf(
    await ask(`SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
      WHERE s.type = 'table' AND s.name IN (${OURS}) ORDER BY s.name, c.cid`),
  );
  const has = (table: string) => (columns.has(table) ? table : null);
  return { changes: has(CHANGES), registry: has(REGISTRY), columns, refusal: null, definition: "" };
}

/** Columns with their collations, of which no two rows have the same. */
type Unique = readonly (readonly [column: string, collation: string])[];

interface SqliteTable extends StoreTable {
  readonly unique: readonly Unique[];
}

const TABLES = `SELECT l.name, l.type, l.wr,
    (SELECT json_group_array(c.name) FROM pragma_table_xinfo(l.name) AS c),
    (SELECT json_group_array(json_array(name, sql)) FROM sqlite_schema WHERE ${IS_OUR_TRIGGER} AND tbl_name = l.name),
    (SELECT json_group_array(json((SELECT json_group_array(json_array(k.name, k.coll)) FROM pragma_index_xinfo(i.name) AS k
        WHERE k.key = 1)) ORDER BY i.name) FROM pragma_index_list(l.name) AS i WHERE i."unique" = 1),
    (SELECT json_group_array(json_array(c.name, 'BINARY')) FROM pragma_table_xinfo(l.name) AS c WHERE c.pk > 0
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(l.name) AS i WHERE i.origin = 'pk')),
    EXISTS (SELECT 1 FROM pragma_index_list(l.name) AS i, pragma_index_xinfo(i.name) AS k
      WHERE i."unique" = 1 AND (i.partial OR k.key = 1 AND k.name IS NULL))
  FROM pragma_table_list AS l WHERE l.schema = 'main' AND l.type <> 'view' AND l.name NOT IN (${OURS}) ORDER BY l.name`;

const list = <Item>(cell: unknown) => JSON.parse(String(cell)) as Item[];

function refusalOf(name: string, type: unknown, isOdd: unknown): string | null {
  if (type !== "table" || name.startsWith("sqlite_")) return "it changes without triggers";
  return isOdd === 1
    ? "REPLACE can remove its rows by a unique index that is partial or on an expression"
    : null;
}

function tableOf(row: readonly unknown[]): SqliteTable {
  const [named, type, isWithoutRowid, columns, triggers, unique, integerKey, isOdd] = row;
  const [name, all, own] = [String(named), list<string>(columns), list(integerKey) as Unique];
  // A table without a key of its own has one all the same, by a name that none of its columns has.
  const hidden = ["rowid", "_rowid_", "oid"].find(
    (each) => !all.some((column) => column.toLowerCase() === each),
  );
  const key: Unique = own.length > 0 || hidden === undefined ? own : [[hidden, "BINARY"]];
  return {
    ...{
      name: name.toLowerCase(),
      sql: quoteName(name),
      on: [quoteName(name)],
      refusal: refusalOf(name, type, isOdd),
    },
    // Whether a value is a number is told when it is written.
    ...{ columns: all, numbers: all, definition: "", triggers: new Map(list<[string, string]>(triggers)) },
    unique: [...list<Unique>(unique), ...(isWithoutRowid === 1 || key.length === 0 ? [] : [key])],
  };
}

/** Names by which SQL reads what stands in no table, or another thing each time. */
const OPAQUE = `SELECT 'pragma_' || name FROM pragma_pragma_list UNION ALL VALUES ('dbstat'), ('sqlite_schema'),
  ('sqlite_master'), ('sqlite_dbpage'), ('random'), ('randomblob'), ('current_timestamp'), ('current_date'), ('current_time')`;

async function readSchema(ask: Ask): Promise<StoreSchema> {
  const texts = await ask("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name");
  // The cookie counts changes of the schema, VACUUM among them; a copy that had as many has other texts.
  const [[cookie] = []] = await ask("SELECT schema_version FROM pragma_schema_version");
  const views = texts.filter(([type]) => type === "view");
  return {
    identity: JSON.stringify([cookie, texts]),
    tables: byName((await ask(TABLES)).map(tableOf)),
    views: new Map(views.map(([, name, , sql]) => [String(name).toLowerCase(), String(sql)])),
    opaque: namesOf(await ask(OPAQUE)),
    cascades: new Map(),
  };
}

const quoteName = (name: string) => quoteNameOf(name, "sqlite");

type Keys = ReturnType<typeof sourcesOf>;

/** One insert, of a row for each key. No value is longer than a number. */
function insertOf(keys: Keys, row: string, from: (column: string) => string = () => ""): string {
  const rows = keys.map(({ number, column }) => {
    if (column === null) return `SELECT ${number}, NULL`;
    const value = `${row}.${quoteName(column)}`;
    return `SELECT ${number}, CASE typeof(${value}) WHEN 'integer' THEN ${value} END${from(quoteName(column))}`;
  });
  return rows.length === 0 ? "" : ` INSERT INTO ${CHANGES} (src, id) ${rows.join(" UNION ALL ")};`;
}

/** What `REPLACE` may remove by unique indexes, but for rows of the same key as one that the change names anyway. */
function replacedOf({ sql, unique }: SqliteTable, keys: Keys, named: "NEW" | "OLD"): string {
  return unique
    .map((columns) => {
      const others = keys.filter(({ column }) => !columns.some(([each]) => each === column));
      const same = columns.map(([name, collation]) => {
        const column = quoteName(name);
        return `t.${column} = NEW.${column} COLLATE ${quoteName(collation)}`;
      });
      const from = (key: string) =>
        ` FROM ${sql} AS t WHERE ${same.join(" AND ")} AND t.${key} IS NOT ${named}.${key}`;
      return others.length === 0 ? "" : insertOf(others, "t", from);
    })
    .join("");
}

function triggersOf(table: StoreTable, sources: readonly Source[]): Map<string, string> {
  const own = sourcesOf(table, sources);
  const keys = own.filter(({ column }) => column !== null);
  const moved = insertOf(keys, "NEW", (key) => ` WHERE NEW.${key} IS NOT OLD.${key}`);
  const events = {
    "AFTER INSERT": insertOf(own, "NEW"),
    "AFTER UPDATE": insertOf(own, "OLD") + moved,
    "AFTER DELETE": insertOf(own, "OLD"),
    "BEFORE INSERT": replacedOf(table as SqliteTable, keys, "NEW"),
    "BEFORE UPDATE": replacedOf(table as SqliteTable, keys, "OLD"),
  };
  const all = Object.entries(events).filter(([, steps]) => steps !== "");
  return new Map(
    all.map(([event, steps], place) => {
      const name = `${PREFIX}${own[0]?.number}_${place}`;
      return [name, `CREATE TRIGGER ${name} ${event} ON ${table.sql} BEGIN${steps} END`];
    }),
  );
}

/** Changes are numbered without a gap. One that is missing was deleted by hand, or by a prune. */
async function readChanges(ask: Ask, changes: string, before: Position | null): Promise<ChangesRead> {
  const newestSql = `SELECT seq || ' ' || mark FROM ${changes} WHERE seq =`;
  const [[last] = []] = await ask(`SELECT seq FROM sqlite_sequence WHERE name = '${changes}'`);
  const [[newest] = []] = await ask(`${newestSql} ${Number(last)}`);
  const next = { cursor: Number(last), newest: String(newest ?? "") };
  const { cursor, newest: known } = before ?? {};
  const isNear = typeof cursor === "number" && cursor <= next.cursor && next.cursor - cursor <= MOST_CHANGES;
  if (!isNear || (await ask(`${newestSql} ${cursor}`))[0]?.[0] !== known) return { ...next, changes: null };
  // A number that JavaScript does not hold exactly stands for any row.
  const exact = "CASE WHEN id BETWEEN -9007199254740991 AND 9007199254740991 THEN id END";
  const rows = await ask(`SELECT src, ${exact} FROM ${changes} WHERE seq > ${cursor}`);
  const told = rows.map(([source, id = null]) => [Number(source), id] as const);
  return { ...next, changes: told.length === next.cursor - cursor ? told : null };
}

async function installSql(_: Ask, { sources, tables, facts }: Installation): Promise<string[]> {
  return [
    `CREATE TABLE ${REGISTRY} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    `CREATE TABLE ${CHANGES} (seq INTEGER PRIMARY KEY AUTOINCREMENT, src INTEGER NOT NULL, id INTEGER,
  mark TEXT NOT NULL DEFAULT (hex(randomblob(8))))`,
    // There is a newest change from the first build on.
    `INSERT INTO ${CHANGES} (src) VALUES (0)`,
    ...tables.flatMap((table) => [...triggersOf(table, sources).values()]),
    ...[...facts].map(
      ([name, value]) => `INSERT INTO ${REGISTRY} VALUES (${quoteText(name)}, ${quoteText(value)})`,
    ),
  ];
}

async function removeSql(ask: Ask): Promise<string[]> {
  const found =
    await ask(`SELECT type, name FROM sqlite_schema WHERE (${IS_OUR_TRIGGER}) OR (type = 'table' AND name IN (${OURS}))
    ORDER BY type DESC, name`);
  return found.map(([type, name]) => `DROP ${String(type).toUpperCase()} ${quoteName(String(name))}`);
}

async function pruneBelow(ask: Ask, changes: string, keep: number): Promise<string | null> {
  const [[first, last] = []] = await ask(`SELECT MIN(seq), MAX(seq) FROM ${changes}`);
  const below = Number(last ?? 0) - keep + 1;
  return Number(first ?? 0) < below ? String(below) : null;
}

export const SQLITE_CAPTURE: CaptureDialect = {
  changeColumns: ["seq", "src", "id", "mark"],
  ...{ readOwn, readSchema, triggersOf, readChanges, installSql, removeSql, pruneBelow },
  lookSql: (changes) => `SELECT MAX(seq) FROM ${changes}`,
  // Nothing need be told of it: a build to which the newest change that it saw is gone reads everything.
  pruneSql: ({ changes }, { below }) => [`DELETE FROM ${changes} WHERE seq < ${below}`],
  grantsSql: async () => [],
  readFaults: async () => [],
};
