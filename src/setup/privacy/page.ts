/**
 * PRIVACY.md: for every table and column of a store, what the SQL files do with it. The database says which column a field is.
 * The words of a file say which tables and columns it may read; in doubt that is too many rather than too few.
 */

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CLOCK } from "../../base/clock.ts";
import { toSqlTime } from "../../base/time.ts";
import { CONFIG_FILE } from "../../config/inputs.ts";
import { type AllowListQuery, readAllowList } from "../../extract/allow-list.ts";
import type { Origin } from "../../extract/store.ts";
import { askStore, openStore } from "../../store/open.ts";
import { dialectOf, readSchema, type Schema } from "../schema.ts";
import { type FileReads, type LinesOf, linesOf, type ReadLine, readDefinitions, readsOf } from "./reads.ts";

/** The page about a store and SQL files. @throws VitrineError allow_list_invalid, store_unreadable */
export async function privacyPage(place: string, queries: readonly AllowListQuery[]): Promise<string> {
  const definitions = await askStore(place, (ask) => readDefinitions(ask, place));
  const store = await openStore(place, toSqlTime(CLOCK.now()));
  try {
    const schema = await readSchema(store, dialectOf(place));
    const files: FileUse[] = [];
    for (const query of queries) {
      const { name, file, sql } = query;
      const origins = (await store.origins(query)).map((origin) => known(origin, schema));
      const lines = new Map<string, LinesOf>();
      for (const [source, text] of query.sources ?? []) {
        const find = linesOf(text, sql, definitions);
        // Only the common views that the file uses.
        lines.set(source, (table, column) =>
          find(table, column).filter((line) => source === file || sql.includes(line.text.trim())),
        );
      }
      files.push({ file, name, origins, reads: readsOf(sql, definitions), lines });
    }
    return pageOf(schema, files);
  } finally {
    await store.close();
  }
}

/** The page about the SQL files of a folder. @throws VitrineError store_unreadable, allow_list_invalid */
export function readPrivacy(place: string, queries: string): Promise<string> {
  return privacyPage(place, Object.values(readAllowList(queries)));
}

export const PRIVACY_FILE = "PRIVACY.md";

interface FileUse {
  readonly file: string;
  /** The first part of its fields' names: `products`. */
  readonly name: string;
  readonly origins: readonly Origin[];
  /** Null if it may read anything. */
  readonly reads: FileReads | null;
  /** For each file that its SQL is made of, `_views.sql` too. */
  readonly lines: ReadonlyMap<string, LinesOf>;
}

