/**
 * The lists of the catalog as data: their narrow columns, what each filter parameter compares, and what each sort
 * value orders by. A filter or sort is a row here; nothing else in the catalog knows one by name.
 */

type ColumnType = "TEXT" | "INTEGER" | "REAL";
export type ResourceName = "product" | "category" | "faq" | "review" | "release" | "post" | "thread";

export interface Filter {
  /** Query parameter. */
  readonly param: string;
  readonly column: string;
  /** `equals`: the column's value is the parameter's; `atLeast`: it is that or more. */
  readonly compare: "equals" | "atLeast";
}

/** What min_price and max_price bound: a column, and the sorts that are it and its reverse. */
export interface Range {
  readonly column: string;
  readonly ascending: string;
  readonly descending: string;
}

export interface Resource {
  readonly name: ResourceName;
  /** Endpoint whose list this is. */
  readonly endpoint: string;
  /** Columns beside `id`, in the order of the table. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** True where `slug` selects one record. */
  readonly slug: boolean;
  /** True where the record has a detail shape. */
  readonly detail: boolean;
  readonly filters: readonly Filter[];
  readonly range?: Range;
  /** ORDER BY of each sort value, default first. All end in id, so that no row repeats or is missed across pages. */
  readonly orders: Readonly<Record<string, string>>;
}

function equals(param: string, column = param): Filter {
  return { param, column, compare: "equals" };
}

const ofProduct = [equals("product_id"), equals("product_slug")];

export const RESOURCES: readonly Resource[] = [
  {
    name: "product",
    endpoint: "products",
    columns: {
      slug: "TEXT",
      category: "TEXT",
      type: "TEXT",
      status: "TEXT",
      featured: "INTEGER",
      coming_soon: "INTEGER",
      preorder: "INTEGER",
      price: "REAL",
      rating: "REAL",
      title_key: "TEXT",
      created_at: "TEXT",
      updated_at: "TEXT",
    },
    slug: true,
    detail: true,
    filters: [
      equals("category"),
      equals("type"),
      equals("status"),
      equals("featured"),
      equals("coming_soon"),
      equals("preorder"),
    ],
    range: { column: "price", ascending: "price_asc", descending: "price_desc" },
    orders: {
      newest: "created_at DESC, id DESC",
      oldest: "created_at, id DESC",
      updated: "updated_at DESC, id DESC",
      price_asc: "price, id DESC",
      price_desc: "price DESC, id DESC",
      title_asc: "title_key, id DESC",
      title_desc: "title_key DESC, id DESC",
      rating: "rating DESC, id DESC",
    },
  },
  {
    name: "category",
    endpoint: "categories",
    columns: { slug: "TEXT", name_key: "TEXT" },
    slug: true,
    detail: false,
    filters: [],
    orders: { name: "name_key, id DESC" },
  },
  {
    name: "faq",
    endpoint: "faqs",
    columns: { product_id: "INTEGER", product_slug: "TEXT", type: "TEXT", position: "INTEGER" },
    slug: false,
    detail: false,
    filters: [...ofProduct, equals("type")],
    orders: { position: "position, id DESC" },
  },
  {
    name: "review",
    endpoint: "reviews",
    columns: { product_id: "INTEGER", product_slug: "TEXT", rating: "INTEGER", created_at: "TEXT" },
    slug: false,
    detail: false,
    filters: [...ofProduct, equals("rating"), { param: "min_rating", column: "rating", compare: "atLeast" }],
    orders: {
      newest: "created_at DESC, id DESC",
      oldest: "created_at, id DESC",
      highest: "rating DESC, id DESC",
      lowest: "rating, id DESC",
    },
  },
  {
    name: "release",
    endpoint: "releases",
    columns: { product_id: "INTEGER", product_slug: "TEXT", release_date: "TEXT" },
    slug: false,
    detail: false,
    filters: ofProduct,
    orders: { newest: "release_date DESC, id DESC" },
  },
  {
    name: "post",
    endpoint: "blog",
    columns: { slug: "TEXT", published_at: "TEXT" },
    slug: true,
    detail: true,
    filters: [],
    orders: { newest: "published_at DESC, id DESC" },
  },
  {
    name: "thread",
    endpoint: "forum",
    columns: {
      slug: "TEXT",
      subforum: "TEXT",
      category: "TEXT",
      type: "TEXT",
      solved: "INTEGER",
      pinned: "INTEGER",
      last_activity_at: "TEXT",
    },
    slug: true,
    detail: true,
    filters: [equals("subforum"), equals("category"), equals("type"), equals("solved")],
    orders: { activity: "pinned DESC, last_activity_at DESC, id DESC" },
  },
];

export function resourceNamed(name: ResourceName): Resource {
  const resource = RESOURCES.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`No resource is named ${name}`);
  return resource;
}

/** The resource that an endpoint lists, or undefined. */
export function resourceOf(endpointPath: string): Resource | undefined {
  return RESOURCES.find((resource) => resource.endpoint === endpointPath);
}
