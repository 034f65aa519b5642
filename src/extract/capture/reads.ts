/**
 * What a file of the allow-list may read, told by its words alone: whatever is named in it counts, in strings too, and
 * in comments where dialects differ in what one is. So it may say too much and never too little, and no dialect's grammar need be known. Pure.
 */
import { OWNER_COLUMNS } from "../allow-list.ts";
import { withoutComments } from "../sql-parts.ts";
import type { StoreSchema, StoreTable } from "./dialect.ts";

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

/** Columns of a file by which its rows can be told: what stood in them before is known. */
export function isTellingColumn(file: string, column: string): boolean {
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
  const all = new Map([...schema.tables.values()].flat().map((table) => [table.sql, table]));
  const found = new Set(tables);
  for (const table of found) {
    for (const [parent, cascades] of schema.cascades) {
      const parentTable = all.get(parent);
      if (parentTable !== undefined && cascades.some(({ child }) => child === table.sql))
        found.add(parentTable);
    }
  }
  return found;
}
