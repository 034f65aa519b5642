/** A list of the catalog as a table, for spreadsheets and analysis: what is public, and nothing else. */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { RECORDS } from "../api/records.ts";
import { systemCodeOf } from "../base/error.ts";
import type { Json } from "../base/json.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { RESOURCES } from "../catalog/resources.ts";

type ExportCell = string | number | boolean | null;

/** What a column holds, and what Parquet calls that: of JSON numbers, what is beyond 53 bits never was exact. */
const TYPES = {
  text: "STRING",
  json: "STRING",
  integer: "INT64",
  number: "DOUBLE",
  boolean: "BOOLEAN",
} as const satisfies Readonly<Record<string, BasicType>>;
type ExportKind = keyof typeof TYPES;

export interface ExportColumn {
  /** `pricing.sale` */
  readonly name: string;
  readonly kind: ExportKind;
  readonly path: readonly string[];
}

/** What is read of a JSON Schema here. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

const KINDS: Readonly<Record<string, ExportKind>> = {
  integer: "integer",
  number: "number",
  boolean: "boolean",
  string: "text",
};

/** What may be null is what it is besides. */
function plainSchema(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
}

function columnsIn(schema: Schema, path: readonly string[]): ExportColumn[] {
  const plain = plainSchema(schema);
  if (plain.properties !== undefined && path.length < 2)
    return Object.entries(plain.properties).flatMap(([name, inner]) => columnsIn(inner, [...path, name]));
  // A choice of words has no type of its own in the schema.
  const isChoice = plain.type === undefined && plain.anyOf === undefined && plain.properties === undefined;
  return [{ name: path.join("."), kind: KINDS[plain.type ?? (isChoice ? "string" : "")] ?? "json", path }];
}

/** The columns of the records that an endpoint lists, in the order of their fields: objects one level down become columns, lists stay JSON. */
export function exportColumns(endpoint: string): ExportColumn[] {
  const record = RECORDS.find((candidate) => candidate.endpoint === endpoint);
  return record === undefined ? [] : columnsIn(record.list as Schema, []);
}

/** A record's value in a column. */
function cellOf(record: unknown, { path, kind }: ExportColumn): ExportCell {
  let value: unknown = record;
  for (const name of path) value = (value as Record<string, unknown> | null)?.[name] ?? null;
  if (value === null || value === undefined) return null;
  return kind === "json" ? JSON.stringify(value) : (value as ExportCell);
}

/**
 * Where a spreadsheet would find a formula, which could then send away what stands beside it: OWASP's list, and what is
 * drawn like it in East Asian widths. A spreadsheet that splits by semicolons or tabs, as Excel does in much of Europe, takes
 * no notice of quotes between commas: for it a cell begins after each separator and each line break within the text.
 */
const FORMULA = /(?<=^|[;,\t|\r\n])(?=[ \u00a0"]{0,40}[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** A value between commas. What a spreadsheet would run begins with an apostrophe, as it does when typed there. */
export function formatCell(value: ExportCell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const safe = value.replace(FORMULA, "'");
  return safe !== value || /[",;\t|\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function formatRow(cells: readonly ExportCell[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

export function* csvLines(records: Iterable<Json>, columns: readonly ExportColumn[]): Generator<string> {
  yield formatRow(columns.map(({ name }) => name));
  for (const json of records) {
    const record: unknown = JSON.parse(json);
    yield formatRow(columns.map((column) => cellOf(record, column)));
  }
}

/** The records as the API answers with them, one a line. */
function* ndjsonLines(records: Iterable<Json>): Generator<string> {
  for (const json of records) yield `${json}\n`;
}

const ROWS_IN_GROUP = 5000;

/** Parquet, written in groups of rows, so that memory does not grow with the shop. */
async function writeParquet(
  file: string,
  records: Iterable<Json>,
  columns: readonly ExportColumn[],
): Promise<void> {
  let rows: unknown[] = [];
  const storedOf = (row: unknown, column: ExportColumn) => {
    const value = cellOf(row, column);
    return column.kind === "integer" && typeof value === "number" ? BigInt(value) : value;
  };
  const columnData = () =>
    columns.map((column) => ({
      ...{ name: column.name, type: TYPES[column.kind], nullable: true },
      data: rows.map((row) => storedOf(row, column)),
    }));
  const schema = schemaFromColumnData({ columnData: columnData() });
  const writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy: "vitrine" });
  const writeGroup = async () => {
    if (rows.length > 0) await writer.write({ columnData: columnData(), rowGroupSize: ROWS_IN_GROUP });
    rows = [];
  };
  for (const json of records) {
    rows.push(JSON.parse(json));
    if (rows.length === ROWS_IN_GROUP) await writeGroup();
  }
  await writeGroup();
  await writer.finish();
}

export type ExportFormat = "csv" | "ndjson" | "parquet";

/** What can be exported, as the API names it: `products`, `reviews`, … */
export const EXPORTS: readonly string[] = RESOURCES.map(({ endpoint }) => endpoint);

/** Begins to read when the first is asked for: until it is done with, the catalog cannot be closed. */
function* recordsOf(catalog: Catalog, endpoint: string): Generator<Json> {
  const resource = RESOURCES.find((candidate) => candidate.endpoint === endpoint);
  if (resource !== undefined) yield* catalog.records(resource);
}

function linesOf(catalog: Catalog, endpoint: string, format: "csv" | "ndjson"): Iterable<string> {
  const records = recordsOf(catalog, endpoint);
  return format === "csv" ? csvLines(records, exportColumns(endpoint)) : ndjsonLines(records);
}

/** Writes text to a stream that goes on living. A reader that went away wants no more. */
export async function exportToStream(
  catalog: Catalog,
  endpoint: string,
  format: "csv" | "ndjson",
  stream: NodeJS.WritableStream,
): Promise<void> {
  try {
    await pipeline(Readable.from(linesOf(catalog, endpoint, format)), stream, { end: false });
  } catch (error) {
    if (!["EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(systemCodeOf(error))) throw error;
  }
}

/** Writes a file whole, or leaves what was there. @throws VitrineError write_failed */
export async function exportToFile(
  catalog: Catalog,
  endpoint: string,
  format: ExportFormat,
  file: string,
): Promise<void> {
  const part = `${file}.part`;
  try {
    if (format === "parquet") await writeParquet(part, recordsOf(catalog, endpoint), exportColumns(endpoint));
    else await pipeline(Readable.from(linesOf(catalog, endpoint, format)), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw explainWriteFailure(error, file);
  }
}
