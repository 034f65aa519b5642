/** The allow-list's SQL files: which there are, and which columns each may and must give. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { columnsOf, optionalColumnsOf } from "../api/field.ts";
import { formsAmong, formsOf } from "../api/forms.ts";
import { store } from "../api/records/store.ts";
import { RECORDS } from "../api/records.ts";
import type { Cell } from "../api/row.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { readPlainFile } from "../base/files.ts";
import { nearestName } from "../base/nearest.ts";
import { isCertain, namesIn, sqlTokens, withoutComments } from "../base/sql-words.ts";
import { remedyOf } from "../base/sqlite.ts";

/** By file name without `.sql`: the columns that the file's SELECT may name; docs/allow-list.md describes each. */
export const QUERY_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [store.file]: columnsOf(store.fields),
  ...Object.fromEntries(RECORDS.map(({ file, needs }) => [file, needs])),
  next_change: ["next_change_at"],
  "products.left-out": ["id", "title", "reason"],
  closed: ["reason"],
};

/** Optional columns by the file's name, with their values if the file lacks them; all others are required. */
export const OPTIONAL_COLUMNS: Readonly<Record<string, ReadonlyMap<string, Cell>>> = {
  [store.file]: optionalColumnsOf(store.fields),
  ...Object.fromEntries(RECORDS.map(({ file, optional }) => [file, optional])),
};

/** Lists the products that the other files leave out, and why. Its rows are for the operator and never in a catalog. */
const LEFT_OUT = "products.left-out.sql";

/** A SELECT of one row that changes whenever rows of the other files may have changed: `watch` runs it instead of reading all rows. */
const CHANGED = "changed.sql";

/** Returns a row with the reason if visitors can't see the shop: then nothing is built unless `force` is set. */
const CLOSED = "closed.sql";

/** Files that are not records'. */
const BESIDE: readonly string[] = [LEFT_OUT, CHANGED, CLOSED];

/** Common table expressions, `WITH … AS (…)` without a SELECT after them, for use in every file. */
export const VIEWS = "_views.sql";

/** Files that every catalog needs. Any other record whose file is missing has no rows. */
export const REQUIRED = ["store", "categories", "products"];

export interface AllowListQuery {
  readonly name: string;
  /** File name for messages, `products.sql`. */
  readonly file: string;
  /** One SELECT, without a semicolon at its end. */
  readonly sql: string;
  /** Its columns in order, each in the form that the SQL gives; undefined until the store was asked. */
  readonly columns?: readonly string[];
  /** The original texts that `sql` is made of, by file; undefined if it is not made of files. */
  readonly sources?: ReadonlyMap<string, string>;
  /** The pieces that `sql` consists of; undefined if it is the file's own text. */
  readonly parts?: readonly SqlPart[];
}

