/**
 * The problems in a store's rows: which values were emptied, which rows make no record, and why the build is refused. They
 * are collected from all rows in every build: the problems of an unchanged row are remembered with it.
 */
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import { compareText } from "../base/text.ts";

const IDS_SHOWN = 3;
const GROUPS_SHOWN = 20;

export interface RowProblem {
  /** Allow-list file, for example `products.sql`. */
  readonly file: string;
  /** Number of the row within its file: two rows may have the same id. */
  readonly ordinal: number;
  /** Id of the row as the store has it. */
  readonly id: string;
  /** The id, if a row can be remembered by it. */
  readonly row: number | null;
  /**
   * The consequence: a value that is `kept` is only reported; a row without an id, or one that its file needs, is `refused`, and
   * nothing is built. A text that is `shortened` is not wrong: a part of it is not public.
   */
  readonly outcome: "kept" | "emptied" | "left out" | "refused" | "shortened";
  readonly column: string;
  /** The words that all rows with this problem share: `must be a whole number from 0`. */
  readonly problem: string;
  /** The row's value; null if there is nothing to show. */
  readonly example: string | null;
  /** How often the row has the problem. Default: once. */
  readonly times?: number;
}

/** A kind of content that was left out of public texts. */
export interface ShortenedTexts {
  /** `block restrict-content-pro/restrict`: the name comes from the text, so it is not to be trusted. */
  readonly what: string;
  readonly count: number;
  /** In how many rows, by allow-list file. */
  readonly rows: Readonly<Record<string, number>>;
}

/** A value that is wrong in some rows, and the consequence. Only ids: the values themselves may be private. */
export interface WrongValue {
  /** Allow-list file: `reviews.sql`. */
  readonly file: string;
  readonly column: string;
  /** `must be a whole number from 1 to 5` */
  readonly problem: string;
  readonly outcome: "kept" | "emptied" | "left out";
  readonly rows: number;
  /** The first three of these rows, by id; empty for a file without ids. */
  readonly ids: readonly number[];
}

type ProblemKind = Pick<RowProblem, "file" | "column" | "problem" | "outcome">;

/** A group as it is reported: its rows in order, and how often they have the problem in all. */
interface SortedGroup extends Omit<WrongValue, "rows" | "ids" | "outcome"> {
  readonly outcome: "kept" | "emptied" | "left out" | "shortened";
  readonly rows: readonly number[];
  readonly times: number;
}

/** Rows of one file with the same problem in the same column. */
interface ProblemGroup extends ProblemKind {
  /** How often each row has it. */
  readonly rows: Map<number, number>;
  /** Ids of the first rows with it, and the first one's value; null for a remembered row. */
  readonly ids: string[];
  example: string | null;
}

interface FileProblems {
  readonly groups: Map<string, ProblemGroup>;
  /** Why nothing may be built: `more than the 3 of 300 that may be left out`, or "" for no more words; null if it may. */
  refused: string | null;
}

/** The key for the only row of a file without ids; ids are whole numbers. Other rows without an id are identified by their number. */
const NO_ID = 0.5;

function problemKey({ outcome, column, problem }: ProblemKind): string {
  return `${outcome} ${column} ${problem}`;
}

export class Problems {
  readonly #files = new Map<string, FileProblems>();

