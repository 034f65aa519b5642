/**
 * The contract once more, plain and slow: a list is an array of records that is filtered, sorted and cut. It reads the
 * same catalog's fragments, and shares no code with what answers.
 */
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { ResourceName } from "../../src/catalog/resources.ts";

export type Fields = Readonly<Record<string, unknown>>;

interface Listed {
  readonly id: number;
  readonly record: Fields;
}

/** All records of a resource with their ids, as the catalog's own tables have them. */
export function allRecords(catalog: Catalog, name: ResourceName): Listed[] {
  return catalog.db
    .prepare<[], { id: number; json: string }>(`SELECT id, json FROM ${name}_list`)
    .all()
    .map(({ id, json }) => ({ id, record: JSON.parse(json) as Fields }));
}

type Test = (record: Fields, value: string) => boolean;

function at(record: Fields, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Fields | null)?.[name], record);
}

const same =
  (path: string): Test =>
  (record, value) =>
    String(at(record, path)) === value;
const flag =
  (holds: (record: Fields) => boolean): Test =>
  (record, value) =>
    holds(record) === (value === "1");

/** By endpoint: what each filter parameter keeps. `featured` is not in the record, so the model can't speak of it. */
export const TESTS: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  products: {
    category: same("category.slug"),
    type: same("type"),
    status: same("status"),
    coming_soon: flag((record) => record["status"] === "coming_soon"),
    preorder: flag((record) => record["status"] === "preorder"),
    min_price: (record, value) => Number(at(record, "pricing.current")) >= Number(value),
    max_price: (record, value) => Number(at(record, "pricing.current")) <= Number(value),
  },
  reviews: {
    product_id: same("product_id"),
    product_slug: same("product_slug"),
    rating: same("rating"),
    min_rating: (record, value) => Number(record["rating"]) >= Number(value),
  },
  releases: { product_id: same("product_id"), product_slug: same("product_slug") },
  blog: {},
  forum: {
    subforum: same("subforum.slug"),
    category: same("category.slug"),
    type: same("type"),
    solved: flag((record) => record["solved"] === true),
  },
};

/** Order of two values: numbers by size, texts by code unit, true above false. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

type Order = readonly (readonly [value: (record: Fields) => unknown, direction: 1 | -1])[];

const by = (path: string, direction: 1 | -1): Order[number] => [(record) => at(record, path), direction];

/** By endpoint and sort value; "" is the default. `rating` needs the store's mean: see {@link bayesian}. */
export const ORDERS: Readonly<Record<string, Readonly<Record<string, Order>>>> = {
  products: {
    "": [by("created_at", -1)],
    newest: [by("created_at", -1)],
    oldest: [by("created_at", 1)],
    updated: [by("updated_at", -1)],
    price_asc: [by("pricing.current", 1)],
    price_desc: [by("pricing.current", -1)],
  },
  reviews: {
    "": [by("created_at", -1)],
    newest: [by("created_at", -1)],
    oldest: [by("created_at", 1)],
    highest: [by("rating", -1)],
    lowest: [by("rating", 1)],
  },
  releases: { "": [by("release_date", -1)] },
  blog: { "": [by("published_at", -1)] },
  forum: { "": [by("pinned", -1), by("last_activity_at", -1)] },
};

/** What a whole list is, by the model: records in order, whatever their page. */
export function modelList(
  records: readonly Listed[],
  endpoint: string,
  filters: Readonly<Record<string, string>>,
  sort: string,
): Fields[] {
  const order = ORDERS[endpoint]?.[sort] ?? [];
  return records
    .filter(({ record }) =>
      Object.entries(filters).every(([param, value]) => TESTS[endpoint]?.[param]?.(record, value)),
    )
    .toSorted((a, b) => {
      for (const [value, direction] of order) {
        const difference = compare(value(a.record), value(b.record));
        if (difference !== 0) return difference * direction;
      }
      return b.id - a.id;
    })
    .map(({ record }) => record);
}
