/** A list of the catalog as CSV, for spreadsheets and analysis; public content only. */
import { RECORDS } from "../../api/records.ts";
import type { Json } from "../../base/json.ts";

type Cell = string | number | boolean | null;

/** The parts of a JSON Schema that are used here. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

function columnsIn(schema: Schema, path: readonly string[]): string[] {
  // A nullable field has the columns of its other type.
  const { properties } = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  if (properties === undefined || path.length === 2) return [path.join(".")];
  return Object.entries(properties).flatMap(([name, inner]) => columnsIn(inner, [...path, name]));
}

/**
 * The columns of the records that an endpoint lists, in the order of their fields: objects one level down become columns, like
 * `pricing.sale`; lists stay JSON.
 */
export function csvColumns(endpoint: string): string[] {
  const record = RECORDS.find((candidate) => candidate.endpoint === endpoint);
  return record === undefined ? [] : columnsIn(record.list as Schema, []);
}

/** A record's value in a column. */
function cellAt(record: unknown, path: readonly string[]): Cell {
  let value: unknown = record;
  for (const name of path) value = (value as Record<string, unknown> | null)?.[name] ?? null;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
}

/**
 * Places where a spreadsheet would see a formula, which could send away the cells beside it: OWASP's list, and the full-width forms of
 * its characters. A spreadsheet that splits at semicolons or tabs, as Excel does in much of Europe, ignores the quotes: for it a new
 * cell begins after each separator and each line break within the text.
 */
const FORMULA = /(?<=^|[;,\t|\r\n])(?=[ \u00a0"]{0,40}[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** A value between commas. An apostrophe is put before what a spreadsheet would run, as one does when typing it there. */
export function formatCell(value: Cell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const safe = value.replace(FORMULA, "'");
  return safe !== value || /[",;\t|\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function formatRow(cells: readonly Cell[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

/** `unknownIn`: the columns of a record whose value is unknown; their cells are empty. */
export function* csvLines(
  records: Iterable<Json>,
  columns: readonly string[],
  unknownIn: (record: never) => readonly string[] = () => [],
): Generator<string> {
  yield formatRow(columns);
  const paths = columns.map((name) => name.split("."));
  for (const json of records) {
    const record = JSON.parse(json) as never;
    const unknown = unknownIn(record);
    const cells = paths.map((path) => cellAt(record, path));
    yield formatRow(
      unknown.length === 0
        ? cells
        : cells.map((cell, at) => (unknown.includes(columns[at] ?? "") ? null : cell)),
    );
  }
}