/** Any name as Markdown code, safe in a table's cell. */
export function codeOf(name: string): string {
  if (/^[^\s`|\\\p{C}]([^`|\\\p{C}\u2028\u2029]*[^\s`|\\\p{C}])?$/u.test(name)) return `\`${name}\``;
  const visible = name.replace(
    /[\p{C}\u2028\u2029]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
  const escaped = visible.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** Drops an origin that is not a column of the store: databases also name expressions. */
function known(origin: Origin, schema: Schema): Origin {
  const { of } = origin;
  const isThere = of !== null && schema.get(of.table)?.some(({ name }) => name === of.column) === true;
  return isThere ? origin : { ...origin, of: null };
}

function pageOf(schema: Schema, files: readonly FileUse[]): string {
  const tables = [...schema].map(([table, columns]) => [table, columns.map(({ name }) => name)] as const);
  const unknown = files.filter(({ reads }) => reads === null).map(({ file }) => file);
  return [
    HEAD,
    "## Files",
    "",
    ...files.flatMap(fileLines),
    "## Tables that a file names",
    "",
    ...tables
      .filter(([table]) => isUsed(table, files))
      .flatMap(([table, names]) => tableLines(table, names, files)),
    "## Tables that no file names",
    "",
    unknown.length === 0
      ? "They are not read."
      : `It is not known whether they are read: ${listOf(unknown)} may read anything.`,
    "",
    ...tables
      .filter(([table]) => !isUsed(table, files))
      .map(([table, names]) => `- ${codeOf(table)}: ${names.length === 0 ? UNREADABLE : listOf(names)}`),
    "",
  ].join("\n");
}

/** What is said instead of the columns of a table whose columns are not known. */
export const UNREADABLE = "a virtual table of SQLite whose module Vitrine lacks, so that no file can read it";

const HEAD = `# What becomes public

Made by \`vitrine privacy\` from the SQL files and the store's schema; \`vitrine doctor\` reports when it is out of date.

- _public as_ names the field that gives the column unchanged.
- _read by_ means that the file may read the column, to decide what is public or to compute something from it. The lines that
  name it, or name a view or all columns through which it is read, show what becomes of it.
- _computed_ is every field that is not an unchanged column: a constant, or made from any columns that its file reads.
- _left out_ is a column that no file reads: no file names it or takes all columns of its table.
`;

function fileLines({ file, name, origins, reads }: FileUse): string[] {
  const given = origins.filter(({ of }) => of !== null).map(({ column }) => column);
  const computed = origins.filter(({ of }) => of === null).map(({ column }) => column);
  const tables = reads === null ? null : [...reads.tables].toSorted();
  return [
    `### ${codeOf(file)}`,
    "",
    `- unchanged columns: ${given.length === 0 ? "none" : listOf(given.map((column) => `${name}.${column}`))}`,
    `- computed: ${computed.length === 0 ? "none" : listOf(computed.map((column) => `${name}.${column}`))}`,
    tables === null
      ? "- reads: not known. It names a function of the store, another schema, or a view whose SQL may not be read."
      : `- reads at most: ${tables.length === 0 ? "no table" : listOf(tables)}`,
    "",
  ];
}

function names(reads: FileReads | null, table: string): boolean {
  return reads?.tables.has(table.toLowerCase()) === true;
}

function listOf(names: readonly string[]): string {
  return names.map(codeOf).join(", ");
}

/** True if a file names the table, or gives a column of it. */
function isUsed(table: string, files: readonly FileUse[]): boolean {
  return files.some(
    ({ reads, origins }) => names(reads, table) || origins.some(({ of }) => of?.table === table),
  );
}

function tableLines(table: string, names: readonly string[], files: readonly FileUse[]): string[] {
  return [
    `### ${codeOf(table)}`,
    "",
    "| column | |",
    "| --- | --- |",
    ...names.map((name) => `| ${codeOf(name)} | ${cellOf(table, name, files)} |`),
    "",
  ];
}

function cellOf(table: string, column: string, files: readonly FileUse[]): string {
  const given = files.flatMap(({ name, origins }) =>
    origins.filter((origin) => isOf(origin, table, column)).map((origin) => `${name}.${origin.column}`),
  );
  const readers = files.filter(({ reads, origins }) => {
    const isNamed = names(reads, table) && reads?.mayRead(table, column) === true;
    return isNamed && !origins.some((origin) => isOf(origin, table, column));
  });
  const parts = [
    given.length > 0 ? `public as ${listOf(given)}` : "",
    readers.length > 0 ? `read by ${readersOf(readers, table, column)}` : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return parts.join("; ");
  return files.some(({ reads }) => reads === null) ? "not known" : "left out";
}

function isOf({ of }: Origin, table: string, column: string): boolean {
  return of?.table === table && of.column === column;
}

/** The files that read a column, each with its lines; `_views.sql`, which several have in common, is named once and last. */
function readersOf(readers: readonly FileUse[], table: string, column: string): string {
  const own = readers.map(({ file, lines }) => [file, lines.get(file)?.(table, column) ?? []] as const);
  const others = readers.flatMap(({ file, lines }) =>
    [...lines].flatMap(([source, find]) => (source === file ? [] : [[source, find(table, column)] as const])),
  );
  const bySource = new Map<string, Map<number, ReadLine>>();
  for (const [source, found] of [...own, ...others]) {
    const known = bySource.get(source) ?? new Map<number, ReadLine>();
    for (const line of found) known.set(line.number, line);
    if (known.size > 0 || readers.some(({ file }) => file === source)) bySource.set(source, known);
  }
  return [...bySource].map(([source, found]) => sourceOf(source, found)).join("; ");
}

/** `products.sql` line 3, over `shown`: `FROM shown AS s` */
function sourceOf(source: string, found: ReadonlyMap<number, ReadLine>): string {
  const shown = [...found.values()].slice(0, MOST_LINES).map(({ number, text, view }) => {
    const over = view === null ? "" : `, over ${codeOf(view)}`;
    return `line ${number}${over}: ${lineOf(text)}`;
  });
  const more = found.size > MOST_LINES ? [`and ${found.size - MOST_LINES} more`] : [];
  return [codeOf(source), [...shown, ...more].join(", ")].join(" ").trimEnd();
}

/** So many lines that read a column are shown for each file. */
const MOST_LINES = 2;
const MOST_LENGTH = 120;

function shortened(line: string): string {
  const text = line.trim().replaceAll(/\s+/gu, " ").replace(/,$/, "");
  const signs = Array.from(text);
  return signs.length <= MOST_LENGTH
    ? text
    : `${signs
        .slice(0, MOST_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}

/** A line of SQL in a cell. */
function lineOf(line: string): string {
  const text = shortened(line);
  return /[`\\\p{C}]/u.test(text) ? codeOf(text) : `\`${text.replaceAll("|", "\\|")}\``;
}

/** The page's path, beside the configuration. */
export function privacyFile(configFile: string = CONFIG_FILE): string {
  return join(dirname(resolve(configFile)), PRIVACY_FILE);
}

/** True if the file has another text. */
export function isOutOfDate(file: string, page: string): boolean {
  return readFileSync(file, "utf8") !== page;
}
