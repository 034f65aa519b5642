/** The reports of making a row, as they are remembered with it: the report of a build counts unchanged rows, too. */
import type { SummaryCounts, SummaryTerms } from "./extract-report.ts";
import type { Problems, RowProblem } from "./problems.ts";
import type { RowMemory } from "./row-memory.ts";

/** The summary's terms, and problems without what the row itself says. */
type Note = readonly [
  SummaryTerms,
  readonly Omit<RowProblem, "file" | "ordinal" | "id" | "row" | "example">[],
];

/** Many rows have the same note; "" if there is nothing to report. `terms`: null for a record that the summary does not count. */
export function noteOf(terms: SummaryTerms | null, problems: readonly RowProblem[]): string {
  if (terms === null && problems.length === 0) return "";
  const kept = problems.map(({ outcome, column, problem, times = 1 }) => ({
    outcome,
    column,
    problem,
    times,
  }));
  return JSON.stringify([terms ?? [], kept] satisfies Note);
}

/** Adds the reports of all rows that are in the catalog now, made in this build or before. */
export function reportNotes(
  file: string,
  memory: RowMemory,
  to: { readonly counts: SummaryCounts; readonly problems: Problems },
): void {
  const notes = new Map(
    memory.notes.flatMap((note) => (note === "" ? [] : [[note, JSON.parse(note) as Note]])),
  );
  for (const [number, count] of memory.countNotes().entries()) {
    const [terms = []] = notes.get(memory.notes[number] ?? "") ?? [];
    to.counts.count(terms, count);
  }
  const wrong = new Set([...notes].flatMap(([note, [, problems]]) => (problems.length > 0 ? [note] : [])));
  for (const [row, note] of memory.withNotes(wrong))
    for (const problem of notes.get(note)?.[1] ?? [])
      to.problems.add({ ...problem, file, ordinal: 0, id: String(row), row, example: null });
}
