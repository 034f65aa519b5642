/** Records as text: CSV (RFC 4180) and NDJSON. */
import type { Json } from "../base/json.ts";
import { type Cell, type Column, cellOf } from "./columns.ts";

/**
 * Where a spreadsheet would find a formula, which could then send away what stands beside it: OWASP's list, and what is
 * drawn like it in East Asian widths. A spreadsheet that splits by semicolons or tabs, as Excel does in much of Europe, takes
 * no notice of quotes between commas: for it a cell begins after each separator and each line break within the text.
 */
const FORMULA = /(?<=^|[;,\t|\r\n])(?=[ \u00a0"]{0,40}[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** A value between commas. What a spreadsheet would run begins with an apostrophe, as it does when typed there. */
export function formatCell(value: Cell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const safe = value.replace(FORMULA, "'");
  return safe !== value || /[",;\t|\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function formatRow(cells: readonly Cell[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

export function* csvLines(records: Iterable<Json>, columns: readonly Column[]): Generator<string> {
  yield formatRow(columns.map(({ name }) => name));
  for (const json of records) {
    const record: unknown = JSON.parse(json);
    yield formatRow(columns.map((column) => cellOf(record, column)));
  }
}

/** The records as the API answers with them, one a line. */
export function* ndjsonLines(records: Iterable<Json>): Generator<string> {
  for (const json of records) yield `${json}\n`;
}
