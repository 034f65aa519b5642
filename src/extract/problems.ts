/** What is wrong with the rows of the allow-list, gathered so that all of it is told at once. */

import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";

const IDS_SHOWN = 3;
const GROUPS_SHOWN = 20;

export interface RowProblem {
  /** Allow-list file, for example `products.sql`. */
  readonly file: string;
  /** Place of the row among those of its file: two rows may have one id. */
  readonly ordinal: number;
  /** Id of the row as the store gives it. */
  readonly id: string;
  /** The id where it is one that a row can be remembered by. */
  readonly row: number | null;
  /** What becomes of it; a row that has no id, or whose file can't do without it, is `refused`: nothing is built. */
  readonly outcome: "emptied" | "left out" | "refused";
  readonly column: string;
  /** What all rows with this problem have in common: `must be a whole number from 0`. */
  readonly problem: string;
  /** What this row has instead; null where there is nothing to show. */
  readonly example: string | null;
}

/** Rows that come in order, each counted once. */
class RowCount {
  #last = 0;
  rows = 0;

  /** False where the row was the last one counted. */
  add(ordinal: number): boolean {
    if (this.rows > 0 && ordinal === this.#last) return false;
    this.#last = ordinal;
    this.rows += 1;
    return true;
  }
}

/** Rows of a file that have the same problem in the same column. */
class Group extends RowCount {
  readonly first: RowProblem;
  readonly #ids: string[] = [];

  constructor(first: RowProblem) {
    super();
    this.first = first;
  }

  addProblem({ ordinal, id }: RowProblem): void {
    if (this.add(ordinal) && this.#ids.length < IDS_SHOWN) this.#ids.push(id);
  }

  /** `slug must be a slug: 69 rows, ids 12, 13, 14, …; id 12 has "No Slug!"` */
  describe(): string {
    const { column, problem, id, example } = this.first;
    const ids = this.#ids.join(", ") + (this.rows > IDS_SHOWN ? ", …" : "");
    const who = this.rows === 1 ? `1 row, id ${ids}` : `${formatCount(this.rows)} rows, ids ${ids}`;
    return `${column} ${problem}: ${who}${example === null ? "" : `; id ${id} has ${example}`}`;
  }
}

interface FileProblems {
  readonly count: RowCount;
  readonly groups: Map<string, Group>;
  /** Why nothing may be built: `more than the 3 of 300 that may be left out`, or nothing to add; null where it may. */
  refused: string | null;
}

/** What is required and wrong. */
export class Problems {
  readonly #byFile = new Map<string, FileProblems>();

  add(problem: RowProblem): void {
    const { file, column, outcome } = problem;
    if (outcome === "emptied") return;
    const known = this.#byFile.get(file) ?? { count: new RowCount(), groups: new Map(), refused: null };
    this.#byFile.set(file, known);
    if (outcome === "refused") known.refused ??= "";
    known.count.add(problem.ordinal);
    const key = `${column} ${problem.problem}`;
    const group = known.groups.get(key) ?? new Group(problem);
    known.groups.set(key, group);
    group.addProblem(problem);
  }

  /** Nothing may be built of a file's rows, also where each of them might be left out. */
  refuse(file: string, why: string): void {
    const known = this.#byFile.get(file);
    if (known !== undefined) known.refused ||= why;
  }

  /** True where nothing may be built. */
  get areRefused(): boolean {
    return [...this.#byFile.values()].some(({ refused }) => refused !== null);
  }

  /** @throws VitrineError rows_invalid: for each file how many rows are wrong, and for each problem whose they are */
  throwIfRefused(): void {
    if (!this.areRefused) return;
    const lines: string[] = [];
    for (const [file, { count, groups, refused }] of this.#byFile) {
      const are = count.rows === 1 ? "row is" : "rows are";
      lines.push(`${file}: ${formatCount(count.rows)} ${are} wrong${refused ? `, ${refused}` : ""}`);
      const all = [...groups.values()];
      for (const group of all.slice(0, GROUPS_SHOWN)) lines.push(`  ${group.describe()}`);
      if (all.length > GROUPS_SHOWN) lines.push(`  … and ${all.length - GROUPS_SHOWN} more problems`);
    }
    lines.push("Mend these rows in the store, or leave them out in the SQL. Nothing was written.");
    throw new VitrineError("rows_invalid", lines.join("\n"));
  }
}
