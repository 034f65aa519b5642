/** Reads the lines of `record-line.ts` as catalog rows. The lines may come from anybody: everything but valid records is refused. */
import * as Type from "typebox";
import { MAX_WHOLE } from "../api/endpoints.ts";
import { closed, type Fields } from "../api/field.ts";
import type { Cell, ColumnType, RecordDef } from "../api/record.ts";
import { recordNamed } from "../api/records.ts";
import type { Values } from "../api/row.ts";
import { memo } from "../base/collections.ts";
import { encodeJson, parseShallowJson } from "../base/json.ts";
import { problemOf, type SchemaCheck, schemaCheck } from "../base/schema.ts";
import { ROW } from "./record-line.ts";
import type { ResourceName } from "./resources.ts";
import { type CatalogRow, storedDocument } from "./row.ts";

const ROW_ID: Type.TInteger = Type.Integer({ minimum: 1, maximum: MAX_WHOLE });
const TEXT = Type.Union([Type.String(), Type.Null()]);
/** The cells that each type of column allows. */
const CELL_SCHEMAS = {
  TEXT,
  TIME: TEXT,
  INTEGER: Type.Union([
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Null(),
  ]),
  REAL: Type.Union([Type.Number(), Type.Null()]),
} as const satisfies Readonly<Record<ColumnType, Type.TSchema>>;

/** The schema of a line's hidden columns. */
function rowSchema(resource: ResourceName): Type.TObject {
  const record = recordNamed(resource);
  const cells = record.hiddenColumns.map((name) => [name, CELL_SCHEMAS[record.columns[name]?.[0] ?? "TEXT"]]);
  const fields = record.fields["id"] === undefined ? [["id", ROW_ID], ...cells] : cells;
  return Type.Object(Object.fromEntries(fields), closed);
}

/** Made once for each resource: ajv keeps each schema that it compiled. */
const rowCheckOf = memo((resource: ResourceName) => schemaCheck(rowSchema(resource)));
const isId = schemaCheck(ROW_ID);

/** All schemas by which a reader checks lines: some runtimes can't compile them, so they are compiled when the package is built. */
export function lineSchemas(resource: ResourceName): Type.TSchema[] {
  const { list, detail } = recordNamed(resource);
  return [ROW_ID, rowSchema(resource), list, ...(detail === null ? [] : [detail])];
}

/** @throws Error */
function check(isValid: SchemaCheck<unknown>, value: unknown): void {
  if (!isValid(value)) throw new Error(problemOf(isValid, "a record"));
}

function pick(fields: Fields, values: Values): Values {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, values[name]]));
}

/** The detail part of a record whose details are not public. */
function emptyDetail({ added }: RecordDef): Values {
  const empty = Object.entries(added).filter(([, field]) => field.empty !== undefined);
  return Object.fromEntries(empty.map(([name, field]) => [name, field.empty]));
}

/** The inverse of `recordLines`, for untrusted lines. @throws Error if a line is not a valid record */
export function recordReader(resource: ResourceName, hasDetail: boolean): (line: string) => CatalogRow {
  const record = recordNamed(resource);
  const { fields, added, columns, search, detail } = record;
  const schema = (hasDetail ? detail : null) ?? record.list;
  const isRecord = schemaCheck(schema);
  const { hiddenColumns: hidden } = record;
  const isIdHidden = fields["id"] === undefined;
  const isRow = rowCheckOf(resource);
  return (line) => {
    const { [ROW]: row = {}, ...values } = (parseShallowJson(line) ?? {}) as Values;
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
      cells: Object.entries(columns).map(([name, [, of]]) => cellOf(name, of)),
      list: encodeJson(pick(fields, whole)),
      added: detail === null ? null : encodeJson(hasDetail ? pick(added, whole) : emptyDetail(record)),
      document: search === null ? null : storedDocument(search(whole)),
    };
  };
}
