/** The SQL files that say what may become public: which there are, and the columns each must give, no more, no less. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { columnsOf } from "../api/field.ts";
import { formsAmong, formsOf } from "../api/forms.ts";
import { store } from "../api/records/store.ts";
import { RECORDS } from "../api/records.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { nearestName } from "../base/nearest.ts";
import { expressionsFor } from "./sql-parts.ts";

/** By file name without `.sql`. Columns are what the file's SELECT must name; `docs/allow-list.md` describes each. */
export const QUERY_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [store.file]: columnsOf(store.fields),
  ...Object.fromEntries(RECORDS.map(({ file, needs }) => [file, needs])),
  next_change: ["next_change_at"],
  "products.left-out": ["id", "title", "reason"],
};

/** Says which products of the shop's the other files leave out, and why. Its rows are shown to an operator, and are in no catalog. */
const LEFT_OUT = "products.left-out.sql";

/** One SELECT of one row that changes whenever rows of the other files may have: `watch` asks it instead of reading all rows. */
const CHANGED = "changed.sql";

/** Common table expressions, `WITH … AS (…)` without a SELECT behind them, that stand in front of each file. */
export const VIEWS = "_views.sql";

/** Without these there is no catalog; a resource whose file is missing is empty. */
const REQUIRED = ["store", "categories", "products"];

export interface AllowListQuery {
  readonly name: string;
  /** File name for messages, `products.sql`. */
  readonly file: string;
  /** One SELECT, without a semicolon at its end. */
  readonly sql: string;
  /** Its columns in their order, each in the form in which the SQL gives it; undefined until a store was asked. */
  readonly columns?: readonly string[];
}

/** True where the rows depend on the moment of the build, as SQLite, MySQL and PostgreSQL spell it. */
export function usesNow({ sql }: AllowListQuery): boolean {
  return /:now\b|@now\b|'vitrine\.now'/.test(sql);
}

/** By name. A file that is missing is not there. */
export type AllowList = Readonly<Record<string, AllowListQuery>>;

/**
 * The columns of a record, each in the form in which the file gives it.
 * @throws VitrineError allow_list_invalid where one is missing, stands in two forms or is none of the record's
 */
export function chooseColumns({ name, file }: AllowListQuery, given: readonly string[]): readonly string[] {
  const wanted = QUERY_COLUMNS[name] ?? [];
  const chosen = wanted.map((column) => ({ column, forms: formsAmong(column, given) }));
  const missing = chosen
    .filter(({ forms }) => forms.length === 0)
    .map(({ column }) => formsOf(column).join(" or "));
  const twice = chosen.filter(({ forms }) => forms.length > 1).map(({ forms }) => forms.join(" and "));
  const known = new Set(wanted.flatMap(formsOf));
  const extra = given.filter((column) => !known.has(column));
  const parts = [
    missing.length > 0 ? `lacks the column ${missing.join(", ")}` : "",
    twice.length > 0 ? `gives ${twice.join(", ")}, which are forms of one column` : "",
    extra.length > 0 ? `gives ${extra.join(", ")}, which its record does not have` : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return chosen.flatMap(({ forms }) => forms);
  const all = wanted.map((column) => formsOf(column).join(" or ")).join(", ");
  throw new VitrineError(
    "allow_list_invalid",
    `${file} ${parts.join(" and ")}. It must name exactly: ${all}.`,
  );
}

function suggestion(name: string): string {
  const nearest = nearestName(name, [...Object.keys(QUERY_COLUMNS), "changed"]);
  return nearest === null ? "" : ` Did you mean ${nearest}.sql?`;
}

function readSql(file: string): string {
  return readFileSync(file, "utf8").trim().replace(/;$/, "");
}

/** The SQL of a folder's files, that of the views too, by file. */
function sqlIn(folder: string): ReadonlyMap<string, string> {
  const files = existsSync(join(folder, VIEWS)) ? [...filesIn(folder), VIEWS] : filesIn(folder);
  return new Map(files.map((file) => [file, readSql(join(folder, file))]));
}

/** @throws VitrineError not_confirmed where files are proposals at which nobody has looked */
export function refuseUnconfirmed(folder: string, sqlByFile = sqlIn(folder)): void {
  const found = [...sqlByFile].flatMap(([file, sql]) => {
    const state = unconfirmedOf(sql);
    return state === null ? [] : [{ file, ...state }];
  });
  if (found.length === 0) return;
  const names = found.map(({ file }) => file);
  const choices = found.flatMap(({ file, choices: lines }) => lines.map((line) => `${file}:${line}`));
  const [are, them] = names.length === 1 ? ["is a proposal", "it"] : ["are proposals", "them"];
  throw new VitrineError(
    "not_confirmed",
    `${names.join(", ")} in ${folder} ${are} that nobody has confirmed, so nothing is read with ${them}. ` +
      (choices.length === 0 ? "" : `Something is to be chosen in ${choices.join(", ")}. `) +
      `Look at ${them} and at which rows and columns ${names.length === 1 ? "it gives" : "they give"}, then run: ` +
      `vitrine init --confirm ${names.join(" ")}`,
  );
}

/** The WITH that SQL begins with, behind comments; what follows it are expressions. */
const BEGINNING = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*WITH\s+(RECURSIVE\s+)?/i;

/**
 * A file's SQL with those of the views' expressions before its own that it leads to: what another file needs does not make
 * this one depend on the clock or on a table. In a subquery, MariaDB would not find them.
 */
function behindViews(views: string, sql: string): string {
  const front = BEGINNING.exec(views);
  const own = BEGINNING.exec(sql);
  if (front === null)
    throw new VitrineError(
      "allow_list_invalid",
      `${VIEWS} must begin with WITH, and end where the SELECT would begin.`,
    );
  const used = expressionsFor(sql, views.slice(front[0].length));
  if (used === "") return sql;
  const expressions = `WITH ${front[1] ?? own?.[1] ?? ""}${used}\n`;
  if (own === null) return expressions + sql;
  const comments = own[0].replace(/WITH\s+(RECURSIVE\s+)?$/i, "");
  return `${expressions},\n${comments}${sql.slice(own[0].length)}`;
}

function readBeside(folder: string, file: string): AllowListQuery | null {
  const sqlByFile = sqlIn(folder);
  const sql = sqlByFile.get(file);
  if (sql === undefined) return null;
  const front = sqlByFile.get(VIEWS) ?? null;
  const name = file.slice(0, -".sql".length);
  return { name, file, sql: front === null ? sql : behindViews(front, sql) };
}

/** The file that says what is left out; null where the folder has none. @throws VitrineError allow_list_invalid */
export function readLeftOut(folder: string): AllowListQuery | null {
  return readBeside(folder, LEFT_OUT);
}

/** The file that says whether anything changed; null where the folder has none. @throws VitrineError allow_list_invalid */
export function readChanged(folder: string): AllowListQuery | null {
  return readBeside(folder, CHANGED);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".sql") && file !== VIEWS);
  } catch (error) {
    throw new VitrineError(
      "allow_list_invalid",
      `Cannot read the allow-list folder ${folder}: ${messageOf(error)}. Name another with --queries.`,
      { cause: error },
    );
  }
}

