/**
 * What is wrong in the rows of a store as they stand: which values are empty instead, and which rows make no record. It is
 * remembered from build to build, so that a build of what changed counts as one of everything does.
 */
import { compareText } from "../base/text.ts";
import type { RowProblem } from "./problems.ts";

const IDS_NAMED = 3;

/** What became of a wrong value: it is empty, or its row makes no record. */
type Outcome = "emptied" | "left out";

/** A value that is wrong in some rows, and what became of it. Ids alone: the values may be what nobody should read. */
export interface WrongValue {
  /** Allow-list file: `reviews.sql`. */
  readonly file: string;
  readonly column: string;
  /** `must be a whole number from 1 to 5` */
  readonly problem: string;
  readonly outcome: Outcome;
  readonly rows: number;
  /** The first three of these rows, by id; none of a file whose rows have none. */
  readonly ids: readonly number[];
}

/** Rows of one file with the same problem in the same column, as they are remembered. */
type Group = Omit<WrongValue, "rows" | "ids"> & { readonly rows: Set<number> };
type StoredGroup = Omit<Group, "rows"> & { readonly rows: readonly number[] };

/** Stands for the one row of a file that gives no ids; ids are whole numbers. */
const NO_ID = 0.5;

export class WrongRows {
  readonly #files = new Map<string, Map<string, Group>>();

  /** @param stored what {@link stored} gave */
  constructor(stored = "[]") {
    for (const group of JSON.parse(stored) as StoredGroup[])
      this.#groups(group.file).set(keyOf(group), { ...group, rows: new Set(group.rows) });
  }

  #groups(file: string): Map<string, Group> {
    const known = this.#files.get(file) ?? new Map();
    this.#files.set(file, known);
    return known;
  }

  /** A row is about to be made anew, or is gone. `id`: null where its file's rows have none. */
  forget(file: string, id: number | null): void {
    const groups = this.#files.get(file);
    for (const [key, { rows }] of groups ?? [])
      if (rows.delete(id ?? NO_ID) && rows.size === 0) groups?.delete(key);
  }

  add({ file, column, problem, outcome, row }: RowProblem): void {
    if (outcome === "refused") return;
    const groups = this.#groups(file);
    const fresh: Group = { file, column, problem, outcome, rows: new Set() };
    const group = groups.get(keyOf(fresh)) ?? fresh;
    groups.set(keyOf(fresh), group);
    group.rows.add(row ?? NO_ID);
  }

  /** Rows of a file that make no record. */
  leftOut(file: string): ReadonlySet<number> {
    const groups = [...(this.#files.get(file)?.values() ?? [])];
    return new Set(groups.flatMap(({ outcome, rows }) => (outcome === "left out" ? [...rows] : [])));
  }

  #all(): StoredGroup[] {
    const groups = [...this.#files.values()].flatMap((file) => [...file.values()]);
    return groups
      .map((group) => ({ ...group, rows: [...group.rows].sort((a, b) => a - b) }))
      .sort((a, b) => compareText(a.file, b.file) || compareText(keyOf(a), keyOf(b)));
  }

  report(): WrongValue[] {
    return this.#all().map(({ rows, ...what }) => ({
      ...what,
      rows: rows.length,
      ids: rows.filter((id) => id !== NO_ID).slice(0, IDS_NAMED),
    }));
  }

  /** All that is to be remembered. */
  stored(): string {
    return JSON.stringify(this.#all());
  }
}

function keyOf({ outcome, column, problem }: Pick<Group, "outcome" | "column" | "problem">): string {
  return `${outcome} ${column} ${problem}`;
}

/** How many rows of a file may be left out: a share of them, rounded up, but never all. */
export function mostLeftOut(rows: number, share: number): number {
  // A share of 0.07 of 100 rows is 7, not the 8 that binary fractions round up to.
  return Math.max(0, Math.min(rows - 1, Math.ceil(Number((rows * share).toFixed(6)))));
}
