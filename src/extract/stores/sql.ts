/** What all adapters make of a file's SQL, and of the rows that it gives. */
import type { AllowListQuery } from "../allow-list.ts";
import type { IdRange, RowsBy } from "../id-ranges.ts";
import { BATCH_ROWS, type RowText } from "../store.ts";

/** Characters of a batch, after which it is given as it is: memory is bounded by a row's size, not by its batch's. */
const BATCH_CHARACTERS = 500_000;

/** A name as SQL says it, whatever stands in it. */
export function quoteName(name: string, kind: "sqlite" | "postgres" | "mysql"): string {
  const mark = kind === "mysql" ? "`" : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}

/** The file as a source of rows: only a SELECT can stand there. */
export function sourceOf({ sql }: AllowListQuery): string {
  return `(\n${sql}\n) AS file`;
}

function conditionOf(column: string, [first, last]: IdRange): string {
  if (first === last) return `${column} = ${first}`;
  const ends = [
    Number.isFinite(first) ? `${column} >= ${first}` : null,
    Number.isFinite(last) ? `${column} <= ${last}` : null,
  ].filter((end) => end !== null);
  return ends.length === 0 ? "TRUE" : `(${ends.join(" AND ")})`;
}

/** Expressions of a source, in order of id where it has one. */
export function selectOf(
  source: string,
  columns: readonly string[],
  expressions: readonly string[],
  wanted?: RowsBy,
): string {
  const rows =
    wanted === undefined
      ? ""
      : ` WHERE ${wanted.ranges.map((range) => conditionOf(wanted.column, range)).join(" OR ")}`;
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