/**
 * Reads a folder of SQL files.
 * @param unconfirmed what becomes of files that nobody has confirmed: "shown" is for who shows them to a person
 * @throws VitrineError allow_list_invalid, not_confirmed
 */
export function readAllowList(folder: string, unconfirmed: "refused" | "shown" = "refused"): AllowList {
  const sqlByFile = sqlIn(folder);
  if (unconfirmed === "refused") refuseUnconfirmed(folder, sqlByFile);
  const front = sqlByFile.get(VIEWS) ?? null;
  const list: Record<string, AllowListQuery> = {};
  for (const [file, sql] of [...sqlByFile].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (file === VIEWS || file === LEFT_OUT || file === CHANGED) continue;
    const name = file.slice(0, -".sql".length);
    if (!Object.hasOwn(QUERY_COLUMNS, name)) {
      const known = [...Object.keys(QUERY_COLUMNS).map((other) => `${other}.sql`), CHANGED];
      throw new VitrineError(
        "allow_list_invalid",
        `${join(folder, file)} is no file of the allow-list (${known.join(", ")}).${suggestion(name)}`,
      );
    }
    list[name] = { name, file, sql: front === null ? sql : behindViews(front, sql) };
  }
  const missing = REQUIRED.filter((name) => list[name] === undefined);
  if (missing.length === 0) return list;
  throw new VitrineError(
    "allow_list_invalid",
    `The allow-list folder ${folder} lacks ${missing.map((name) => `${name}.sql`).join(" and ")}.`,
  );
}

/**
 * What `init` proposes of a schema that it does not know is a guess, and a guess is never public: this line in the SQL says
 * that nobody has looked yet, and while it stands the file is refused by whatever would extract.
 * @example unconfirmedLine("products.sql") // "-- vitrine: not confirmed. Look at … vitrine init --confirm products.sql" */
export function unconfirmedLine(file: string): string {
  return `-- vitrine: not confirmed. Look at what this file gives, then remove this line, or run: vitrine init --confirm ${file}`;
}

/** A comment behind what stands for nothing, until a person has put one of these in its place. `offers` is one line. */
export function choiceNote(placeholder: string, offers: string): string {
  return `vitrine: choose, and write instead of ${placeholder}: ${offers}`;
}

/** Wherever they stand in a file, and however somebody has changed the rest of the line. */
const MARKS = /vitrine:\s*(not\s+confirmed|choose)/gi;

const OWN_LINE = /^[ \t]*--[ \t]*vitrine:[ \t]*not confirmed\b.*(?:\r?\n|$)/gim;

export interface Unconfirmed {
  /** Lines, from 1, of conditions that a person must choose. */
  readonly choices: readonly number[];
}

/** Null of a file that is a person's own, or confirmed. */
export function unconfirmedOf(sql: string): Unconfirmed | null {
  const marks = [...sql.matchAll(MARKS)];
  if (marks.length === 0) return null;
  const choices = marks.filter(([, word]) => word?.toLowerCase() === "choose");
  return { choices: choices.map(({ index }) => sql.slice(0, index).split("\n").length) };
}

/** The file's text without the line that says so; null where something else in it says so too. */
export function confirmed(sql: string): string | null {
  const text = sql.replace(OWN_LINE, "");
  return unconfirmedOf(text) === null ? text : null;
}
