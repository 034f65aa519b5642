/**
 * The capture in SQLite. Its writers come one after the other, so changes are numbered in the order in which they were
 * committed. `REPLACE` removes rows without firing triggers: those that a unique index would let it remove are written before.
 */
import { quoteName as quoteNameOf, quoteText } from "../sql.ts";
import {
  type Ask,
  type CaptureDialect,
  CHANGES,
  type ChangesRead,
  type Installation,
  MOST_CHANGES,
  type Position,
  PREFIX,
  REGISTRY,
  type Source,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";

const OURS = `'${CHANGES}', '${REGISTRY}'`;
const IS_OUR_TRIGGER = `type = 'trigger' AND substr(name, 1, ${PREFIX.length}) = '${PREFIX}'`;
const quoted = (name: string) => `'"' || replace(${name}, '"', '""') || '"'`;

/** Whether a value is a number is decided when it is written, so any column may be a key. */
const TABLES = `SELECT l.name, ${quoted("l.name")},
    CASE WHEN l.type <> 'table' OR l.name LIKE 'sqlite!_%' ESCAPE '!' THEN 'it changes without triggers'
      WHEN EXISTS (SELECT 1 FROM pragma_index_list(l.name) AS i, pragma_index_xinfo(i.name) AS k
        WHERE i."unique" = 1 AND (i.partial OR k.key = 1 AND k.name IS NULL))
      THEN 'REPLACE can remove its rows by a unique index that is partial or on an expression' END,
    '',
    (SELECT json_group_array(c.name) FROM pragma_table_xinfo(l.name) AS c),
    (SELECT json_group_array(json_array(name, sql)) FROM sqlite_schema WHERE ${IS_OUR_TRIGGER} AND tbl_name = l.name),
    json_array(${quoted("l.name")}),
    (SELECT json_group_array(json(columns)) FROM (
      SELECT (SELECT json_group_array(json_array(k.name, k.coll)) FROM pragma_index_xinfo(i.name) AS k WHERE k.key = 1) AS columns
        FROM pragma_index_list(l.name) AS i WHERE i."unique" = 1
      -- The number that is the key, or that a table has by a name that none of its columns has.
      UNION ALL SELECT json_array(json_array(name, 'BINARY')) FROM (SELECT COALESCE(
        (SELECT c.name FROM pragma_table_xinfo(l.name) AS c
          WHERE c.pk > 0 AND NOT EXISTS (SELECT 1 FROM pragma_index_list(l.name) AS i WHERE i.origin = 'pk')),
        (SELECT r.value FROM json_each('["rowid", "_rowid_", "oid"]') AS r
          WHERE r.value NOT IN (SELECT lower(c.name) FROM pragma_table_xinfo(l.name) AS c) LIMIT 1)) AS name)
        WHERE l.wr = 0 AND name IS NOT NULL))
  FROM pragma_table_list AS l WHERE l.schema = 'main' AND l.type <> 'view' AND l.name NOT IN (${OURS}) ORDER BY l.name`;

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
function replacedOf({ sql, unique = [] }: StoreTable, keys: Keys, named: "NEW" | "OLD"): string {
  return unique
    .map((columns) => {
      const others = keys.filter(({ column }) => !columns.some(([each]) => each === column));
      const same = columns.map(([name, collation]) => {
        const column = quoteName(name);
        return `t.${column} = NEW.${column} COLLATE ${quoteName(collation)}`;
      });
      const from = (key: string) =>
        ` FROM ${sql} AS t WHERE ${same.join(" AND ")} AND t.${key} IS NOT ${named}.${key}`;
      return insertOf(others, "t", from);
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
    "BEFORE INSERT": replacedOf(table, keys, "NEW"),
    "BEFORE UPDATE": replacedOf(table, keys, "OLD"),
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
  const found = rows.map(([source, id = null]) => [Number(source), id] as const);
  return { ...next, changes: found.length === next.cursor - cursor ? found : null };
}

async function installSql(_: Ask, { sources, tables }: Installation): Promise<string[]> {
  return [
    `CREATE TABLE ${REGISTRY} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    `CREATE TABLE ${CHANGES} (seq INTEGER PRIMARY KEY AUTOINCREMENT, src INTEGER NOT NULL, id INTEGER,
  mark TEXT NOT NULL DEFAULT (hex(randomblob(8))))`,
    // There is a newest change from the first build on.
    `INSERT INTO ${CHANGES} (src) VALUES (0)`,
    ...tables.flatMap((table) => [...triggersOf(table, sources).values()]),
  ];
}

export const SQLITE_CAPTURE: CaptureDialect = {
  changeColumns: ["seq", "src", "id", "mark"],
  select: {
    own: `SELECT s.name, s.name, 1, (SELECT json_group_array(c.name) FROM pragma_table_info(s.name) AS c), ''
      FROM sqlite_schema AS s WHERE s.type = 'table' AND s.name IN (${OURS})`,
    names: `SELECT '${CHANGES}', '${REGISTRY}'`,
    tables: TABLES,
    views: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'",
    // Names by which SQL reads what stands in no table, or another thing each time.
    opaque: `SELECT 'pragma_' || name FROM pragma_pragma_list UNION ALL VALUES ('dbstat'), ('sqlite_schema'), ('sqlite_master'),
      ('sqlite_dbpage'), ('random'), ('randomblob'), ('current_timestamp'), ('current_date'), ('current_time')`,
    // The cookie counts changes of the schema, VACUUM among them; a copy that had as many has other texts.
    identity: `SELECT schema_version, NULL, NULL, NULL FROM pragma_schema_version
      UNION ALL SELECT * FROM (SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name)`,
    removal: `SELECT 'DROP ' || upper(type) || ' ' || ${quoted("name")} FROM sqlite_schema
      WHERE (${IS_OUR_TRIGGER}) OR (type = 'table' AND name IN (${OURS})) ORDER BY type DESC, name`,
  },
  ...{ triggersOf, readChanges, installSql, quoteText },
  lookSql: (changes) => `SELECT MAX(seq) FROM ${changes}`,
  pruneBelow: (changes, keep) =>
    `SELECT CASE WHEN MIN(seq) <= MAX(seq) - ${keep} THEN MAX(seq) - ${keep} + 1 END FROM ${changes}`,
  // To a build, the newest change that it saw is gone: it reads everything.
  pruneSql: (changes, below) => [`DELETE FROM ${changes} WHERE seq < ${below}`],
};
