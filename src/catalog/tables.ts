/** The tables of a catalog file. */
import { RECORDS } from "../api/records.ts";
import { DOCUMENT_TABLES } from "../search/documents.ts";
import { RESOURCES } from "./resources.ts";

/**
 * A row's columns, its list fragment, what its detail adds to that, and the texts that search knows of it; `meta` says what
 * the whole is.
 */
export const TABLES: string = [
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
  ...RESOURCES.flatMap(({ name, columns, detail, slug }) => [
    `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ${Object.entries(columns)
      .map(([column, type]) => `${column} ${type}`)
      .join(", ")})`,
    `CREATE TABLE ${name}_list (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`,
    ...(detail ? [`CREATE TABLE ${name}_added (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`] : []),
    ...(slug ? [`CREATE UNIQUE INDEX ${name}_slug ON ${name} (slug)`] : []),
  ]),
  DOCUMENT_TABLES,
].join(";\n");

/** Columns that other records name their parts by, each once. Lists are answered from memory, without an index. */
const PART_COLUMNS: ReadonlySet<string> = new Set(
  RECORDS.flatMap(({ gathers }) => gathers.map(({ of, by }) => `${of} (${by})`)),
);

/** Made once all parts of a new catalog are in: that is faster than keeping them up. */
export function partIndexes(of: string): string {
  return [...PART_COLUMNS]
    .filter((column) => column.startsWith(`${of} `))
    .map((column) => `CREATE INDEX IF NOT EXISTS ${column.replace(/\W+/g, "_")} ON ${column}`)
    .join(";\n");
}
