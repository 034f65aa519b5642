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
