/** A list of the catalog as a table, for spreadsheets and analysis: what is public, and nothing else. */
import { createRequire } from "node:module";
import type { BasicType } from "hyparquet-writer";
import { RECORDS } from "../api/records.ts";
import type { Json } from "../base/json.ts";
import type { TakePiece } from "../base/part-file.ts";
import { TextPieces } from "./pieces.ts";

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

/** Takes a table's rows, and hands its file on in pieces. */
interface TableWriter {
  add(cells: readonly ExportCell[]): void;
  finish(): void;
}

function createCsv(columns: readonly ExportColumn[], take: TakePiece): TableWriter {
  const text = new TextPieces(take, formatRow(columns.map(({ name }) => name)));
  return { add: (cells) => text.add(formatRow(cells)), finish: () => text.finish() };
}

/** Rows are written in groups, so that memory does not grow with the shop: so many, or of so many letters. */
const GROUP = { rows: 5000, letters: 1 << 23 } as const;

/** Loaded where a table is made, by whoever may not wait for it: that takes as long as a build with nothing to do. */
function loadParquet(): typeof import("hyparquet-writer") {
  return createRequire(import.meta.url)("hyparquet-writer");
}

function createParquet(columns: readonly ExportColumn[], take: TakePiece): TableWriter {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = loadParquet();
  const bytes = new ByteWriter();
  const cellsByColumn: (ExportCell | bigint)[][] = columns.map(() => []);
  const columnData = columns.map(({ name, kind }, at) => ({
    ...{ name, type: TYPES[kind], nullable: true, data: cellsByColumn[at] ?? [] },
  }));
  const schema = schemaFromColumnData({ columnData });
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "vitrine" });
  let [rows, letters] = [0, 0];
  const passOn = () => {
    take(bytes.getBytes());
    bytes.index = 0;
  };
  const writeGroup = () => {
    if (rows > 0) writer.write({ columnData, rowGroupSize: rows });
    for (const cells of cellsByColumn) cells.length = 0;
    [rows, letters] = [0, 0];
    passOn();
  };
  return {
    add(cells) {
      for (const [at, cell] of cells.entries()) {
        const isInteger = columns[at]?.kind === "integer" && typeof cell === "number";
        cellsByColumn[at]?.push(isInteger ? BigInt(cell) : cell);
        if (typeof cell === "string") letters += cell.length;
      }
      rows += 1;
      if (rows === GROUP.rows || letters > GROUP.letters) writeGroup();
    },
    finish() {
      writeGroup();
      writer.finish();
      passOn();
    },
  };
}

const TABLES = { parquet: createParquet, csv: createCsv } as const;
export type TableFormat = keyof typeof TABLES;

/** Writes the records that an endpoint lists as tables, in one reading. Returns how many there are. */
export function writeTables(
  records: Iterable<Json>,
  endpoint: string,
  takers: readonly (readonly [format: TableFormat, take: TakePiece])[],
): number {
  const columns = exportColumns(endpoint);
  const tables = takers.map(([format, take]) => TABLES[format](columns, take));
  let count = 0;
  for (const json of records) {
    const record: unknown = JSON.parse(json);
    const cells = columns.map((column) => cellOf(record, column));
    for (const table of tables) table.add(cells);
    count += 1;
  }
  for (const table of tables) table.finish();
  return count;
}
