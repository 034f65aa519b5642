/**
 * The tables of the release that is being fetched, beside those of the one that is answered from. They have the same names with a
 * prefix; when they are complete they take the names without it, in one transaction. Each release has another prefix, because an
 * index keeps its name.
 */
import type { Sql } from "../base/sql.ts";
import { TABLES } from "../catalog/resources.ts";
import { VOCABULARY_TABLE } from "../search/search-texts.ts";

const NAMED = [...TABLES.matchAll(/CREATE (VIRTUAL TABLE|TABLE|UNIQUE INDEX) (\w+)/g)];
const NAMES: ReadonlySet<string> = new Set(NAMED.map(([, , name = ""]) => name));
const TABLE_NAMES = NAMED.filter(([, kind]) => kind !== "UNIQUE INDEX").map(([, , name = ""]) => name);
/** It names the index's table, so it can't be renamed. */
const VOCABULARY = "document_word";

/** A name where SQL has a table or an index; and the names of the full-text index everywhere, for they are names of columns, too. */
const PLACE = /\b(FROM|JOIN|INTO|UPDATE|TABLE|INDEX|ON)(\s+)(\w+)|\b(document_text|document_word)\b/g;

/** Statements about `product` are about `g7_product`. */
export function prefixed(sql: Sql, prefix: string): Sql {
  const renamed = (text: string) =>
    text.replace(PLACE, (found, word: string, space: string, name: string, index: string) => {
      if (index !== undefined) return prefix + index;
      // After INTO document_text the same name comes again, as a column.
      return NAMES.has(name) ? `${word}${space}${prefix}${name}` : found;
    });
  return {
    prepare: (text) => sql.prepare(renamed(text)),
    exec: (text) => sql.exec(renamed(text)),
  };
}

export function createTables(sql: Sql, prefix: string): void {
  prefixed(sql, prefix).exec(TABLES);
}

/** Drops the tables with a prefix; "" for those without. */
export function dropTables(sql: Sql, prefix: string): void {
  for (const name of TABLE_NAMES.toReversed()) sql.exec(`DROP TABLE IF EXISTS ${prefix}${name}`);
}

/** Gives the tables with a prefix the names without it. No table may have these. */
export function renameTables(sql: Sql, prefix: string): void {
  sql.exec(`DROP TABLE ${prefix}${VOCABULARY}`);
  for (const name of TABLE_NAMES)
    if (name !== VOCABULARY) sql.exec(`ALTER TABLE ${prefix}${name} RENAME TO ${name}`);
  sql.exec(VOCABULARY_TABLE);
}
