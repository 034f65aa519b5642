/** How all adapters build statements from a file's SQL, and quote names. */
import type { AllowListQuery } from "../extract/allow-list.ts";

/** A quoted name, whatever characters it has. */
export function quoteName(name: string, kind: "sqlite" | "postgres" | "mysql"): string {
  const mark = kind === "mysql" ? "`" : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}

/** The file as a source of rows: this form accepts only a SELECT. */
export function sourceOf({ sql }: AllowListQuery): string {
  return `(\n${sql}\n) AS file`;
}

/** For more ids, all rows are read instead: the length of a statement is limited. */
const MAX_IDS = 20_000;

/** Expressions of a source, in order of id if it has one. */
export function selectOf(
  source: string,
  columns: readonly string[],
  expressions: readonly string[],
  ids?: readonly number[],
): string {
  const isAll = ids === undefined || ids.length > MAX_IDS;
  const rows = isAll ? "" : ` WHERE id IN (${ids.join(", ")})`;
  const order = columns.includes("id") ? " ORDER BY id" : "";
  return `SELECT ${expressions.join(", ")} FROM ${source}${rows}${order}`;
}
