/**
 * What a file of the allow-list may read, told by its words alone: whatever is named in it counts, in strings too, and
 * in comments where dialects differ in what one is. So it may say too much and never too little, and no dialect's grammar need be known. Pure.
 */

import { withoutComments } from "../sql-parts.ts";

/** What there is in the store's database. Names are in lower case. */
export interface StoreSchema {
  readonly tables: ReadonlyMap<string, StoreTable>;
  /** SQL of views; null where it may not be read. */
  readonly views: ReadonlyMap<string, string | null>;
  /** Names behind which anything may be read: functions of the store's own, other databases and schemas. */
  readonly opaque: ReadonlySet<string>;
  /** Tables that a change of another changes without a trigger: child → parents. */
  readonly cascades: ReadonlyMap<string, readonly string[]>;
}

export interface StoreTable {
  /** As the database spells it. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Another one where the table was emptied, replaced or written anew behind the triggers' back. */
  readonly identity: string;
  /** Triggers of the capture that fire, whoever writes. */
  readonly triggers: number;
}

/** How a change of a table bears on a file. */
interface TableUse {
  /** In lower case; null: any. */
  readonly columns: ReadonlySet<string> | null;
  /** The column that says which of the file's rows follow from a row; null where the file does not say. */
  readonly key: string | null;
}

/** By table. Null where anything may be read. */
export type FileReads = ReadonlyMap<string, TableUse> | null;

const WORD = /[\p{L}\p{N}_$]+/gu;
const QUOTED = /"((?:[^"]|"")+)"|`((?:[^`]|``)+)`/g;

/** `-- rows: products.id, sale_windows.product_id` */
const ROWS = /^\s*--\s*rows:(.*)$/gim;

/** Between two words: blanks and comments. */
const GAP = String.raw`(?:\s|/\*[^]*?\*/|--[^\n]*\n)*`;
const ALL_COLUMNS = [
  new RegExp(String.raw`(?:[.,]|\b(?:select|distinct|all))${GAP}\*`, "iu"),
  /\bnatural\b/iu,
  // A row as a whole, in PostgreSQL: to_jsonb(p), p::text
  /\b(?:to_jsonb?|row_to_json|jsonb?_agg|array_agg|row|hstore|concat\w*|format)\s*\([^).]*?(?<![.\w"])"?\w+"?\s*[,)]/iu,
  /(?<![\w."')])"?[a-z_]\w*"?\s*::/iu,
];

/** All names that stand in a text, in lower case. */
function wordsOf(sql: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of sql.matchAll(WORD)) words.add(word.toLowerCase());
  for (const [, double, back] of sql.matchAll(QUOTED))
    words.add((double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? "").toLowerCase());
  return words;
}

/** Columns that a file names as those by which its rows follow from a table's. */
export function keysOf(sql: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [, list] of sql.matchAll(ROWS)) {
    for (const item of list?.split(",") ?? []) {
      const [table, column] = item.trim().toLowerCase().split(".");
      if (table && column) keys.set(table, column);
    }
  }
  return keys;
}

/** The text of a file with that of all views that it leads to; null where one may not be read. */
export function textWithViews(sql: string, views: StoreSchema["views"]): string | null {
  let text = sql;
  const seen = new Set<string>();
  for (let words = wordsOf(text); ; words = wordsOf(text)) {
    const found = [...words].filter((word) => views.has(word) && !seen.has(word));
    if (found.length === 0) return text;
    for (const name of found) {
      seen.add(name);
      const view = views.get(name) ?? null;
      if (view === null) return null;
      text += `\n${view}`;
    }
  }
}

export function readsOf(sql: string, schema: StoreSchema): FileReads {
  const text = textWithViews(withoutComments(sql), schema.views);
  if (text === null || /\bU&"/i.test(text)) return null;
  const words = wordsOf(text);
  if ([...schema.opaque].some((name) => words.has(name))) return null;
  const isAll = ALL_COLUMNS.some((form) => form.test(text));
  const keys = keysOf(sql);
  const uses = new Map<string, TableUse>();
  for (const [table, { columns }] of schema.tables) {
    if (!words.has(table)) continue;
    const named = columns.map((column) => column.toLowerCase()).filter((column) => words.has(column));
    uses.set(table, { columns: isAll ? null : new Set(named), key: keys.get(table) ?? null });
  }
  for (const table of [...uses.keys()]) addParents(table, schema, uses);
  return uses;
}

/** A parent's change may change any of its children's rows. */
function addParents(table: string, { cascades }: StoreSchema, uses: Map<string, TableUse>): void {
  for (const parent of cascades.get(table) ?? []) {
    const isKnown = uses.get(parent)?.columns === null && uses.get(parent)?.key === null;
    uses.set(parent, { columns: null, key: null });
    if (!isKnown) addParents(parent, { cascades } as StoreSchema, uses);
  }
}