/** A piece of a query, as it is in a file. */
interface SqlPart {
  readonly text: string;
  readonly file: string;
  /** Lines of the file before it. */
  readonly linesBefore: number;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/** `products.sql, line 12` or `_views.sql, line 3`: where a character of the query is written; past its end, its last line. */
export function placeInFiles({ sql, file, parts }: AllowListQuery, at: number): string {
  let end = 0;
  for (const piece of parts ?? [{ text: sql, file, linesBefore: 0 }]) {
    const start = end;
    end += piece.text.length;
    if (Math.min(at, sql.length - 1) < end)
      return `${piece.file}, line ${1 + piece.linesBefore + linesIn(piece.text.slice(0, at - start))}`;
  }
  return file;
}

/** True if the rows depend on the moment of the build, as SQLite, MySQL and PostgreSQL write it. */
export function usesNow({ sql }: AllowListQuery): boolean {
  return /:now\b|@now\b|'vitrine\.now'/.test(sql);
}

/** By name. Missing files have no entry. */
export type AllowList = Readonly<Record<string, AllowListQuery>>;

/**
 * The columns of a record that the file gives, each in its form.
 * @throws VitrineError allow_list_invalid if a required one is missing, one is given twice, or one is not the record's
 */
export function chooseColumns({ name, file }: AllowListQuery, given: readonly string[]): readonly string[] {
  const wanted = QUERY_COLUMNS[name] ?? [];
  const chosen = wanted.map((column) => ({ column, forms: formsAmong(column, given) }));
  const missing = chosen
    .filter(({ column, forms }) => forms.length === 0 && OPTIONAL_COLUMNS[name]?.has(column) !== true)
    .map(({ column }) => formsOf(column).join(" or "));
  const twice = chosen.filter(({ forms }) => forms.length > 1).map(({ forms }) => forms.join(" and "));
  const known = new Set(wanted.flatMap(formsOf));
  const extra = [...new Set(given)].filter((column) => !known.has(column));
  const repeated = new Set(given.filter((column, at) => given.indexOf(column) < at));
  const near = extra.flatMap((column) => nearestName(column, [...known]) ?? []);
  const meant = near.length === 0 ? "" : ` (did you mean ${near.join(", ")}?)`;
  const parts = [
    missing.length > 0 ? `lacks the column ${missing.join(", ")}` : "",
    twice.length > 0 ? `gives ${twice.join(", ")}, which are forms of one column` : "",
    repeated.size > 0 ? `gives ${[...repeated].join(", ")} more than once` : "",
    extra.length > 0 ? `gives ${extra.join(", ")}, which its record does not have${meant}` : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return chosen.flatMap(({ forms }) => forms);
  const listed = (isOptional: boolean) =>
    wanted
      .filter((column) => (OPTIONAL_COLUMNS[name]?.has(column) === true) === isOptional)
      .map((column) => formsOf(column).join(" or "))
      .join(", ");
  const others = listed(true);
  throw new VitrineError(
    "allow_list_invalid",
    `${file} ${parts.join(" and ")}. It must give: ${listed(false)}. ` +
      (others === "" ? "It may give no other." : `It may also give: ${others}.`),
  );
}

function suggestion(name: string): string {
  const nearest = nearestName(name, [...Object.keys(QUERY_COLUMNS), "changed"]);
  return nearest === null ? "" : ` Did you mean ${nearest}.sql?`;
}

/** A file's text as a statement, without what may not be before or after it. */
function statementOf(text: string): string {
  let sql = text.replace(/^\uFEFF/, "").trimEnd();
  if (/;\s*(?:--|\/\*)/.test(sql)) {
    // Comments may follow the semicolon.
    const tokens = sqlTokens(sql);
    const last = tokens.findLastIndex(({ kind, word }) => kind !== "comment" && word !== ";");
    if (isCertain(tokens))
      sql = sql.slice(0, tokens.find(({ word }, at) => at > last && word === ";")?.at).trimEnd();
  }
  while (sql.endsWith(";")) sql = sql.slice(0, -1).trimEnd();
  return sql;
}

/** The SQL of a folder's files that have a query, including the views, by file. */
function sqlIn(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(join(folder, VIEWS)) ? [...filesIn(folder), VIEWS] : filesIn(folder);
  const texts = files.map((file) => [file, statementOf(readSql(join(folder, file)))] as const);
  return new Map(texts.filter(([, sql]) => withoutComments(sql).trim() !== ""));
}

/** The text of an SQL file. @throws VitrineError allow_list_invalid */
export function readSql(file: string): string {
  try {
    return readPlainFile(file).toString();
  } catch (error) {
    const { next, hint } = remedyOf(file, error, "Put an SQL file there, or move it away.");
    throw new VitrineError("allow_list_invalid", `Cannot read ${file}: ${messageOf(error)}. ${next}`, {
      cause: error,
      hint,
    });
  }
}

export interface FileWithoutQuery {
  readonly file: string;
  /** True if nothing can be built without it. */
  readonly isRequired: boolean;
}

/** Files of a folder that have only comments, as `init` writes them, and required ones that are missing. @throws VitrineError allow_list_invalid */
export function filesWithoutQuery(folder: string): readonly FileWithoutQuery[] {
  const filled = sqlIn(folder);
  const names = new Set([...REQUIRED.map((name) => `${name}.sql`), ...filesIn(folder)]);
  return [...names]
    .filter((file) => !filled.has(file))
    .map((file) => ({ file, isRequired: REQUIRED.includes(file.slice(0, -".sql".length)) }));
}

/** The WITH at the beginning of SQL, after comments; expressions follow it. */
const BEGINNING = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*WITH\s+(RECURSIVE\s+)?/i;

/**
 * Puts the views' expressions that a file's SQL uses before it. Only those, so that a view for another file does not make this
 * one depend on the clock or on a table. They are not put in a subquery, because MariaDB does not find them there.
 */
function behindViews(views: string): (file: string, sql: string) => readonly SqlPart[] {
  const front = BEGINNING.exec(views);
  if (front === null)
    throw new VitrineError(
      "allow_list_invalid",
      `${VIEWS} must begin with WITH, and end where the SELECT would begin.`,
    );
  const list = views.slice(front[0].length);
  const whole = { name: "", text: list, at: 0, words: new Set<string>() };
  const known = expressionsOf(list);
  return (file, sql) => {
    const own = BEGINNING.exec(sql);
    const used = known === null ? [whole] : expressionsFor(sql, known);
    if (used.length === 0) return [{ text: sql, file, linesBefore: 0 }];
    const first = `WITH ${front[1] ?? own?.[1] ?? ""}`;
    const expressions = used.map(({ text, at }, index) => ({
      text: (index === 0 ? first : ",") + text + (index === used.length - 1 ? "\n" : ""),
      file: VIEWS,
      linesBefore: linesIn(views.slice(0, front[0].length + at)),
    }));
    if (own === null) return [...expressions, { text: sql, file, linesBefore: 0 }];
    const comments = own[0].replace(/WITH\s+(RECURSIVE\s+)?$/i, "");
    return [
      ...expressions,
      { text: ",\n", file, linesBefore: 0 },
      { text: comments, file, linesBefore: 0 },
      { text: sql.slice(own[0].length), file, linesBefore: linesIn(own[0]) },
    ];
  };
}

interface Expression {
  readonly name: string;
  /** With the comments before it. */
  readonly text: string;
  /** Where it begins in the list. */
  readonly at: number;
  readonly words: ReadonlySet<string>;
}

/** `a AS (…), b (x) AS (…)` → each; null if one has no plain name. */
function expressionsOf(list: string): readonly Expression[] | null {
  const tokens = sqlTokens(list);
  if (!isCertain(tokens)) return null;
  const ends: number[] = [];
  let depth = 0;
  for (const { word, at } of tokens) {
    if (word === "(") depth += 1;
    if (word === ")") depth -= 1;
    if (word === "," && depth === 0) ends.push(at);
  }
  const named = [...ends, list.length].map((end, index) => {
    const at = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    const text = list.slice(at, end);
    const plain = withoutComments(text);
    const name = /^\s*([a-z_]\w*)\s*(?:\(|as\b)/i.exec(plain)?.[1]?.toLowerCase() ?? "";
    return { name, text, at, words: namesIn(plain).words };
  });
  return named.every(({ name }) => name !== "") ? named : null;
}

/** The expressions that SQL uses, directly or through others, by name. */
function expressionsFor(sql: string, expressions: readonly Expression[]): readonly Expression[] {
  const used = new Set<string>();
  const use = (words: ReadonlySet<string>) => {
    for (const expression of expressions) {
      if (used.has(expression.name) || !words.has(expression.name)) continue;
      used.add(expression.name);
      use(expression.words);
    }
  };
  use(namesIn(withoutComments(sql)).words);
  return expressions.filter(({ name }) => used.has(name));
}

/** Makes a file's query from the texts of all files; without a statement if the file is missing. @throws VitrineError allow_list_invalid */
export function queriesOf(texts: ReadonlyMap<string, string>): (file: string) => AllowListQuery {
  const views = statementOf(texts.get(VIEWS) ?? "");
  const complete = views === "" ? null : behindViews(views);
  return (file) => {
    const name = file.slice(0, -".sql".length);
    const own = statementOf(texts.get(file) ?? "");
    if (complete === null) return { name, file, sql: own };
    const parts = complete(file, own);
    return { name, file, sql: parts.map(({ text }) => text).join(""), parts };
  };
}

/** The files of an allow-list that make no record; null: the folder has none. */
export interface BesideFiles {
  /** Lists the products that the shop shows and the files leave out. */
  readonly leftOut: AllowListQuery | null;
  /** Shows whether anything changed. */
  readonly changed: AllowListQuery | null;
  /** Tells whether the shop is closed. */
  readonly closed: AllowListQuery | null;
}

/** @throws VitrineError allow_list_invalid */
export function readBeside(folder: string): BesideFiles {
  const sqlByFile = sqlIn(folder);
  const queryOf = queriesOf(sqlByFile);
  const query = (file: string) => (sqlByFile.has(file) ? queryOf(file) : null);
  return { leftOut: query(LEFT_OUT), changed: query(CHANGED), closed: query(CLOSED) };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".sql") && file !== VIEWS);
  } catch (error) {
    throw new VitrineError(
      "allow_list_invalid",
      existsSync(folder)
        ? `Cannot read the allow-list folder ${folder}: ${messageOf(error)}. Name another with --queries.`
        : `There is no folder ${folder} with SQL files. Run vitrine init, which writes them for your store, or name another with --queries.`,
      { cause: error },
    );
  }
}

