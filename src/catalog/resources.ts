/**
 * The lists of the catalog, as the records declare them: their narrow columns, what each filter parameter compares, and
 * what each sort value orders by.
 */
import type { ColumnType, Filter, Range, RecordDef, SortKey } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";

export type ResourceName = RecordName;

export interface Resource {
  readonly name: ResourceName;
  /** Endpoint whose list this is. */
  readonly endpoint: string;
  /** Columns other than `id`, in the order of the table. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** True where `slug` selects one record. */
  readonly slug: boolean;
  /** True where the record has a detail shape. */
  readonly detail: boolean;
  /** By query parameter. */
  readonly filters: Readonly<Record<string, Filter>>;
  readonly range: Range | null;
  /** What each sort value orders by, default first; then by id descending, so that no row repeats or is missed across pages. */
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
    ...{ name, endpoint, filters, range, sorts },
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
