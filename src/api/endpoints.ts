/**
 * The API as data: every endpoint, its parameters in the contract's order, their rules and defaults.
 * Plain tables without imports, because the key function carries them into every edge (njs, CloudFront, Workers). For the
 * same reason, the descriptions for people are beside the records and not here.
 */

/** How a parameter's value is read and spelled canonically. */
export type ParamKind =
  /** whole number of at most 15 digits, `min` to `max`, leading zeros dropped; over `clamp` it becomes `clamp` */
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
  /** What an absent parameter means; a value equal to it is left out of the key. */
  readonly default?: string;
  readonly min?: number;
  readonly max?: number;
  /** Integers above this are read as this. */
  readonly clamp?: number;
  readonly values?: readonly string[];
  /** One more allowed value, and the default, if the endpoint's text parameter is given. */
  readonly textDefault?: string;
  /** This parameter is another name for the one named here, which wins if both are given. */
  readonly aliasOf?: string;
  /** This parameter selects one record by itself; all others are then ignored. */
  readonly selects?: true;
  /** How the grid uses it on a list. Paging and text parameters have no role. */
  readonly role?: "filter" | "sort";
}

export interface Endpoint {
  /** Path below the base address, without a leading slash; "" is the status. */
  readonly path: string;
  readonly params: readonly Param[];
  /** Has `page` and `per_page`, and a pagination object. */
  readonly paginated?: true;
  /** At least one of these parameters must be given. */
  readonly needs?: readonly string[];
}

/** The path that all endpoints live under; the base address ends in it. */
export const API_PATH = "/api/v1";
export const API_VERSION = "1.0";
/** Address for agents, at the host's root. It is not part of the API. */
export const MCP_PATH = "/mcp";
/** Largest whole number of requests and answers: 15 digits are exact in every engine. */
export const MAX_WHOLE = 999_999_999_999_999;
export const MAX_SLUG_LENGTH = 150;
/** Longest request target that is read; RFC 9112 §3 recommends at least 8,000. */
export const MAX_TARGET_BYTES = 8192;
/** Characters of a search text, counted after trimming and NFKC. */
export const MAX_TEXT_LENGTH = 200;
export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;
export const DEFAULT_FAQ_LIMIT = 100;

const page = { name: "page", kind: "integer", min: 1, default: "1" } as const;
const perPage = {
  name: "per_page",
  kind: "integer",
  min: 1,
  clamp: MAX_PER_PAGE,
  default: "20",
} as const;
const limitAlias = {
  name: "limit",
  kind: "integer",
  min: 1,
  clamp: MAX_PER_PAGE,
  aliasOf: "per_page",
} as const;
const productId = { name: "product_id", kind: "integer", min: 1, role: "filter" } as const;
const productSlug = { name: "product_slug", kind: "slug", role: "filter" } as const;
const selectingSlug = { name: "slug", kind: "slug", selects: true } as const;

function flag<const Name extends string>(name: Name) {
  return { name: name, kind: "flag", role: "filter" } as const;
}

function slugFilter<const Name extends string>(name: Name) {
  return { name: name, kind: "slug", role: "filter" } as const;
}

function text<const Name extends string>(name: Name) {
  return { name: name, kind: "text" } as const;
}

/** All endpoints, in the contract's order. */
const TABLE = [
  { path: "", params: [] },
  { path: "store", params: [] },
  {
    path: "products",
    params: [
      page,
      perPage,
      text("search"),
      slugFilter("category"),
      slugFilter("type"),
      {
        name: "status",
        kind: "choice",
        role: "filter",
        values: ["published", "coming_soon", "preorder"],
      },
      {
        name: "sort",
        kind: "choice",
        role: "sort",
        values: [
          "newest",
          "oldest",
          "updated",
          "price_asc",
          "price_desc",
          "title_asc",
          "title_desc",
          "rating",
        ],
        default: "newest",
        textDefault: "relevance",
      },
      { name: "min_price", kind: "price", default: "0" },
      { name: "max_price", kind: "price" },
      flag("featured"),
      flag("coming_soon"),
      flag("preorder"),
    ],
    paginated: true,
  },
  {
    path: "product",
    params: [
      { name: "slug", kind: "slug" },
      { name: "id", kind: "integer", min: 1 },
    ],
    needs: ["slug", "id"],
  },
  { path: "categories", params: [] },
  {
    path: "faqs",
    params: [
      productId,
      productSlug,
      slugFilter("type"),
      {
        name: "limit",
        kind: "integer",
        min: 1,
        clamp: DEFAULT_FAQ_LIMIT,
        default: "100",
      },
    ],
  },
  {
    path: "reviews",
    params: [
      productId,
      productSlug,
      { name: "rating", kind: "integer", role: "filter", min: 1, max: 5 },
      { name: "min_rating", kind: "integer", role: "filter", min: 1, max: 5, default: "1" },
      page,
      perPage,
      limitAlias,
      {
        name: "sort",
        kind: "choice",
        role: "sort",
        values: ["newest", "oldest", "highest", "lowest"],
        default: "newest",
      },
    ],
    paginated: true,
  },
  { path: "releases", params: [productId, productSlug, limitAlias, page, perPage], paginated: true },
  { path: "blog", params: [page, perPage, text("q"), selectingSlug], paginated: true },
  {
    path: "forum",
    params: [
      page,
      perPage,
      selectingSlug,
      slugFilter("subforum"),
      slugFilter("category"),
      slugFilter("type"),
      flag("solved"),
      text("q"),
    ],
    paginated: true,
  },
  {
    path: "search",
    params: [
      text("q"),
      { name: "type", kind: "choice", values: ["product", "category", "blog"] },
      page,
      perPage,
    ],
    paginated: true,
    needs: ["q"],
  },
  { path: "widgets", params: [] },
  { path: "openapi.json", params: [] },
] as const;