/** Refuses a folder without a required file. */
function refuseMissing(folder: string, list: AllowList): void {
  const missing = REQUIRED.filter((name) => list[name] === undefined).map((name) => `${name}.sql`);
  if (missing.length === 0) return;
  const names = missing.join(", ");
  const isSkeleton = missing.some((file) => existsSync(join(folder, file)));
  throw new VitrineError(
    "allow_list_invalid",
    isSkeleton
      ? `In ${folder}, there is no query yet in ${names}. Write the SELECT that the file's comments describe: SCHEMA.md lists ` +
          "the store's tables and columns, docs/own-store.md has the steps. Nothing was built."
      : `The allow-list folder ${folder} lacks ${names}.`,
  );
}

/**
 * Reads a folder of SQL files. A file with only comments counts as missing.
 * @throws VitrineError allow_list_invalid
 */
export function readAllowList(folder: string): AllowList {
  const known = Object.keys(QUERY_COLUMNS);
  for (const file of filesIn(folder)) {
    const name = file.slice(0, -".sql".length);
    if (known.includes(name) || BESIDE.includes(file)) continue;
    const files = [...known.map((other) => `${other}.sql`), CHANGED].join(", ");
    throw new VitrineError(
      "allow_list_invalid",
      `${join(folder, file)} is not a file of the allow-list (${files}).${suggestion(name)}`,
    );
  }
  const sqlByFile = sqlIn(folder);
  const front = sqlByFile.get(VIEWS) ?? null;
  const queryOf = queriesOf(sqlByFile);
  const list: Record<string, AllowListQuery> = {};
  for (const [file, sql] of [...sqlByFile].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (file === VIEWS || BESIDE.includes(file)) continue;
    const name = file.slice(0, -".sql".length);
    const sources = new Map([...(front === null ? [] : [[VIEWS, front] as const]), [file, sql]]);
    list[name] = { ...queryOf(file), sources };
  }
  refuseMissing(folder, list);
  return list;
}
