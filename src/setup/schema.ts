/** Reads the tables and columns of a store from the database, through the port that reads its rows. */
import { VitrineError } from "../base/error.ts";
import { type StoreReader, type StoreValue, valuesOf } from "../extract/store.ts";
import { isServerAddress, parseServerAddress } from "../store/address.ts";
import { serverState } from "../store/passing.ts";
import { quoteName } from "../store/sql.ts";

export type Dialect = "sqlite" | "postgres" | "mysql";

export interface TableColumn {
  readonly name: string;
  /** The database's name for it; an enum with its labels. */
  readonly type: string;
  readonly isKey: boolean;
  /** The tables that it refers to by a foreign key. */
  readonly references: readonly string[];
}

/** Columns by table, in the order of the table; none if they can't be read. */
export type Schema = ReadonlyMap<string, readonly TableColumn[]>;

export function dialectOf(store: string): Dialect {
  return isServerAddress(store) ? parseServerAddress(store).kind : "sqlite";
}

/** From PostgreSQL's catalog: information_schema shows keys only to roles that may also write. */
const POSTGRES_COLUMNS = `SELECT c.relname AS place, a.attnum AS place_rank, a.attname AS title,
    CASE t.typtype WHEN 'e' THEN (SELECT 'enum(' || string_agg(quote_literal(e.enumlabel), ',' ORDER BY e.enumsortorder) || ')'
      FROM pg_enum AS e WHERE e.enumtypid = t.oid) WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(t.oid, a.atttypmod) END AS kind,
    CASE WHEN EXISTS (SELECT 1 FROM pg_constraint AS k
      WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)) THEN 'key' END AS part
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_type AS t ON t.oid = a.atttypid
  WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped`;

/**
 * `part`: "key" for the columns of a primary key. Leaves out the server's own tables. SQLite's `table_info` lacks generated columns;
 * its virtual tables follow one by one.
 */
const CATALOGS: Readonly<Record<Dialect, string>> = {
  sqlite: `SELECT s.name AS place, c.cid AS place_rank, c.name AS title, c.type AS kind, CASE WHEN c.pk > 0 THEN 'key' END AS part
    FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS c
    WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND s.sql NOT LIKE 'CREATE VIRTUAL%'`,
  postgres: POSTGRES_COLUMNS,
  mysql: `SELECT c.table_name AS place, c.ordinal_position AS place_rank, c.column_name AS title, c.column_type AS kind,
      CASE WHEN c.column_key = 'PRI' THEN 'key' END AS part
    FROM information_schema.columns AS c WHERE c.table_schema = DATABASE()`,
};

/** Foreign keys: a column and the table that it refers to. */
const REFERENCES: Readonly<Record<Dialect, string>> = {
  sqlite: `SELECT s.name AS place, f."from" AS title, f."table" AS target
    FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS f WHERE s.type = 'table'`,
  postgres: `SELECT c.relname AS place, a.attname AS title, f.relname AS target
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS f ON f.oid = k.confrelid
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (k.conkey)
    WHERE k.contype = 'f' AND n.nspname = current_schema()`,
  mysql: `SELECT table_name AS place, column_name AS title, referenced_table_name AS target
    FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL`,
};

/** All rows of one of our own statements. @throws VitrineError store_unreadable */
export async function ask(
  store: StoreReader,
  sql: string,
  columns: readonly string[],
): Promise<readonly (readonly StoreValue[])[]> {
  const found: StoreValue[][] = [];
  for await (const rows of store.batches({ name: "schema", file: "the schema", sql, columns }))
    found.push(...rows.map(valuesOf));
  return found;
}

/**
 * The number of rows of a table; null if they can't be read: by this user, or because the table is damaged, or that of another server
 * that is down, while the store answers otherwise. @throws VitrineError store_unreadable, also if another session locks the table
 */
export async function countRows(store: StoreReader, table: string, dialect: Dialect): Promise<number | null> {
  try {
    const sql = `SELECT COUNT(*) AS total FROM ${quoteName(table, dialect)}`;
    const counting = ask(store, sql, ["total"]);
    // SQLite counts by an index, even by one in an order that only the shop's own program has.
    const counted =
      dialect === "sqlite" ? counting.catch(() => ask(store, `${sql} NOT INDEXED`, ["total"])) : counting;
    const [[count] = []] = await counted;
    return Number(count);
  } catch (error) {
    if (!(error instanceof VitrineError) || serverState(error) === "lock") throw error;
    const isOfTable =
      error.code === "allow_list_invalid" ||
      (await ask(store, "SELECT 1 AS one", ["one"]).then(
        () => true,
        () => false,
      ));
    if (isOfTable) return null;
    throw error;
  }
}

/** @throws VitrineError store_unreadable */
export async function readSchema(store: StoreReader, dialect: Dialect): Promise<Schema> {
  const references = new Map<string, string[]>();
  for (const [place, title, target] of await ask(store, REFERENCES[dialect], ["place", "title", "target"])) {
    const key = JSON.stringify([place, title]);
    references.set(key, [...(references.get(key) ?? []), String(target)]);
  }
  const rows = await ask(store, CATALOGS[dialect], ["place", "place_rank", "title", "kind", "part"]);
  const found = rows.map(([place, rank, title, kind, part]) => {
    const column: TableColumn = {
      name: String(title),
      type: String(kind),
      isKey: part === "key",
      references: references.get(JSON.stringify([place, title])) ?? [],
    };
    return { place: String(place), rank: Number(rank), column };
  });
  found.sort((a, b) => (a.place === b.place ? a.rank - b.rank : a.place < b.place ? -1 : 1));
  const schema = new Map<string, TableColumn[]>();
  for (const { place, column } of found) schema.set(place, [...(schema.get(place) ?? []), column]);
  if (dialect !== "sqlite") return schema;
  for (const [name] of await ask(store, VIRTUAL_TABLES, ["name"]))
    schema.set(String(name), await readVirtualTable(store, String(name)));
  return new Map([...schema].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const VIRTUAL_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'";

/**
 * SQLite knows the columns of a virtual table from its module alone, and many a module is an extension of the shop's programs:
 * sqlite-vec, SpatiaLite, a tokenizer. `hidden` is 1 for columns that only the module's functions use.
 */
async function readVirtualTable(store: StoreReader, table: string): Promise<TableColumn[]> {
  const sql = `SELECT c.name, c.type, c.cid FROM pragma_table_xinfo('${table.replaceAll("'", "''")}') AS c WHERE c.hidden <> 1`;
  try {
    const rows = await ask(store, sql, ["name", "type", "cid"]);
    const ordered = rows.toSorted(([, , a], [, , b]) => Number(a) - Number(b));
    return ordered.map(([name, type]) => ({
      name: String(name),
      type: String(type),
      isKey: false,
      references: [],
    }));
  } catch (error) {
    if (error instanceof VitrineError && error.code === "allow_list_invalid") return [];
    throw error;
  }
}
