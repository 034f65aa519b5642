/**
 * The API as data: every endpoint, its parameters in the contract's order, their rules and defaults.
 * Plain tables without an import, so that the key function can carry them into every edge (njs, CloudFront, Workers).
 */

/** How a parameter's value is read and spelled canonically. */
export type ParamKind =
  /** whole number, `min` to `max`, leading zeros dropped; over `clamp` it becomes `clamp` */
  | "integer"
  /** `[a-z0-9]` first, then `[a-z0-9._-]`, at most 150 characters; read as lower case */
  | "slug"
  /** `1 true yes on` and `0 false no off` in any case; canonical `1` and `0` */
  | "flag"
  /** one of `values` */
  | "choice"
  /** decimal from 0 with up to two places; canonical without needless zeros */
  | "price"
  /** free text; no file can answer it */
  | "text";

export interface Param {
  readonly name: string;
  readonly kind: ParamKind;
  readonly meaning: string;
  /** What an absent parameter means; a value equal to it is left out of the key. */
  readonly default?: string;
  readonly min?: number;
  readonly max?: number;
  /** Integers above this are read as this. */
  readonly clamp?: number;
  readonly values?: readonly string[];
  /** Values allowed, and the default, when the endpoint's text parameter is given. */
  readonly textDefault?: string;
  /** Another name of the parameter named here, which wins where both stand. */
  readonly aliasOf?: string;
  /** True where it alone selects one record, and all other parameters are ignored. */
  readonly selects?: true;
  /** The grid's word for what it does to a list. Paging and text have none. */
  readonly role?: "filter" | "sort";
}

export interface Endpoint {
  /** Path below the base address, without a leading slash; "" is the status. */
  readonly path: string;
  readonly purpose: string;
  readonly params: readonly Param[];
  /** Has `page` and `per_page`, and a pagination object. */
  readonly paginated: boolean;
  /** At least one of these parameters must be given. */
  readonly needs?: readonly string[];
}

/** The path that all endpoints live under; the base address ends in it. */
export const API_PATH = "/api/v1";
export const API_VERSION = "1.0";
export const MAX_SLUG_LENGTH = 150;
/** The largest whole number a parameter takes: 15 digits stay exact in every JavaScript engine. */
const MAX_INTEGER = 999999999999999;
/** Characters of a search text, counted after trimming and NFKC. */
export const MAX_TEXT_LENGTH = 200;
export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;
export const DEFAULT_FAQ_LIMIT = 100;

const page: Param = {
  name: "page",
  kind: "integer",
  min: 1,
  max: MAX_INTEGER,
  default: "1",
  meaning: "Page of the list, from 1. Past the end: an empty list with the true totals.",
};
const perPage: Param = {
  name: "per_page",
  kind: "integer",
  min: 1,
  max: MAX_INTEGER,
  clamp: MAX_PER_PAGE,
  default: "20",
  meaning: "Records a page. Above 100 it is read as 100, and pagination.per_page says so.",
};
const limitAlias: Param = {
  name: "limit",
  kind: "integer",
  min: 1,
  max: MAX_INTEGER,
  clamp: MAX_PER_PAGE,
  aliasOf: "per_page",
  meaning: "Another name for per_page, which wins where both stand.",
};
const productId: Param = {
  name: "product_id",
  kind: "integer",
  min: 1,
  max: MAX_INTEGER,
  role: "filter",
  meaning: "Only records of the product with this id.",
};
const productSlug: Param = {
  name: "product_slug",
  kind: "slug",
  role: "filter",
  meaning: "Only records of the product with this slug.",
};

function flag(name: string, meaning: string): Param {
  return { name: name, kind: "flag", role: "filter", meaning: meaning };
}

function slugFilter(name: string, meaning: string): Param {
  return { name: name, kind: "slug", role: "filter", meaning: meaning };
}

function text(name: string, meaning: string): Param {
  return { name: name, kind: "text", meaning: meaning };
}

const PRODUCT_SORTS: readonly string[] = [
  "newest",
  "oldest",
  "updated",
  "price_asc",
  "price_desc",
  "title_asc",
  "title_desc",
  "rating",
];
const REVIEW_SORTS: readonly string[] = ["newest", "oldest", "highest", "lowest"];
const PRODUCT_STATUSES: readonly string[] = ["published", "coming_soon", "preorder"];
const SEARCH_TYPES: readonly string[] = ["product", "category", "blog"];

