/**
 * A record as one complete line of JSON: the fields that the API shows, and in `_row` the columns that are not shown but needed
 * for order and filters.
 *
 *     {"id":12,"title":"Invoice Kit",…,"_row":{"featured":1,"rating":4.35}}
 */
import type Database from "better-sqlite3";
import type { Cell } from "../api/record.ts";
import { recordNamed } from "../api/records.ts";
import { encodeJson } from "../base/json.ts";
import type { ResourceName } from "./resources.ts";

/** The name of the added property. */
export const ROW = "_row";

/** The id of a line's record. */
export function idOfLine(values: Readonly<Record<string, unknown>>): unknown {
  return values["id"] ?? (values[ROW] as { readonly id?: unknown } | undefined)?.id;
}

const [COMMA, LINE_END] = [Buffer.from(","), Buffer.from("}\n")];

/** The text between the braces of an object. */
function inner(text: Buffer): Buffer {
  return text.subarray(1, -1);
}

/**
 * Reads records of a catalog as lines in order of their ids, each with its line break, and in pieces that the caller joins.
 * `hasDetail`: with the detail part, for records that have one.
 */
export function* recordLines(
  db: Database.Database,
  resource: ResourceName,
  ids: readonly number[],
  hasDetail: boolean,
): Generator<readonly [id: number, line: readonly Buffer[]]> {
  const record = recordNamed(resource);
  const { hiddenColumns: columns } = record;
  const isIdHidden = record.fields["id"] === undefined;
  const textIn = (table: string) =>
    `(SELECT CAST(json AS BLOB) FROM ${resource}_${table} AS t WHERE t.id = r.id)`;
  const added = hasDetail && record.detail !== null ? textIn("added") : "NULL";
  const rows = db
    .prepare<[string], [id: number, list: Buffer, added: Buffer | null, ...cells: Cell[]]>(
      `SELECT ${["r.id", textIn("list"), added, ...columns].join(", ")}
       FROM ${resource} AS r WHERE r.id IN (SELECT value FROM json_each(?)) ORDER BY r.id`,
    )
    .raw()
    .iterate(JSON.stringify(ids));
  for (const [id, list, more, ...cells] of rows) {
    const hidden = columns.map((column, at) => [column, cells[at] ?? null] as const);
    const row = Object.fromEntries<Cell>(isIdHidden ? [["id", id], ...hidden] : hidden);
    const isRow = isIdHidden || columns.length > 0;
    const line = [
      list.subarray(0, -1),
      ...(more === null ? [] : [COMMA, inner(more)]),
      ...(isRow ? [COMMA, inner(Buffer.from(encodeJson({ [ROW]: row })))] : []),
      LINE_END,
    ];
    yield [id, line];
  }
}