export const ENDPOINTS: readonly Endpoint[] = TABLE;

type Row<Path extends EndpointPath> = Extract<(typeof TABLE)[number], { readonly path: Path }>;
type ParamOf<Path extends EndpointPath> = Row<Path>["params"][number];

export type EndpointPath = (typeof TABLE)[number]["path"];
/** Names of an endpoint's parameters. */
export type ParamName<Path extends EndpointPath> = ParamOf<Path>["name"];
/** Names of the parameters that filter an endpoint's list. */
export type FilterName<Path extends EndpointPath> = Extract<
  ParamOf<Path>,
  { readonly role: "filter" }
>["name"];
/** Values of an endpoint's `sort`; never if it has none. */
export type SortName<Path extends EndpointPath> = Extract<
  ParamOf<Path>,
  { readonly role: "sort"; readonly values: readonly string[] }
>["values"][number];

type ValueOf<P> = P extends { readonly values: readonly (infer Value)[]; readonly textDefault: infer More }
  ? Value | More
  : P extends { readonly values: readonly (infer Value)[] }
    ? Value
    : P extends { readonly kind: "integer" | "price" }
      ? number
      : P extends { readonly kind: "flag" }
        ? boolean
        : string;
/** A program's query to an endpoint: `{ category: "scripts", min_price: 9.5, featured: true }`. Null means absent. */
export type QueryOf<Path extends EndpointPath> = {
  readonly [P in ParamOf<Path> as P["name"]]?: ValueOf<P> | null | undefined;
};

/** Query parameters that are dropped because they have no meaning here: by prefix, and by name. */
export const IGNORED_PREFIXES: readonly string[] = ["_", "utm_"];
export const IGNORED_NAMES: readonly string[] = ["fbclid", "gclid"];

/** Widgets that other sites embed: each is a file. */
export const WIDGETS = ["reviews", "badge", "card", "grid", "faq"] as const;

/** The client of the API as a module: the same file in all snapshots of one version. */
export const CLIENT_FILE = "widgets/client.js";

/** The module by which the review widget adds JSON-LD for search engines. */
export const JSON_LD_FILE = "widgets/json-ld.js";

/** The widgets' languages besides English: each is a file of texts, `widgets/de.json`. */
export const WIDGET_LANGUAGES = ["de", "fr", "es", "it", "pt", "nl", "pl", "ja", "ar"] as const;

/** Keys of the files that are not answers of the API: the widgets in their order, the client, and what the widgets load. */
export const ASSETS: readonly string[] = WIDGETS.map((name) => `widgets/${name}.js`).concat(
  CLIENT_FILE,
  JSON_LD_FILE,
  WIDGET_LANGUAGES.map((language) => `widgets/${language}.json`),
);

/** Folders of the pages for people, below the site's root: the explorer and the reference. */
export const PAGE_FOLDERS: readonly string[] = ["explore", "docs"];
/** Feeds for search engines, feed readers and marketplaces. */
const FEEDS_FOLDER = "feeds";
/** Names the parts of the sitemap. */
export const SITEMAP_INDEX: string = `${FEEDS_FOLDER}/sitemap.xml`;
/** All records in files, for copies and analysis. */
export const BULK_FOLDER = "bulk";
/** Names the other files of that folder. */
export const BULK_INDEX: string = `${BULK_FOLDER}/index.json`;
/** Folders with files that are requested by their paths. */
export const FILE_FOLDERS: readonly string[] = PAGE_FOLDERS.concat(FEEDS_FOLDER, BULK_FOLDER);
/** Agents look for it at the root. */
export const LLMS_FILE = "llms.txt";
/** Served for the address of a folder. */
export const INDEX_FILE = "index.html";

/** True if the store offers an endpoint; the status is always offered. */
export function offers(config: { readonly endpoints: readonly string[] }, path: string): boolean {
  return path === "" || config.endpoints.some((offered) => offered === path);
}
