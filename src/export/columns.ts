/** The columns of a table of records, from their schema: objects one level down become columns, lists stay JSON. */
import { RECORDS } from "../api/records.ts";

export type Cell = string | number | boolean | null;

export type ColumnKind = "text" | "integer" | "number" | "boolean" | "json";

export interface Column {
  /** `pricing.sale` */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly path: readonly string[];
}

/** What is read of a JSON Schema here. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  integer: "integer",
  number: "number",
  boolean: "boolean",
  string: "text",
};

/** What may be null is what it is besides. */
function plainSchema(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
}

function columnsIn(schema: Schema, path: readonly string[]): Column[] {
  const plain = plainSchema(schema);
  if (plain.properties !== undefined && path.length < 2)
    return Object.entries(plain.properties).flatMap(([name, inner]) => columnsIn(inner, [...path, name]));
  // A choice of words has no type of its own in the schema.
  const isChoice = plain.type === undefined && plain.anyOf === undefined && plain.properties === undefined;
  return [{ name: path.join("."), kind: KINDS[plain.type ?? (isChoice ? "string" : "")] ?? "json", path }];
}

/** The columns of the records that an endpoint lists, in the order of their fields. */
export function columnsOf(endpoint: string): Column[] {
  const record = RECORDS.find((candidate) => candidate.endpoint === endpoint);
  return record === undefined ? [] : columnsIn(record.list as Schema, []);
}

/** A record's value in a column. */
export function cellOf(record: unknown, { path, kind }: Column): Cell {
  let value: unknown = record;
  for (const name of path) value = (value as Record<string, unknown> | null)?.[name] ?? null;
  if (value === null || value === undefined) return null;
  return kind === "json" ? JSON.stringify(value) : (value as Cell);
}
