/** How a record is declared: one object that says everything about it, checked by the compiler. records/ has them all. */
import type { TUnsafe } from "typebox";
import type { EndpointPath, FilterName, SortName } from "./endpoints.ts";
import { columnsOf, type Fields, optionalColumnsOf, schemaOf, type ValuesOf } from "./field.ts";

export type { Cell } from "./row.ts";

import type { AlikeRows, Cell, Gather, GatheredRow, Overall, RecordRef, Values } from "./row.ts";

/**
 * Type of a narrow column of the catalog; filters compare these columns and sorts order by them. `TIME` is the text of a time as
 * answers show it, by which rows are only sorted.
 */
export type ColumnType = "TEXT" | "TIME" | "INTEGER" | "REAL";

export interface Filter<Column extends string = string> {
  readonly column: Column;
  /** `equals`: the column's value is the parameter's; `atLeast`: it is that or more. */
  readonly compare: "equals" | "atLeast";
}

/** One column of an order. Every order ends in id descending, by rule: no row repeats or is missed across pages. */
export interface SortKey<Column extends string = string> {
  readonly column: Column;
  readonly descending: boolean;
}

/** The column that min_price and max_price bound, and the two sorts by that column. */
export interface Range<Column extends string = string> {
  readonly column: Column;
  readonly ascending: string;
  readonly descending: string;
}

/** The searchable text of a record: titles weigh more than excerpts, excerpts more than text. */
export interface SearchTexts {
  readonly title: string;
  readonly excerpt: string;
  readonly text: string;
}

export function equals<const Column extends string>(column: Column): Filter<Column> {
  return { column, compare: "equals" };
}

export function atLeast<const Column extends string>(column: Column): Filter<Column> {
  return { column, compare: "atLeast" };
}

export function asc<const Column extends string>(column: Column): SortKey<Column> {
  return { column, descending: false };
}

export function desc<const Column extends string>(column: Column): SortKey<Column> {
  return { column, descending: true };
}

/** A declared record, for code that walks all records; `Shape` and `Detail` are its JSON shapes. */
export interface RecordDef<Name extends string = string, Shape = unknown, Detail = unknown, All = unknown>
  extends RecordRef<Shape> {
  readonly name: Name;
  /** Allow-list file, without `.sql`. */
  readonly file: string;
  /** Endpoint whose list it is. */
  readonly endpoint: EndpointPath;
  /** Schema of the list shape, and of the detail shape if the record has one. */
  readonly list: TUnsafe<Shape>;
  readonly detail: TUnsafe<Detail> | null;
  /** The columns that the allow-list's file may give; all others are refused. */
  readonly needs: readonly string[];
  /** The columns that the file may lack, with their values in that case. */
  readonly optional: ReadonlyMap<string, Cell>;
  readonly fields: Fields;
  /** The fields that the detail shape adds to the list shape. */
  readonly added: Fields;
  /** Fields for columns, order and search that no answer shows. */
  readonly hidden: Fields;
  readonly belongsTo: Belonging | null;
  readonly embeds: readonly Embed[];
  readonly gathers: readonly Gather<unknown>[];
  readonly overalls: readonly Overall<unknown>[];
  readonly columns: Readonly<Record<string, readonly [ColumnType, (values: Values) => Cell]>>;
  /** Those of the columns that hold a hidden field: a reader of answers cannot compute them. */
  readonly hiddenColumns: readonly string[];
  readonly filters: Readonly<Record<string, Filter>>;
  readonly sorts: Readonly<Record<string, readonly SortKey[]>>;
  readonly range: Range | null;
  readonly search: ((values: Values) => SearchTexts) | null;
  /** These properties never exist: they carry types. */
  readonly detailShape?: Detail;
  readonly values?: All;
}

/** Another record within a record. */
interface Embed {
  /** Name of the record. */
  readonly of: string;
  /** The column of the allow-list's file that holds its id. */
  readonly by: string;
}

/** The column that names a row's product. Rows of a product that is not public are left out. */
interface Belonging {
  readonly column: string;
  /** False if a row without a product belongs to the whole store. */
  readonly required: boolean;
}

interface Declaration<
  Name extends string,
  Path extends EndpointPath,
  F extends Fields,
  D extends Fields,
  H extends Fields,
  C extends string,
