/**
 * A record as one line of JSON, whole: what the API shows of it, and in `_row` what it does not show and lists are still ordered
 * or filtered by. The row of a catalog can be made of it again, to the byte.
 *
 *     {"id":12,"title":"Invoice Kit",…,"_row":{"featured":1,"rating":4.35}}
 */
import type { ValidateFunction } from "ajv";
import type Database from "better-sqlite3";
import * as Type from "typebox";
import type { Fields } from "../api/field.ts";
import type { Cell, ColumnType, RecordDef } from "../api/record.ts";
import { RECORDS } from "../api/records.ts";
import type { Values } from "../api/row.ts";
import { encodeJson } from "../base/json.ts";
import { compileSchema } from "../base/schema.ts";
import type { ResourceName } from "./resources.ts";
import type { CatalogRow } from "./row.ts";

/** The name of what is added to a record. */
const ROW = "_row";

const closed = { additionalProperties: false } as const;
export const ROW_ID: Type.TInteger = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 });
/** What a cell of each type of column is. */
export const CELL_SCHEMAS = {
  TEXT: Type.Union([Type.String(), Type.Null()]),
  INTEGER: Type.Union([
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Null(),
  ]),
  REAL: Type.Union([Type.Number(), Type.Null()]),
} as const satisfies Readonly<Record<ColumnType, Type.TSchema>>;

function recordOf(resource: ResourceName): RecordDef<ResourceName> {
  const found = RECORDS.find(({ name }) => name === resource);
  if (found === undefined) throw new Error(`No record is named ${resource}`);
  return found;
}

/** Columns that can't be made of what the API shows: those of which a function reads a hidden field. */
function hiddenColumns({ columns, hidden }: RecordDef): string[] {
  return Object.entries(columns).flatMap(([name, [, of]]) => {
    const read = new Set<string | symbol>();
    const values = new Proxy({}, { get: (_, field) => void read.add(field) });
    try {
      of(values);
    } catch {
      // It looks into a field that is not there: which one is known by then.
    }
    return Object.keys(hidden).some((field) => read.has(field)) ? [name] : [];
  });
}

const [COMMA, LINE_END] = [Buffer.from(","), Buffer.from("}\n")];

/** What stands between the braces of an object. */
function inner(text: Buffer): Buffer {
  return text.subarray(1, -1);
}

/**
 * Reads records of a catalog as lines, each with its line break and in pieces, to be joined with those of others. `hasDetail`:
 * with what their detail adds, where they have one. Reading several in one transaction is ten times as fast.
 */
export function recordLines(
  db: Database.Database,
  resource: ResourceName,
  hasDetail: boolean,
): (id: number) => readonly Buffer[] {
  const record = recordOf(resource);
  const columns = hiddenColumns(record);
  const isIdHidden = record.fields["id"] === undefined;
  const textIn = (table: string) =>
    `(SELECT CAST(json AS BLOB) FROM ${resource}_${table} AS t WHERE t.id = r.id)`;
  const added = hasDetail && record.detail !== null ? textIn("added") : "NULL";
  const get = db
    .prepare<[number], [list: Buffer, added: Buffer | null, ...cells: Cell[]]>(
      `SELECT ${[textIn("list"), added, ...columns].join(", ")} FROM ${resource} AS r WHERE id = ?`,
    )
    .raw();
  return (id) => {
    const found = get.get(id);
    if (found === undefined) throw new Error(`There is no ${resource} ${id}`);
    const [list, more, ...cells] = found;
    const hidden = columns.map((column, at) => [column, cells[at] ?? null] as const);
    const row = Object.fromEntries<Cell>(isIdHidden ? [["id", id], ...hidden] : hidden);
    const isRow = isIdHidden || columns.length > 0;
    return [
      list.subarray(0, -1),
      ...(more === null ? [] : [COMMA, inner(more)]),
      ...(isRow ? [COMMA, inner(Buffer.from(encodeJson({ [ROW]: row })))] : []),
      LINE_END,
    ];
  };
}

/** @throws Error */
function check(isValid: ValidateFunction, value: unknown): void {
  if (isValid(value)) return;
  const [error] = isValid.errors ?? [];
  throw new Error(`${error?.instancePath || "a record"} ${error?.message ?? "is not what it should be"}`);
}

function pick(fields: Fields, values: Values): Values {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, values[name]]));
}

/** What stands for details that are not public. */
function emptyDetail({ added }: RecordDef): Values {
  const empty = Object.entries(added).filter(([, field]) => field.empty !== undefined);
  return Object.fromEntries(empty.map(([name, field]) => [name, field.empty]));
}

/** The inverse of {@link recordLines}, of lines that anybody may have written. @throws Error where one is no record */
export function recordReader(resource: ResourceName, hasDetail: boolean): (line: string) => CatalogRow {
  const record = recordOf(resource);
  const { fields, added, columns, search, detail } = record;
  const schema = (hasDetail ? detail : null) ?? record.list;
  const isRecord = compileSchema(schema);
  const hidden = hiddenColumns(record);
  const isIdHidden = fields["id"] === undefined;
  const cells = hidden.map((name) => [name, CELL_SCHEMAS[columns[name]?.[0] ?? "TEXT"]]);
  const isRow = compileSchema(
    Type.Object(Object.fromEntries(isIdHidden ? [["id", ROW_ID], ...cells] : cells), closed),
  );
  const isId = compileSchema(ROW_ID);
  return (line) => {
    const { [ROW]: row = {}, ...values } = JSON.parse(line) as Values;
    check(isRecord, values);
    check(isRow, row);
    const known = row as Readonly<Record<string, Cell>>;
    const id = isIdHidden ? known["id"] : values["id"];
    check(isId, id);
    const whole = detail === null || hasDetail ? values : { ...values, ...emptyDetail(record) };
    const cellOf = (name: string, of: (values: Values) => Cell) =>
      hidden.includes(name) ? (known[name] ?? null) : of(whole);
    return {
      id: Number(id),
      columns: Object.fromEntries(Object.entries(columns).map(([name, [, of]]) => [name, cellOf(name, of)])),
      list: encodeJson(pick(fields, whole)),
      ...(detail === null ? {} : { added: encodeJson(hasDetail ? pick(added, whole) : emptyDetail(record)) }),
      ...(search === null ? {} : { document: search(whole) }),
    };
  };
}
