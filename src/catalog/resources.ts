/**
 * The lists of the catalog, as the records declare them: their narrow columns, the columns that filters compare and sorts order
 * by, and the tables that hold them.
 */

import type { ColumnType, Filter, Range, RecordDef, SortKey } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Sql } from "../base/sql.ts";
import { DOCUMENT_TABLES, VOCABULARY_TABLE } from "../search/search-texts.ts";

export type ResourceName = RecordName;

export interface Resource {
  readonly name: ResourceName;
  /** Endpoint of this list. */
  readonly endpoint: string;
  /** Columns other than `id`, in the order of the table. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** True if `slug` selects one record. */
  readonly slug: boolean;
  /** True if the record has a detail shape. */
  readonly detail: boolean;
  /** By query parameter. */
  readonly filters: Readonly<Record<string, Filter>>;
  readonly range: Range | null;
  /** The keys of each sort value, the default first. Id descending follows, so that no row repeats or is missed across pages. */
  readonly sorts: Readonly<Record<string, readonly SortKey[]>>;
}

function mapValues<From, To>(
  map: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, to(value)]));
}

function resourceOfRecord(record: RecordDef<RecordName>): Resource {
  const { name, endpoint, columns, detail, filters, range, sorts } = record;
  return {
    name,
    endpoint,
    filters,
    range,
    sorts,
    columns: mapValues(columns, ([type]) => type),
    slug: columns["slug"] !== undefined,
    detail: detail !== null,
  };
}

export const RESOURCES: readonly Resource[] = RECORDS.map(resourceOfRecord);

export function resourceNamed(name: ResourceName): Resource {
  const resource = RESOURCES.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`No resource is named ${name}`);
  return resource;
}

/** The resource that an endpoint lists, or undefined. */
export function resourceOf(endpointPath: string): Resource | undefined {
  return RESOURCES.find((resource) => resource.endpoint === endpointPath);
}

/** The ids of a list's records, ascending. */
export function idsOf(db: Sql, name: ResourceName): number[] {
  return db.prepare<[], number>(`SELECT id FROM ${name} ORDER BY id`).pluck().all();
}

/** Whether a list has any record. */
export function hasRecords(db: Sql, name: ResourceName): boolean {
  return db.prepare<[], number>(`SELECT 1 FROM ${name} LIMIT 1`).pluck().get() !== undefined;
}

/**
 * Tables for a row's columns, its list fragment, the part that its detail adds, the digests of these two parts (16 bytes each),
 * and its search texts; `meta` describes the whole catalog.
 */
export const TABLES: string = [
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
  ...RESOURCES.flatMap(({ name, columns, detail, slug }) => [
    `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ${Object.entries(columns)
      .map(([column, type]) => `${column} ${type === "TIME" ? "TEXT" : type}`)
      .join(", ")})`,
    `CREATE TABLE ${name}_list (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`,
    `CREATE TABLE ${name}_digest (id INTEGER PRIMARY KEY, list BLOB NOT NULL, detail BLOB)`,
    ...(detail ? [`CREATE TABLE ${name}_added (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`] : []),
    ...(slug ? [`CREATE UNIQUE INDEX ${name}_slug ON ${name} (slug)`] : []),
  ]),
  DOCUMENT_TABLES,
  VOCABULARY_TABLE,
].join(";\n");

/** The index by which the parts that a record gathers are looked up. */
export function partIndex(of: string, by: string): string {
  return `CREATE INDEX IF NOT EXISTS ${of}_${by}_ ON ${of} (${by})`;
}

/** The indexes of a catalog besides those for slugs: lists are answered from memory, without an index. */
export const PART_INDEXES: readonly string[] = [
  ...new Set(RECORDS.flatMap(({ gathers }) => gathers.map(({ of, by }) => partIndex(of, by)))),
];
