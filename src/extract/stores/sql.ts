/** What all adapters make of a file's SQL, and of the rows that it gives. */
import type { AllowListQuery } from "../allow-list.ts";
import { BATCH_ROWS, type RowsBy, type RowText } from "../store.ts";

/** Characters of a batch, after which it is given as it is: memory is bounded by a row's size, not by its batch's. */
const BATCH_CHARACTERS = 500_000;

/** A name as SQL says it, whatever stands in it. */
export function quoteName(name: string, kind: "sqlite" | "postgres" | "mysql"): string {
  const mark = kind === "mysql" ? "`" : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}

/** A text as SQL of SQLite and PostgreSQL says it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The file as a source of rows: only a SELECT can stand there. */
export function sourceOf({ sql }: AllowListQuery): string {
  return `(\n${sql}\n) AS file`;
}

/** More rows than these are read with all others: a statement has a greatest length. */
const MOST_IDS = 20_000;

/** Expressions of a source, in order of id where it has one. */
export function selectOf(
  source: string,
  columns: readonly string[],
  expressions: readonly string[],
  wanted?: RowsBy,
): string {
  const isAll = wanted === undefined || wanted.ids.length > MOST_IDS;
  const rows = isAll ? "" : ` WHERE ${wanted.column} IN (${wanted.ids.join(", ")})`;
  const order = columns.includes("id") ? " ORDER BY id" : "";
  return `SELECT ${expressions.join(", ")} FROM ${source}${rows}${order}`;
}

/** Gathers rows into batches. */
export class Batcher {
  #rows: RowText[] = [];
  #characters = 0;

  /** A batch that the row makes full. */
  add(row: RowText): readonly RowText[] | null {
    this.#rows.push(row);
    this.#characters += row.text.length;
    return this.#rows.length < BATCH_ROWS && this.#characters < BATCH_CHARACTERS ? null : this.take();
  }

  /** What there is of the next. */
  take(): readonly RowText[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return rows;
  }
}
