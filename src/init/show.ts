/** What files of the allow-list give, for a person to look at: private until somebody has confirmed it. */
import type { AllowListQuery } from "../extract/allow-list.ts";
import { type StoreReader, type StoreValue, valuesOf } from "../extract/store.ts";
import { quoteName } from "../extract/stores/sql.ts";
import { ask, type Dialect } from "./schema.ts";

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

async function countOf(store: StoreReader, source: string): Promise<number> {
  const [[amount] = []] = await ask(store, `SELECT COUNT(*) AS amount FROM ${source}`, ["amount"]);
  return Number(amount);
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
): Promise<ShownFile> {
  const query = { ...given, columns: await store.columns(given) };
  const names = new Set((await store.origins(query)).flatMap(({ of }) => (of === null ? [] : [of.table])));
  const tables: { name: string; rows: number }[] = [];
  for (const name of names) tables.push({ name, rows: await countOf(store, quoteName(name, dialect)) });
  const rows = await countOf(store, `(\n${query.sql}\n) AS counted`);
  return { file: query.file, rows, tables, samples: await firstRows(store, query) };
}