  #group(kind: ProblemKind): ProblemGroup {
    const file = this.#files.get(kind.file) ?? { groups: new Map<string, ProblemGroup>(), refused: null };
    this.#files.set(kind.file, file);
    const { column, problem, outcome } = kind;
    const fresh = {
      file: kind.file,
      column,
      problem,
      outcome,
      rows: new Map<number, number>(),
      ids: [],
      example: null,
    };
    const group = file.groups.get(problemKey(kind)) ?? fresh;
    file.groups.set(problemKey(kind), group);
    return group;
  }

  add(problem: RowProblem): void {
    const { file, outcome, row, id, ordinal, example } = problem;
    const group = this.#group(problem);
    const key = row ?? (outcome === "refused" ? -ordinal : NO_ID);
    if (group.ids.length === 0) group.example = example;
    if (!group.rows.has(key) && group.ids.length < IDS_SHOWN) group.ids.push(id);
    group.rows.set(key, problem.times ?? 1);
    if (outcome === "refused") this.refuse(file, "");
  }

  /** Rows of a file that make no record. */
  leftOut(file: string): ReadonlySet<number> {
    const groups = [...(this.#files.get(file)?.groups.values() ?? [])];
    return new Set(groups.flatMap(({ outcome, rows }) => (outcome === "left out" ? [...rows.keys()] : [])));
  }

  /** Refuses to build from a file's rows, even if each of them might be left out. */
  refuse(file: string, why: string): void {
    const known = this.#files.get(file);
    if (known !== undefined) known.refused = known.refused || why;
  }

  /** True if nothing may be built. */
  get isRefused(): boolean {
    return [...this.#files.values()].some(({ refused }) => refused !== null);
  }

  /** @throws VitrineError rows_invalid: how many rows of each file are wrong, and for each problem the ids */
  throwIfRefused(): void {
    if (!this.isRefused) return;
    const lines: string[] = [];
    for (const [file, { groups, refused }] of this.#files) {
      const all = [...groups.values()].filter(
        ({ outcome }) => outcome === "left out" || outcome === "refused",
      );
      if (all.length === 0) continue;
      const { size } = new Set(all.flatMap(({ rows }) => [...rows.keys()]));
      const are = size === 1 ? "row is" : "rows are";
      lines.push(`${file}: ${formatCount(size)} ${are} wrong${refused ? `, ${refused}` : ""}`);
      for (const group of all.slice(0, GROUPS_SHOWN)) lines.push(`  ${describe(group)}`);
      if (all.length > GROUPS_SHOWN) lines.push(`  … and ${all.length - GROUPS_SHOWN} more problems`);
    }
    lines.push("Correct these rows in the store, or the SQL that reads them. Nothing was written.");
    throw new VitrineError("rows_invalid", lines.join("\n"));
  }

  /** All groups except refused ones, in order of file. */
  #sorted(): SortedGroup[] {
    const groups = [...this.#files.values()].flatMap((file) => [...file.groups.values()]);
    return groups
      .flatMap(({ file, column, problem, outcome, rows }): SortedGroup[] => {
        if (outcome === "refused") return [];
        const times = [...rows.values()].reduce((sum, each) => sum + each, 0);
        return [{ file, column, problem, outcome, rows: [...rows.keys()].sort((a, b) => a - b), times }];
      })
      .sort((a, b) => compareText(a.file, b.file) || compareText(problemKey(a), problemKey(b)));
  }

  report(): WrongValue[] {
    return this.#sorted().flatMap(({ file, column, problem, outcome, rows }) => {
      if (outcome === "shortened") return [];
      const ids = rows.filter((id) => id !== NO_ID).slice(0, IDS_SHOWN);
      return [{ file, column, problem, outcome, rows: rows.length, ids }];
    });
  }

  /** What was left out of texts, the most frequent first. */
  shortened(): ShortenedTexts[] {
    const found = new Map<string, { count: number; rows: Map<string, Set<number>> }>();
    for (const { file, problem, outcome, rows, times } of this.#sorted()) {
      if (outcome !== "shortened") continue;
      const known = found.get(problem) ?? { count: 0, rows: new Map<string, Set<number>>() };
      found.set(problem, known);
      known.count += times;
      known.rows.set(file, new Set([...(known.rows.get(file) ?? []), ...rows]));
    }
    return [...found]
      .map(([what, { count, rows }]) => ({
        what,
        count,
        rows: Object.fromEntries([...rows].map(([file, { size }]) => [file, size])),
      }))
      .sort((a, b) => b.count - a.count || compareText(a.what, b.what));
  }
}

/** `slug must be a slug: 69 rows, ids 12, 13, 14, …; id 12 has "No Slug!"` */
function describe({ column, problem, example, ids, rows: { size } }: ProblemGroup): string {
  const shown = ids.join(", ") + (size > IDS_SHOWN ? ", …" : "");
  const who = size === 1 ? `1 row, id ${shown}` : `${formatCount(size)} rows, ids ${shown}`;
  return `${column} ${problem}: ${who}${example === null ? "" : `; id ${ids[0]} has ${example}`}`;
}

/** How many rows of a file may be left out: a share of them, rounded up, but never all. */
export function maxLeftOutRows(rows: number, share: number): number {
  // A share of 0.07 of 100 rows is 7, not the 8 that binary fractions round up to.
  return Math.max(0, Math.min(rows - 1, Math.ceil(Number((rows * share).toFixed(6)))));
}
