/** Which tables and columns a store has: asked of the database itself, through the port that reads its rows. */
import { type StoreReader, valuesOf } from "../extract/store.ts";
import { isServerAddress, parseServerAddress } from "../extract/stores/address.ts";

export type Dialect = "sqlite" | "postgres" | "mysql";

export interface Column {
  readonly name: string;
  /** As the database calls it, lower case. */
  readonly type: string;
  readonly isKey: boolean;
}

/** Columns by table, in the order of the table. */
export type Schema = ReadonlyMap<string, readonly Column[]>;

export function dialectOf(store: string): Dialect {
  return isServerAddress(store) ? parseServerAddress(store).kind : "sqlite";
}

/** `part`: "key" of a primary key's columns. The server's own tables are not the store's. */
const CATALOGS: Readonly<Record<Dialect, string>> = {
  sqlite: `SELECT s.name AS place, c.cid AS rank, c.name AS title, c.type AS kind, CASE WHEN c.pk > 0 THEN 'key' END AS part
    FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
    WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite~_%' ESCAPE '~'`,
  postgres: `SELECT c.table_name AS place, c.ordinal_position AS rank, c.column_name AS title, c.data_type AS kind,
      (SELECT 'key' FROM information_schema.table_constraints AS t
        JOIN information_schema.key_column_usage AS k
          ON k.constraint_name = t.constraint_name AND k.table_schema = t.table_schema AND k.table_name = t.table_name
        WHERE t.constraint_type = 'PRIMARY KEY' AND t.table_schema = c.table_schema AND t.table_name = c.table_name
          AND k.column_name = c.column_name LIMIT 1) AS part
    FROM information_schema.columns AS c WHERE c.table_schema = current_schema()`,
  mysql: `SELECT c.table_name AS place, c.ordinal_position AS \`rank\`, c.column_name AS title, c.column_type AS kind,
      CASE WHEN c.column_key = 'PRI' THEN 'key' END AS part
    FROM information_schema.columns AS c WHERE c.table_schema = DATABASE()`,
};

const COLUMNS: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: ["place", "rank", "title", "kind", "part"],
  postgres: ["place", "rank", "title", "kind", "part"],
  mysql: ["place", "`rank`", "title", "kind", "part"],
};

/** @throws VitrineError store_unreadable */
export async function readSchema(store: StoreReader, dialect: Dialect): Promise<Schema> {
  const found: { place: string; rank: number; column: Column }[] = [];
  const query = { name: "schema", file: "the schema", sql: CATALOGS[dialect], columns: COLUMNS[dialect] };
  for await (const rows of store.batches(query)) {
    for (const row of rows) {
      const [place, rank, title, kind, part] = valuesOf(row);
      const column = { name: String(title), type: String(kind).toLowerCase(), isKey: part === "key" };
      found.push({ place: String(place), rank: Number(rank), column });
    }
  }
  found.sort((a, b) => (a.place === b.place ? a.rank - b.rank : a.place < b.place ? -1 : 1));
  const schema = new Map<string, Column[]>();
  for (const { place, column } of found) schema.set(place, [...(schema.get(place) ?? []), column]);
  return schema;
}
