/**
 * What a file of the allow-list may read, judged by its words alone: whatever is named in it counts, in strings too, and
 * in comments where dialects differ in what one is. So it may say too much and never too little, and no dialect's grammar
 * need be known. And from what triggers wrote down to the files, and to the rows of them, that may differ. Pure.
 */
import { type AllowListQuery, OWNER_COLUMNS } from "../../extract/allow-list.ts";
import { withoutComments } from "../../extract/sql-parts.ts";
import type { RowFilter, StoreChanges } from "../../extract/store.ts";
import type { CapturedChange, Source, StoreSchema, StoreTable } from "./dialect.ts";

/** A line of the file's own that says which of its rows follow from a row of a table. */
export interface RowsLine {
  /** In lower case. */
  readonly table: string;
  readonly column: string;
  /** The column of the file that has the same number: `id`, or the one that names whose the row is. */
  readonly to: string;
}

/** What names in a file can stand for. */
export interface Definitions<Table> extends Pick<StoreSchema, "views" | "opaque"> {
  readonly tables: ReadonlyMap<string, readonly Table[]>;
}

/** What a file leads to, over views. */
export interface FileReads<Table = StoreTable> {
  readonly tables: readonly Table[];
  /** Names with their texts. */
  readonly views: ReadonlyMap<string, string>;
  /** All names that stand in it and in them, in lower case. */
  readonly words: ReadonlySet<string>;
  /** True where it may read columns that it does not name. */
  readonly isAll: boolean;
}

const WORD = /[\p{L}\p{N}_$]+/gu;
const QUOTED = /"((?:[^"]|"")+)"|`((?:[^`]|``)+)`/g;

