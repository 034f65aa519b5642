/** The SQL files that say what may become public: which there are, and the columns each must give, no more, no less. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import { columnsOf } from "../api/field.ts";
import { store } from "../api/records/store.ts";
import { RECORDS } from "../api/records.ts";
import { messageOf, VitrineError } from "../base/error.ts";

/** By file name without `.sql`. Columns are what the file's SELECT must name; `docs/allow-list.md` tells each. */
export const QUERY_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [store.file]: columnsOf(store.fields),
  ...Object.fromEntries(RECORDS.map(({ file, needs }) => [file, needs])),
  next_change: ["next_change_at"],
};

/** Without these there is no catalog; a resource whose file is missing is empty. */
const REQUIRED = ["store", "categories", "products"];

export interface AllowListQuery {
  readonly name: string;
  /** File name for messages, `products.sql`. */
  readonly file: string;
  /** One SELECT, without a semicolon at its end. */
  readonly sql: string;
}

/** True where the rows depend on the moment of the build, as SQLite, MySQL and PostgreSQL spell it. */
export function usesNow({ sql }: AllowListQuery): boolean {
  return /:now\b|@now\b|'vitrine\.now'/.test(sql);
}

/** By name. A file that is missing is not there. */
export type AllowList = Readonly<Record<string, AllowListQuery>>;

/** Refuses a file whose SQL gives other columns than its record has. @throws VitrineError allow_list_invalid */
export function checkColumns({ name, file }: AllowListQuery, given: readonly string[]): void {
  const wanted = QUERY_COLUMNS[name] ?? [];
  const missing = wanted.filter((column) => !given.includes(column));
  const extra = given.filter((column) => !wanted.includes(column));
  if (missing.length === 0 && extra.length === 0) return;
  const parts = [
    missing.length > 0 ? `lacks the column ${missing.join(", ")}` : "",
    extra.length > 0 ? `gives ${extra.join(", ")}, which its record does not have` : "",
  ].filter((part) => part !== "");
  throw new VitrineError(
    "allow_list_invalid",
    `${file} ${parts.join(" and ")}. It must name exactly: ${wanted.join(", ")}.`,
  );
}

function suggestion(name: string): string {
  const nearest = closest(name, Object.keys(QUERY_COLUMNS));
  return distance(name, nearest) <= 3 ? ` Did you mean ${nearest}.sql?` : "";
}

/** Reads a folder of SQL files. @throws VitrineError allow_list_invalid */
export function readAllowList(folder: string): AllowList {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  } catch (error) {
    throw new VitrineError(
      "allow_list_invalid",
      `Cannot read the allow-list folder ${folder}: ${messageOf(error)}. Name another with --queries.`,
      { cause: error },
    );
  }
  const list: Record<string, AllowListQuery> = {};
  for (const file of files.sort()) {
    const name = file.slice(0, -".sql".length);
    if (!Object.hasOwn(QUERY_COLUMNS, name)) {
      const known = Object.keys(QUERY_COLUMNS).map((other) => `${other}.sql`);
      throw new VitrineError(
        "allow_list_invalid",
        `${join(folder, file)} is no file of the allow-list (${known.join(", ")}).${suggestion(name)}`,
      );
    }
    const sql = readFileSync(join(folder, file), "utf8").trim().replace(/;$/, "");
    list[name] = { name, file, sql };
  }
  const missing = REQUIRED.filter((name) => list[name] === undefined);
  if (missing.length === 0) return list;
  throw new VitrineError(
    "allow_list_invalid",
    `The allow-list folder ${folder} lacks ${missing.map((name) => `${name}.sql`).join(" and ")}.`,
  );
}
