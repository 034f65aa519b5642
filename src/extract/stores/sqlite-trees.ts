/** The b-trees of an SQLite store: whose they are, and which columns their records hold. */
import type Database from "better-sqlite3";
import { itemAt } from "../../base/item-at.ts";

/** The b-tree that is the schema, as SQLite names it; its root is page 1. */
export const SCHEMA = "sqlite_schema";

export interface Tree {
  readonly name: string;
  readonly table: string;
  /** Columns of its table, in the order in which the table's records hold them; null where that is not certain. */
  readonly columns: readonly string[] | null;
  /** Of an index that is known whole: the table's columns that it is made of. */
  readonly keys: readonly string[] | null;
}

interface TreeRow {
  readonly root: number;
  readonly name: string;
  readonly table: string;
  readonly isIndex: number;
  readonly isPlain: number | null;
  readonly columns: string;
  /** Places in `columns`; -1 is the rowid, -2 an expression. */
  readonly keys: string;
}

/** A table is plain where a record is a rowid and the columns in order; an index, where it has each row and no expression. */
const TREES = `
  SELECT
    s.rootpage AS root,
    s.name AS name,
    s.tbl_name AS "table",
    s.type = 'index' AS isIndex,
    (SELECT l.wr = 0 FROM pragma_table_list(s.tbl_name) AS l WHERE l.schema = 'main')
      AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(s.tbl_name) AS c WHERE c.hidden <> 0)
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(s.tbl_name) AS i WHERE i.name = s.name AND i.partial)
      AND NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(s.name) AS k WHERE k.cid < -1) AS isPlain,
    (SELECT json_group_array(c.name ORDER BY c.cid) FROM pragma_table_xinfo(s.tbl_name) AS c) AS columns,
    (SELECT json_group_array(k.cid) FROM pragma_index_xinfo(s.name) AS k WHERE k.cid >= 0) AS keys
  FROM sqlite_schema AS s
  WHERE s.rootpage > 0`;

/** All b-trees, by their root pages. */
export function treesOf(db: Database.Database): ReadonlyMap<number, Tree> {
  const schema: Tree = { name: SCHEMA, table: SCHEMA, columns: null, keys: null };
  // Texts in UTF-16 are not given as they are stored.
  const isExact = db.pragma("encoding", { simple: true }) === "UTF-8";
  const trees = db.prepare<[], TreeRow>(TREES).all();
  return new Map([
    [1, schema],
    ...trees.map(({ root, name, table, isIndex, isPlain, ...row }): [number, Tree] => {
      const columns: string[] | null = isExact && isPlain === 1 ? JSON.parse(row.columns) : null;
      const places: number[] | null = isIndex === 1 ? JSON.parse(row.keys) : null;
      const keys = columns === null || places === null ? null : places.map((place) => itemAt(columns, place));
      return [root, { name, table, columns, keys }];
    }),
  ]);
}

/** A table whose rows are what is stored: no view, no virtual table, no column that is computed. */
export interface PlainTable {
  readonly name: string;
  readonly root: number;
  readonly columns: readonly { readonly name: string; readonly isInteger: boolean }[];
  /**
   * The column in whose order the rows are stored, as far as it holds whole numbers: the rowid, or of a table WITHOUT ROWID the
   * first of its key. Null where there is none.
   */
  readonly key: string | null;
}

const COLUMNS = `
  SELECT c.name AS name, c.type AS type, c.pk AS pk, c.hidden AS hidden, l.wr AS isWithoutRowid,
    EXISTS (SELECT 1 FROM pragma_index_list(l.name) WHERE origin = 'pk') AS hasIndex,
    EXISTS (
      SELECT 1 FROM pragma_index_list(l.name) AS i, pragma_index_xinfo(i.name) AS k
      WHERE i.origin = 'pk' AND k.seqno = 0 AND k.desc
    ) AS isDescending
  FROM pragma_table_list(?) AS l, pragma_table_xinfo(l.name) AS c
  WHERE l.schema = 'main' ORDER BY c.cid`;

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  /** Place in the key, from 1; 0 where it is not part of it. */
  readonly pk: number;
  readonly hidden: number;
  readonly isWithoutRowid: number;
  /** A key with an index of its own is not the rowid. */
  readonly hasIndex: number;
  readonly isDescending: number;
}

// SQLite's own rule of which columns hold numbers as numbers.
function isInteger({ type }: ColumnRow): boolean {
  return /INT/i.test(type);
}

function keyOf(columns: readonly ColumnRow[]): string | null {
  const key = columns.find(({ pk }) => pk === 1);
  if (key === undefined) return null;
  const isOnly = columns.every(({ pk }) => pk < 2);
  const isRowid = isOnly && key.type.toUpperCase() === "INTEGER" && key.hasIndex === 0;
  const isFirst = key.isWithoutRowid === 1 && isInteger(key) && key.isDescending === 0;
  return isFirst || (isRowid && key.isWithoutRowid === 0) ? key.name.toLowerCase() : null;
}

/** By its name in lower case; null where it is none of these. Names of columns are in lower case as well. */
export function plainTable(
  db: Database.Database,
  trees: ReadonlyMap<number, Tree>,
  name: string,
): PlainTable | null {
  const found = [...trees].find(([, tree]) => tree.name === tree.table && tree.table.toLowerCase() === name);
  if (found === undefined || name === SCHEMA) return null;
  const [root, { table }] = found;
  const columns = db.prepare<[string], ColumnRow>(COLUMNS).all(table);
  if (columns.some(({ hidden }) => hidden !== 0)) return null;
  return {
    ...{ name: table, root },
    columns: columns.map((column) => ({ name: column.name.toLowerCase(), isInteger: isInteger(column) })),
    key: keyOf(columns),
  };
}
