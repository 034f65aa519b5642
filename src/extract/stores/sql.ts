/** What all adapters make of a file's SQL, and of the rows that it gives. */
import type { AllowListQuery } from "../allow-list.ts";
import type { IdRange } from "../id-ranges.ts";
import { BATCH_ROWS, type RowText } from "../store.ts";

/** Characters of a batch, after which it is given as it is: memory is bounded by a row's size, not by its batch's. */
const BATCH_CHARACTERS = 500_000;

/** The file as a source of rows: only a SELECT can stand there. */
export function sourceOf({ sql }: AllowListQuery): string {
  return `(\n${sql}\n) AS file`;
}

function conditionOf([first, last]: IdRange): string {
  if (first === last) return `id = ${first}`;
  const ends = [
    Number.isFinite(first) ? `id >= ${first}` : null,
    Number.isFinite(last) ? `id <= ${last}` : null,
  ].filter((end) => end !== null);
  return ends.length === 0 ? "TRUE" : `(${ends.join(" AND ")})`;
}

/** Expressions of a source, in order of id where it has one; `ids`: of rows with these only. */
export function selectOf(
  source: string,
  columns: readonly string[],
  expressions: readonly string[],
  ids?: readonly IdRange[],
): string {
  const rows = ids === undefined ? "" : ` WHERE ${ids.map(conditionOf).join(" OR ")}`;
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