const productParams: readonly Param[] = [
  page,
  perPage,
  text("search", "Only products whose texts have all these words; the last word may be a beginning."),
  slugFilter("category", "Only products of the category with this slug."),
  slugFilter("type", "Only products of this kind, for example script."),
  {
    name: "status",
    kind: "choice",
    role: "filter",
    values: PRODUCT_STATUSES,
    meaning: "Only products in this state.",
  },
  {
    name: "sort",
    kind: "choice",
    role: "sort",
    values: PRODUCT_SORTS,
    default: "newest",
    textDefault: "relevance",
    meaning: "Order of the list. With search, also relevance, which is the default then.",
  },
  {
    name: "min_price",
    kind: "price",
    default: "0",
    meaning: "Only products whose current price is at least this, in the store's currency.",
  },
  {
    name: "max_price",
    kind: "price",
    meaning: "Only products whose current price is at most this, in the store's currency.",
  },
  flag("featured", "True: only featured products; false: only the others."),
  flag("coming_soon", "True: only products that are coming soon; false: only the others."),
  flag("preorder", "True: only products on preorder; false: only the others."),
];

const reviewParams: readonly Param[] = [
  productId,
  productSlug,
  {
    name: "rating",
    kind: "integer",
    role: "filter",
    min: 1,
    max: 5,
    meaning: "Only reviews with exactly this rating.",
  },
  {
    name: "min_rating",
    kind: "integer",
    role: "filter",
    min: 1,
    max: 5,
    default: "1",
    meaning: "Only reviews with at least this rating.",
  },
  page,
  perPage,
  limitAlias,
  {
    name: "sort",
    kind: "choice",
    role: "sort",
    values: REVIEW_SORTS,
    default: "newest",
    meaning: "Order of the list.",
  },
];

const forumParams: readonly Param[] = [
  page,
  perPage,
  {
    name: "slug",
    kind: "slug",
    selects: true,
    meaning: "Selects one thread, with its content and replies; the other parameters are then ignored.",
  },
  slugFilter("subforum", "Only threads of the subforum with this slug."),
  slugFilter("category", "Only threads of the forum category with this slug."),
  slugFilter("type", "Only threads of this kind, for example question."),
  flag("solved", "True: only solved threads; false: only the others."),
  text("q", "Only threads whose texts have all these words; the last word may be a beginning."),
];

/** All endpoints, in the contract's order. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    path: "",
    purpose: "API status: store identity, enabled endpoints, documentation links",
    params: [],
    paginated: false,
  },
  {
    path: "store",
    purpose: "Store metadata, branding, social links, widget availability",
    params: [],
    paginated: false,
  },
  {
    path: "products",
    purpose: "List products (published, coming soon, preorder) with filters",
    params: productParams,
    paginated: true,
  },
  {
    path: "product",
    purpose: "One product by slug or id",
    params: [
      { name: "slug", kind: "slug", meaning: "The product's slug." },
      {
        name: "id",
        kind: "integer",
        min: 1,
        max: MAX_INTEGER,
        meaning: "The product's id. With slug: both must select the same product.",
      },
    ],
    paginated: false,
    needs: ["slug", "id"],
  },
  { path: "categories", purpose: "List categories with product counts", params: [], paginated: false },
  {
    path: "faqs",
    purpose: "Active FAQs",
    params: [
      productId,
      productSlug,
      slugFilter("type", "Only FAQs of this kind, for example licensing."),
      {
        name: "limit",
        kind: "integer",
        min: 1,
        max: MAX_INTEGER,
        clamp: DEFAULT_FAQ_LIMIT,
        default: "100",
        meaning: "At most this many records; above 100 it is read as 100.",
      },
    ],
    paginated: false,
  },
  { path: "reviews", purpose: "Approved reviews", params: reviewParams, paginated: true },
  {
    path: "releases",
    purpose: "Release and changelog metadata without download paths",
    params: [productId, productSlug, limitAlias, page, perPage],
    paginated: true,
  },
  {
    path: "blog",
    purpose: "Published blog posts; with slug, one post",
    params: [
      page,
      perPage,
      text("q", "Only posts whose texts have all these words; the last word may be a beginning."),
      {
        name: "slug",
        kind: "slug",
        selects: true,
        meaning: "Selects one post, with its content; the other parameters are then ignored.",
      },
    ],
    paginated: true,
  },
  {
    path: "forum",
    purpose: "Threads of publicly accessible subforums; with slug, one thread",
    params: forumParams,
    paginated: true,
  },
  {
    path: "search",
    purpose: "Search products, categories and public blog content",
    params: [
      text(
        "q",
        "Search text: all words must match, the last as a beginning; small typing errors are forgiven.",
      ),
      {
        name: "type",
        kind: "choice",
        values: SEARCH_TYPES,
        meaning: "Only results of this kind.",
      },
      page,
      perPage,
    ],
    paginated: true,
    needs: ["q"],
  },
  { path: "widgets", purpose: "Embeddable widgets and script examples", params: [], paginated: false },
  { path: "openapi.json", purpose: "OpenAPI description of the API", params: [], paginated: false },
];

/** Query parameters that mean nothing here and are dropped: names that begin so, and these names. */
export const IGNORED_PREFIXES: readonly string[] = ["_", "utm_"];
export const IGNORED_NAMES: readonly string[] = ["fbclid", "gclid"];

/** Files beside the API's answers, by their key. */
export const ASSETS: readonly string[] = ["widgets/reviews.js"];
