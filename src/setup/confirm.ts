/** Files of the allow-list that nobody has confirmed yet: shown to a person, and confirmed by taking a line out of them. What they give is private until then. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { VitrineError } from "../base/error.ts";
import { toSqlTime } from "../base/time.ts";
import { replaceFile } from "../base/write-failure.ts";
import {
  type AllowListQuery,
  confirmed,
  readAllowList,
  unconfirmedOf,
  VIEWS,
} from "../extract/allow-list.ts";
import { type StoreReader, type StoreValue, valuesOf } from "../extract/store.ts";
import { openStore } from "../store/open.ts";
import { quoteName } from "../store/sql.ts";
import { type Dialect, dialectOf, readSchema, type Schema } from "./schema.ts";
import { countRows } from "./values.ts";

const SAMPLES = 3;
const MOST_CHARACTERS = 60;

export interface ShownFile {
  readonly file: string;
  /** How many rows the file gives. */
  readonly rows: number;
  /** Tables that its columns come from, with how many rows they have. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Of its first rows, what is not empty. */
  readonly samples: readonly Readonly<Record<string, StoreValue>>[];
}

function isEmpty(value: StoreValue | undefined): boolean {
  return value === undefined || value === null || value === "" || value === "[]" || value === 0;
}

function shortened(value: StoreValue): StoreValue {
  if (typeof value !== "string" || value.length <= MOST_CHARACTERS) return value;
  return `${value.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}

async function firstRows(store: StoreReader, query: AllowListQuery): Promise<ShownFile["samples"]> {
  const { columns = [] } = query;
  for await (const rows of store.batches(query)) {
    return rows.slice(0, SAMPLES).map((row) => {
      const values = valuesOf(row);
      const shown = columns.map((column, at) => [column, values[at]] as const);
      const filled = shown.filter(([, value]) => !isEmpty(value));
      return Object.fromEntries(filled.map(([column, value]) => [column, shortened(value ?? null)]));
    });
  }
  return [];
}

/** @throws VitrineError allow_list_invalid, store_unreadable */
export async function showFile(
  store: StoreReader,
  given: AllowListQuery,
  dialect: Dialect,
  schema: Schema,
): Promise<ShownFile> {
  const query = { ...given, columns: await store.columns(given) };
  const names = new Set((await store.origins(query)).flatMap(({ of }) => (of === null ? [] : [of.table])));
  const tables: { name: string; rows: number }[] = [];
  // Servers also name what is none: the alias of a view of the file's own.
  for (const name of [...names].filter((each) => schema.has(each)))
    tables.push({ name, rows: await countRows(store, quoteName(name, dialect)) });
  const rows = await countRows(store, `(\n${query.sql}\n)`);
  return { file: query.file, rows, tables, samples: await firstRows(store, query) };
}

/** The name of a file in the folder, however it was named: `products.sql`, `queries/products.sql`. */
function nameIn(folder: string, given: string): string {
  const file = basename(given);
  const isNamed = given === file || dirname(resolve(given)) === resolve(folder);
  if (isNamed && file.endsWith(".sql") && existsSync(join(folder, file))) return file;
  throw new VitrineError("usage", `${given} is no SQL file in ${folder}. Name one there, like products.sql.`);
}

/**
 * Names of those files that nobody has confirmed, of the ones that are named.
 * @throws VitrineError usage, not_confirmed where a person still has to choose or to edit
 */
export function toConfirm(folder: string, given: readonly string[]): readonly string[] {
  const names = [...new Set(given.map((each) => nameIn(folder, each)))];
  // What a file gives is decided there, too.
  const all = existsSync(join(folder, VIEWS)) ? [VIEWS, ...names] : names;
  return all.filter((name) => {
    const sql = readFileSync(join(folder, name), "utf8");
    const state = unconfirmedOf(sql);
    const [line] = state?.choices ?? [];
    if (line !== undefined)
      throw new VitrineError(
        "not_confirmed",
        `${join(folder, name)}:${line}: something is to be chosen there. Write what the comment that says vitrine: choose ` +
          "offers, and remove the comment. Nothing was confirmed.",
      );
    if (state !== null && confirmed(sql) === null)
      throw new VitrineError(
        "not_confirmed",
        `${join(folder, name)} says that it is not confirmed in a line that is not as init wrote it: remove it by hand. Nothing was confirmed.`,
      );
    return state !== null;
  });
}

/** What files give, as they stand. @throws VitrineError store_unreadable, allow_list_invalid */
export async function showFiles(
  place: string,
  folder: string,
  names: readonly string[],
): Promise<readonly ShownFile[]> {
  const list = Object.values(readAllowList(folder, "shown")).filter(({ file }) => names.includes(file));
  const store = await openStore(place, toSqlTime(new Date()));
  try {
    const shown: ShownFile[] = [];
    const schema = await readSchema(store, dialectOf(place));
    for (const query of list) shown.push(await showFile(store, query, dialectOf(place), schema));
    return shown;
  } finally {
    await store.close();
  }
}

/** Takes the line out. @throws VitrineError write_failed */
export function confirmFile(folder: string, name: string): void {
  const path = join(folder, name);
  const text = confirmed(readFileSync(path, "utf8"));
  if (text !== null) replaceFile(path, text);
}
