/** Records as a Parquet file, written in groups of rows, so that memory does not grow with the shop. */
import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { Json } from "../base/json.ts";
import { type Cell, type Column, type ColumnKind, cellOf } from "./columns.ts";

const ROWS_IN_GROUP = 5000;

const TYPES: Readonly<Record<ColumnKind, BasicType>> = {
  text: "STRING",
  json: "STRING",
  // Of JSON numbers: what is beyond 53 bits never was exact.
  integer: "INT64",
  number: "DOUBLE",
  boolean: "BOOLEAN",
};

function toStored(value: Cell, kind: ColumnKind): Cell | bigint {
  return kind === "integer" && typeof value === "number" ? BigInt(value) : value;
}

export async function writeParquet(
  file: string,
  records: Iterable<Json>,
  columns: readonly Column[],
): Promise<void> {
  let rows: unknown[] = [];
  const columnData = () =>
    columns.map((column) => ({
      name: column.name,
      type: TYPES[column.kind],
      nullable: true,
      data: rows.map((row) => toStored(cellOf(row, column), column.kind)),
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