> {
  readonly name: Name;
  readonly file: string;
  readonly endpoint: Path;
  /** Names of the shapes in the OpenAPI document. */
  readonly title: string;
  readonly belongsTo?: Belonging;
  /** Other records that are shown inside a field. */
  readonly embeds?: readonly { readonly of: RecordRef<unknown>; readonly by: string }[];
  readonly gathers?: readonly Gather<unknown>[];
  readonly overalls?: readonly Overall<unknown>[];
  readonly fields: F;
  readonly detail?: D;
  readonly hidden?: H;
  /** Each is computed from the list shape, or is a hidden field by its name. */
  readonly columns: Readonly<
    Record<C, readonly [ColumnType, ((shown: ValuesOf<F>) => Cell) | (keyof NoInfer<H> & string)]>
  >;
  readonly filters: Readonly<Record<FilterName<Path>, Filter<NoInfer<C>>>>;
  /** The first is the default. */
  readonly sorts: Readonly<
    Record<[SortName<Path>] extends [never] ? string : SortName<Path>, readonly SortKey<NoInfer<C>>[]>
  >;
  readonly range?: Range<NoInfer<C>>;
  readonly search?: (values: ValuesOf<F> & ValuesOf<D> & ValuesOf<H>) => SearchTexts;
}

type None = Record<never, never>;

/** Declares a record. The order of fields is their order in the JSON. */
export function record<
  const Name extends string,
  const Path extends EndpointPath,
  F extends Fields,
  C extends string,
  D extends Fields = None,
  H extends Fields = None,
>(
  declared: Declaration<Name, Path, F, D, H, C>,
): RecordDef<Name, ValuesOf<F>, ValuesOf<F> & ValuesOf<D>, ValuesOf<F> & ValuesOf<D> & ValuesOf<H>> {
  const { title, detail, hidden = {}, embeds = [], gathers = [], overalls = [] } = declared;
  // The compiler has checked these by name; code that walks all records looks them up by name.
  const erased = declared as unknown as Pick<RecordDef, "sorts" | "filters"> & {
    readonly columns: Readonly<Record<string, readonly [ColumnType, string | ((values: Values) => Cell)]>>;
  };
  const columns = Object.entries(erased.columns);
  return {
    name: declared.name,
    file: declared.file,
    endpoint: declared.endpoint,
    list: schemaOf(title, declared.fields),
    detail: detail === undefined ? null : schemaOf(`${title}Detail`, { ...declared.fields, ...detail }),
    needs: [...new Set(["id", ...columnsOf(declared.fields, detail ?? {}, hidden)])],
    optional: optionalColumnsOf(declared.fields, detail ?? {}, hidden),
    fields: declared.fields,
    added: detail ?? {},
    hidden,
    belongsTo: declared.belongsTo ?? null,
    embeds: embeds.map(({ of, by }) => ({ of: of.name, by })),
    gathers,
    overalls,
    columns: Object.fromEntries(
      columns.map(([column, [type, of]]) => [column, [type, typeof of === "string" ? fieldOf(of) : of]]),
    ),
    hiddenColumns: columns.flatMap(([column, [, of]]) => (typeof of === "string" ? [column] : [])),
    filters: erased.filters,
    sorts: erased.sorts,
    range: declared.range ?? null,
    search: (declared.search as RecordDef["search"] | undefined) ?? null,
  };
}

/** SQLite has no truth values. */
function fieldOf(name: string): (values: Values) => Cell {
  return ({ [name]: value }) => (typeof value === "boolean" ? Number(value) : (value as Cell));
}

/** The JSON shape of a record in lists. */
export type ShapeOf<R> = R extends RecordDef<string, infer Shape> ? Shape : never;
/** The JSON shape of one selected record. */
export type DetailOf<R> = R extends RecordDef<string, unknown, infer Detail> ? Detail : never;

/** A value that a record gathers from its parts; `by` is the part's column that names the record. */
export function gather<Shape, Value>(
  part: RecordDef<string, Shape>,
  by: string,
  value: (parts: Iterable<GatheredRow<Shape>>) => Value,
): Gather<Value> {
  return { of: part.name, by, value: value as Gather<Value>["value"] };
}

/** A value made of all rows of a record, from some of their narrow columns. */
export function overall<Value>(
  of: RecordDef<string>,
  columns: readonly string[],
  value: (rows: Iterable<AlikeRows>) => Value,
): Overall<Value> {
  return { of: of.name, columns, value };
}
