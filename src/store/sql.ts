/** What all adapters make of a file's SQL, and of names in SQL. */
import type { AllowListQuery } from "../extract/allow-list.ts";

/** A name as SQL says it, whatever stands in it. */
export function quoteName(name: string, kind: "sqlite" | "postgres" | "mysql"): string {
  const mark = kind === "mysql" ? "`" : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
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
  ids?: readonly number[],
): string {
  const isAll = ids === undefined || ids.length > MOST_IDS;
  const rows = isAll ? "" : ` WHERE id IN (${ids.join(", ")})`;
  const order = columns.includes("id") ? " ORDER BY id" : "";
  return `SELECT ${expressions.join(", ")} FROM ${source}${rows}${order}`;
}
