/** What columns of a store hold: asked of the database in statements that only read, each bounded in what it gives. */
import { isBlob, type StoreReader, type StoreValue } from "../extract/store.ts";
import { ask, type Column, type Dialect } from "./schema.ts";

/** More values than these no person chooses from. */
const MOST_VALUES = 8;
const SAMPLE_ROWS = 200;
/** Tables are compared by their rows up to this many. */
const MOST_COUNTED = 100_000;

/** A value of a column, with how many rows have it. */
export interface Counted {
  readonly value: string | number | null;
  readonly rows: number;
}

/** How a column spells moments: as the database's own type, as ISO 8601 text in UTC, or as seconds or milliseconds of Unix. */
export type MomentForm = "time" | "text" | "seconds" | "milliseconds";

export interface Held {
  readonly rows: number;
  /** Rows that have NULL, an empty text or 0 there. */
  readonly nulls: number;
  readonly blanks: number;
  readonly zeros: number;
  /** The most frequent first; null where there are more than a person could choose from. */
  readonly values: readonly Counted[] | null;
  /** True where all that is not NULL is text. */
  readonly isText: boolean;
  /** What all that is not empty is a moment in; null where it is none. */
  readonly moments: MomentForm | null;
}

/** 1990-01-01 and 9999-12-31: as milliseconds the first is later than the second is as seconds. */
const [FIRST_SECOND, LAST_SECOND] = [631_152_000, 253_402_300_799];

const ISO = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?Z?)?)?$";

/** True for a text that is a moment, as each database can say it. In SQLite anything that its `datetime` understands. */
const IS_MOMENT: Readonly<Record<Dialect, (column: string) => string>> = {
  sqlite: (column) => `${column} GLOB '[0-9][0-9][0-9][0-9]-[0-9]*' AND datetime(${column}) IS NOT NULL`,
  mysql: (column) => `${column} REGEXP '${ISO}'`,
  postgres: (column) => `${column} ~ '${ISO}'`,
};

function sumOf(condition: string): string {
  return `COALESCE(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
}

/** `isText` is of the type, and in SQLite, where any column may hold anything, of the values. */
async function readShape(
  store: StoreReader,
  source: string,
  column: string,
  kind: Column["kind"],
  dialect: Dialect,
) {
  const [mayBeText, mayBeNumber] = dialect === "sqlite" ? [true, true] : [kind === "text", kind === "number"];
  const isText = dialect === "sqlite" ? `typeof(${column}) = 'text'` : mayBeText ? "1 = 1" : "1 = 0";
  const isNumber =
    dialect === "sqlite" ? `typeof(${column}) IN ('integer', 'real')` : mayBeNumber ? "1 = 1" : "1 = 0";
  const isSecond = (factor: number) =>
    mayBeNumber ? `${column} BETWEEN ${FIRST_SECOND * factor} AND ${LAST_SECOND * factor}` : "1 = 0";
  const sums = [
    `${column} IS NULL`,
    mayBeText ? `${isText} AND ${column} = ''` : "1 = 0",
    mayBeNumber ? `${isNumber} AND ${column} = 0` : "1 = 0",
    `${column} IS NOT NULL AND ${isText}`,
    mayBeText ? `${isText} AND ${column} <> '' AND ${IS_MOMENT[dialect](column)}` : "1 = 0",
    `${isNumber} AND ${isSecond(1)}`,
    `${isNumber} AND ${isSecond(1000)}`,
  ];
  const expressions = sums.map((sum, at) => `${sumOf(sum)} AS c${at}`);
  const names = ["amount", ...sums.map((_, at) => `c${at}`)];
  const sql = `SELECT COUNT(*) AS amount, ${expressions.join(", ")} FROM ${source}`;
  const [row = []] = await ask(store, sql, names);
  const [rows = 0, nulls = 0, blanks = 0, zeros = 0, texts = 0, iso = 0, seconds = 0, milliseconds = 0] =
    row.map(Number);
  const filled = rows - nulls - blanks - zeros;
  const forms: readonly (readonly [MomentForm, number])[] = [
    ["text", iso],
    ["seconds", seconds],
    ["milliseconds", milliseconds],
  ];
  const spelt = filled === 0 ? undefined : forms.find(([, count]) => count === filled)?.[0];
  const moments = dialect !== "sqlite" && kind === "time" ? "time" : (spelt ?? null);
  return {
    rows,
    nulls,
    blanks,
    zeros,
    moments,
    isText: texts === rows - nulls && (rows > nulls || mayBeText),
  };
}

/** What a column holds, in all rows of its table. @param source,quoted as the SQL names them @throws VitrineError store_unreadable */
export async function readHeld(
  store: StoreReader,
  source: string,
  quoted: string,
  { kind, type }: Pick<Column, "kind" | "type">,
  dialect: Dialect,
): Promise<Held> {
  // Not all of PostgreSQL's types can be compared, and an enum's only with its labels.
  const isCast = dialect === "postgres" && (kind === "any" || type === "enum");
  const column = isCast ? `CAST(${quoted} AS TEXT)` : quoted;
  const counting = `SELECT ${column} AS held, COUNT(*) AS amount FROM ${source} GROUP BY ${column}`;
  const most = `ORDER BY COUNT(*) DESC, ${column} LIMIT ${MOST_VALUES + 1}`;
  const rows = await ask(store, `${counting} ${most}`, ["held", "amount"]);
  const counted = rows.flatMap(([value = null, amount]) =>
    isBlob(value) ? [] : [{ value, rows: Number(amount) }],
  );
  const isListed = rows.length <= MOST_VALUES && counted.length === rows.length;
  const shape = await readShape(store, source, column, kind, dialect);
  return { ...shape, values: isListed ? counted : null };
}

/** How many rows of a source there are; of a condition, for which the source is `t`. @throws VitrineError store_unreadable */
export async function countRows(store: StoreReader, source: string, condition = "1 = 1"): Promise<number> {
  const sql = `SELECT COUNT(*) AS amount FROM ${source} AS t WHERE ${condition}`;
  const [[amount] = []] = await ask(store, sql, ["amount"]);
  return Number(amount);
}

export interface Sample {
  /** Of the table, {@link MOST_COUNTED} at most. */
  readonly rows: number;
  /** Values of the first rows, by column. */
  readonly values: ReadonlyMap<string, readonly StoreValue[]>;
}

/** @param columns as the SQL names them @throws VitrineError store_unreadable */
export async function readSample(
  store: StoreReader,
  source: string,
  columns: ReadonlyMap<string, string>,
): Promise<Sample> {
  const some = `(SELECT 1 AS one FROM ${source} LIMIT ${MOST_COUNTED})`;
  const rows = await countRows(store, some);
  const names = [...columns.keys()];
  const places = names.map((_, at) => `c${at}`);
  const list = names.map((name, at) => `${columns.get(name)} AS c${at}`);
  const sampled =
    names.length === 0
      ? []
      : await ask(store, `SELECT ${list.join(", ")} FROM ${source} LIMIT ${SAMPLE_ROWS}`, places);
  const values = names.map((name, at) => [name, sampled.map((row) => row[at] ?? null)] as const);
  return { rows, values: new Map(values) };
}
