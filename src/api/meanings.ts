/** The words for people about endpoints and parameters. Apart from their rules, so that no edge carries them. */
import type { Endpoint, Param } from "./endpoints.ts";

const PAGE = "Page of the list, from 1. Past the end: an empty list with the true totals.";
const PER_PAGE = "Records a page. Above 100 it is read as 100, and pagination.per_page says so.";
const LIMIT = "Another name for per_page, which wins where both stand.";
const PRODUCT_ID = "Only records of the product with this id.";
const PRODUCT_SLUG = "Only records of the product with this slug.";

interface Meaning {
  readonly purpose: string;
  readonly params: Readonly<Record<string, string>>;
}

/** By path, then by the parameter's name. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "": {
    purpose: "API status: store identity, enabled endpoints, documentation links",
    params: {},
  },
  store: {
    purpose: "Store metadata, branding, social links, widget availability",
    params: {},
  },
  products: {
    purpose: "List products (published, coming soon, preorder) with filters",
    params: {
      page: PAGE,
      per_page: PER_PAGE,
      search: "Only products whose texts have all these words; the last word may be a beginning.",
      category: "Only products of the category with this slug.",
      type: "Only products of this kind, for example script.",
      status: "Only products in this state.",
      sort: "Order of the list. With search, also relevance, which is the default then.",
      min_price: "Only products whose current price is at least this, in the store's currency.",
      max_price: "Only products whose current price is at most this, in the store's currency.",
      featured: "True: only featured products; false: only the others.",
      coming_soon: "True: only products that are coming soon; false: only the others.",
      preorder: "True: only products on preorder; false: only the others.",
    },
  },
  product: {
    purpose: "One product by slug or id",
    params: {
      slug: "The product's slug.",
      id: "The product's id. With slug: both must select the same product.",
    },
  },
  categories: {
    purpose: "List categories with product counts",
    params: {},
  },
  faqs: {
    purpose: "Active FAQs",
    params: {
      product_id: PRODUCT_ID,
      product_slug: PRODUCT_SLUG,
      type: "Only FAQs of this kind, for example licensing.",
      limit: "At most this many records; above 100 it is read as 100.",
    },
  },
  reviews: {
    purpose: "Approved reviews",
    params: {
      product_id: PRODUCT_ID,
      product_slug: PRODUCT_SLUG,
      rating: "Only reviews with exactly this rating.",
      min_rating: "Only reviews with at least this rating.",
      page: PAGE,
      per_page: PER_PAGE,
      limit: LIMIT,
      sort: "Order of the list.",
    },
  },
  releases: {
    purpose: "Release and changelog metadata without download paths",
    params: {
      product_id: PRODUCT_ID,
      product_slug: PRODUCT_SLUG,
      limit: LIMIT,
      page: PAGE,
      per_page: PER_PAGE,
    },
  },
  blog: {
    purpose: "Published blog posts; with slug, one post",
    params: {
      page: PAGE,
      per_page: PER_PAGE,
      q: "Only posts whose texts have all these words; the last word may be a beginning.",
      slug: "Selects one post, with its content; the other parameters are then ignored.",
    },
  },
  forum: {
    purpose: "Threads of publicly accessible subforums; with slug, one thread",
    params: {
      page: PAGE,
      per_page: PER_PAGE,
      slug: "Selects one thread, with its content and replies; the other parameters are then ignored.",
      subforum: "Only threads of the subforum with this slug.",
      category: "Only threads of the forum category with this slug.",
      type: "Only threads of this kind, for example question.",
      solved: "True: only solved threads; false: only the others.",
      q: "Only threads whose texts have all these words; the last word may be a beginning.",
    },
  },
  search: {
    purpose: "Search products, categories and public blog content",
    params: {
      q: "Search text: all words must match, the last as a beginning; small typing errors are forgiven.",
      type: "Only results of this kind.",
      page: PAGE,
      per_page: PER_PAGE,
    },
  },
  widgets: {
    purpose: "Embeddable widgets and script examples",
    params: {},
  },
  "openapi.json": {
    purpose: "OpenAPI description of the API",
    params: {},
  },
};

function meaningOfEndpoint(endpoint: Endpoint): Meaning {
  const meaning = MEANINGS[endpoint.path];
  if (meaning === undefined) throw new Error(`/${endpoint.path} has no words in meanings.ts`);
  return meaning;
}

/** What an endpoint is for: `"List categories with product counts"`. */
export function purposeOf(endpoint: Endpoint): string {
  return meaningOfEndpoint(endpoint).purpose;
}

/** What a parameter does to the endpoint's answer, in whole sentences. */
export function meaningOf(endpoint: Endpoint, param: Param): string {
  const meaning = meaningOfEndpoint(endpoint).params[param.name];
  if (meaning === undefined)
    throw new Error(`${param.name} of /${endpoint.path} has no words in meanings.ts`);
  return meaning;
}
