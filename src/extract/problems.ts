/** What is wrong with the rows of the allow-list, gathered so that all of it is told at once. */
import { VitrineError } from "../base/error.ts";

const SHOWN = 20;

export interface RowProblem {
  /** Allow-list file, for example `products.sql`. */
  readonly file: string;
  /** Id of the row as the store gives it. */
  readonly row: string;
  readonly column: string;
  readonly message: string;
}

export class Problems {
  readonly #byFile = new Map<string, { count: number; rows: Set<string>; shown: RowProblem[] }>();

  add(problem: RowProblem): void {
    const known = this.#byFile.get(problem.file) ?? { count: 0, rows: new Set<string>(), shown: [] };
    this.#byFile.set(problem.file, known);
    known.count += 1;
    if (known.rows.size < SHOWN || known.rows.has(problem.row)) known.shown.push(problem);
    known.rows.add(problem.row);
  }

  /** @throws VitrineError rows_invalid, with the first 20 bad rows of each file and the count of all */
  throwIfAny(): void {
    if (this.#byFile.size === 0) return;
    const lines: string[] = [];
    for (const [file, { rows, shown }] of this.#byFile) {
      lines.push(`${file}: ${rows.size} ${rows.size === 1 ? "row is" : "rows are"} wrong`);
      for (const { row, column, message } of shown) lines.push(`  id ${row}, ${column}: ${message}`);
      if (rows.size > SHOWN) lines.push(`  … and ${rows.size - SHOWN} more rows`);
    }
    lines.push("Mend these rows in the store, or leave them out in the SQL. Nothing was written.");
    throw new VitrineError("rows_invalid", lines.join("\n"));
  }
}