/** Between two words: blanks and comments. */
const GAP = String.raw`(?:\s|/\*[^]*?\*/|--[^\n]*\n)*`;
const ALL_COLUMNS = [
  new RegExp(String.raw`(?:[.,]|\b(?:select|distinct|all))${GAP}\*`, "iu"),
  /\bnatural\b/iu,
  // A row as a whole, in PostgreSQL: to_jsonb(p), p::text
  /\b(?:to_jsonb?|row_to_json|jsonb?_agg|array_agg|row|hstore|concat\w*|format)\s*\([^).]*?(?<![.\w"])"?\w+"?\s*[,)]/iu,
  /(?<![\w."')])"?[a-z_]\w*"?\s*::/iu,
];

/** `-- rows: reviews.id, products.id = product_id` */
const ROWS = /^\s*--\s*rows:(.*)$/gim;
const ITEM = /^([^.=\s]+)\.([^.=\s]+)(?:\s*=\s*([^.=\s]+))?$/;

/** All names that stand in a text, in lower case. */
function wordsOf(sql: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of sql.matchAll(WORD)) words.add(word.toLowerCase());
  for (const [, double, back] of sql.matchAll(QUOTED))
    words.add((double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? "").toLowerCase());
  return words;
}

/** What the file's lines say; an item in no form that is known says nothing. */
export function rowsLines(sql: string): RowsLine[] {
  return [...sql.matchAll(ROWS)]
    .flatMap(([, list]) => (list ?? "").split(","))
    .flatMap((item) => {
      const [, table, column, to = "id"] = ITEM.exec(item.trim().toLowerCase()) ?? [];
      return table === undefined || column === undefined ? [] : [{ table, column, to }];
    });
}

/** Columns by which rows of a file can be found: their former values are known. */
export function isKeyColumn(file: string, column: string): boolean {
  return column === "id" || column === OWNER_COLUMNS[file];
}

/** The views that a file leads to; null where one may not be read. */
function viewsOf(sql: string, views: StoreSchema["views"]): Map<string, string> | null {
  const found = new Map<string, string>();
  const toLook = [sql];
  for (let text = toLook.pop(); text !== undefined; text = toLook.pop()) {
    for (const word of wordsOf(text)) {
      if (found.has(word) || !views.has(word)) continue;
      const view = views.get(word) ?? null;
      if (view === null) return null;
      found.set(word, view);
      toLook.push(view);
    }
  }
  return found;
}

/** The text of a file with that of all views that it leads to; null where one may not be read. */
export function textWithViews(sql: string, views: StoreSchema["views"]): string | null {
  const found = viewsOf(sql, views);
  return found && [sql, ...found.values()].join("\n");
}

/** Null where anything may be read. */
export function readsOf<Table>(sql: string, schema: Definitions<Table>): FileReads<Table> | null {
  const own = withoutComments(sql);
  const views = viewsOf(own, schema.views);
  if (views === null || /\bU&"/i.test(own)) return null;
  const text = [own, ...views.values()].join("\n");
  const words = wordsOf(text);
  if ([...schema.opaque].some((name) => words.has(name))) return null;
  const tables = [...schema.tables].flatMap(([name, found]) => (words.has(name) ? found : []));
  return { tables, views, words, isAll: ALL_COLUMNS.some((form) => form.test(text)) };
}

/** True where a file may read a column of the tables that it names. */
export function mayRead({ words, isAll }: Pick<FileReads, "words" | "isAll">, column: string): boolean {
  return isAll || words.has(column.toLowerCase());
}

/** Tables whose triggers must stand for those of others to tell all: themselves, and parents whose changes reach them. */
export function withParents(tables: Iterable<StoreTable>, schema: StoreSchema): Set<StoreTable> {
  const parents = [...schema.tables.values()].flat().filter(({ cascades }) => cascades !== undefined);
  const found = new Set(tables);
  for (const { sql } of found)
    for (const parent of parents) if (parent.cascades?.children.includes(sql)) found.add(parent);
  return found;
}

/** More rows of a file than these are read with all others. */
const MOST_IDS = 2000;

interface Given {
  readonly changes: readonly CapturedChange[];
  readonly sources: readonly Source[];
  readonly schema: StoreSchema;
  /** `reads`: null where the file may read anything. */
  readonly files: readonly { readonly query: AllowListQuery; readonly reads: FileReads | null }[];
  /** True where each change of a table is written down. */
  readonly isCaptured: (table: StoreTable) => boolean;
}

/** A source of which rows changed: their numbers; "any" where one is not named by a number. */
type ChangedSource = Source & { readonly values: Set<number> | "any" };

/** Null where a number stands for nothing: nobody knows what it was to say. */
function changedSources(
  changes: readonly CapturedChange[],
  sources: readonly Source[],
): ChangedSource[] | null {
  const keys = new Map<number, Set<number> | "any">();
  for (const [source, id] of changes) {
    const known = keys.get(source) ?? new Set();
    const isNumber = typeof id === "number" && Number.isSafeInteger(id);
    keys.set(source, known === "any" || !isNumber ? "any" : known.add(id));
  }
  const found: ChangedSource[] = [];
  for (const [number, values] of keys) {
    const source = sources[number - 1];
    if (source === undefined) return null;
    found.push({ ...source, values });
  }
  return found;
}

/** Of a file, by its columns, the numbers of rows that may differ; "any" where it may be any row. */
function extentOf(
  query: AllowListQuery,
  { tables }: FileReads,
  sources: readonly Source[],
  changed: readonly ChangedSource[],
): ReadonlyMap<string, ReadonlySet<number>> | "any" {
  const lines = rowsLines(query.sql);
  const rows = new Map<string, Set<number>>();
  for (const { name, sql } of tables) {
    const own = changed.filter(({ table }) => table === sql);
    if (own.some(({ values }) => values === "any")) return "any";
    if (own.length === 0) continue;
    const named = lines.filter(({ table }) => table === name);
    if (named.length === 0) return "any";
    for (const { column, to } of named) {
      const isKey = (each: Source) => each.table === sql && each.column?.toLowerCase() === column;
      if (!isKeyColumn(query.name, to) || !sources.some(isKey)) return "any";
      const known = rows.get(to) ?? new Set<number>();
      rows.set(to, known);
      for (const source of own.filter(isKey)) for (const value of source.values) known.add(Number(value));
    }
  }
  return [...rows.values()].some(({ size }) => size > MOST_IDS) ? "any" : rows;
}

export function filesChanged(given: Given): Pick<StoreChanges, "changed" | "rowFilters"> {
  const { sources, schema, files, isCaptured } = given;
  const sourcesChanged = changedSources(given.changes, sources);
  if (sourcesChanged === null) return { changed: "all" };
  const changed = new Set<string>();
  const rowFilters = new Map<string, readonly RowFilter[]>();
  for (const { query, reads } of files) {
    const isSound = reads !== null && [...withParents(reads.tables, schema)].every(isCaptured);
    const extent = isSound ? extentOf(query, reads, sources, sourcesChanged) : "any";
    if (extent !== "any" && extent.size === 0) continue;
    changed.add(query.name);
    if (extent === "any") continue;
    rowFilters.set(
      query.name,
      [...extent].map(([column, ids]) => ({ column, ids: [...ids] })),
    );
  }
  return { changed, rowFilters };
}
