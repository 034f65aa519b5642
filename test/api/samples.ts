/** One record of each kind, as a store would have it, and the options that make a document of them. */
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import type { OpenApiOptions } from "../../src/api/openapi.ts";
import type * as types from "../../src/api/types.ts";

const site = "https://store.test";
const at = "2025-11-03 09:30:00";

const category: types.Category = {
  id: 3,
  name: "Scripts",
  slug: "scripts",
  description: "Small programs that do one thing.",
  product_count: 14,
  url: `${site}/category/scripts`,
};

const product: types.Product = {
  id: 12,
  title: "Invoice Kit",
  slug: "invoice-kit",
  excerpt: "Invoices from plain text.",
  description_short: "Makes invoices from plain text files.",
  category,
  type: "script",
  status: "published",
  price: 49,
  sale_price: 39.5,
  currency: "EUR",
  image: `${site}/images/invoice-kit.png`,
  rating_summary: { average: 4.6, best: 5, worst: 3, count: 27 },
  review_count: 27,
  public_url: `${site}/product/invoice-kit`,
  demo_url: "",
  docs_url: `${site}/docs/invoice-kit`,
  created_at: "2024-05-01 08:00:00",
  updated_at: at,
  pricing: { regular: 49, sale: 39.5, preorder: null, current: 39.5, extended: 199, currency: "EUR" },
};

const faq: types.Faq = {
  id: 7,
  product_id: 12,
  product_slug: "invoice-kit",
  type: "licensing",
  question: "May I use it for two shops?",
  answer: "Yes, with the extended licence.",
  answer_html: "<p>Yes, with the extended licence.</p>",
};

const release: types.Release = {
  product_id: 12,
  product_title: "Invoice Kit",
  version: "2.1.0",
  title: "Credit notes",
  notes: "Adds credit notes.",
  release_date: at,
  public_url: `${site}/product/invoice-kit/releases/2.1.0`,
};

const post: types.BlogPost = {
  id: 5,
  title: "How we test invoices",
  slug: "how-we-test-invoices",
  excerpt: "Ten thousand of them, every night.",
  image: "",
  url: `${site}/blog/how-we-test-invoices`,
  published_at: at,
  updated_at: at,
};

const content = { content_html: "<p>The content.</p>", content_text: "The content." };

const thread: types.Thread = {
  id: 31,
  title: "Where do totals come from?",
  slug: "where-do-totals-come-from",
  excerpt: "I looked everywhere.",
  type: "question",
  subforum: { slug: "help", name: "Help" },
  category: null,
  author_display_name: "Mira",
  pinned: false,
  locked: false,
  solved: true,
  reply_count: 1,
  created_at: at,
  last_activity_at: at,
  url: `${site}/forum/where-do-totals-come-from`,
};

const reply = {
  id: 90,
  author_display_name: "Jo",
  content_html: "<p>Lines.</p>",
  is_solution: true,
  created_at: at,
};

const review: types.Review = {
  id: 401,
  product_id: 12,
  product_title: "Invoice Kit",
  product_slug: "invoice-kit",
  rating: 5,
  title: "Does what it says",
  body: "Set up in ten minutes.",
  customer_display_name: "Ada L.",
  customer_avatar: "",
  verified_purchase: true,
  created_at: at,
  product_url: `${site}/product/invoice-kit`,
};

const widget: types.Widget = {
  key: "reviews",
  name: "Reviews",
  script: `${site}/widgets/reviews.js`,
  description: "Approved reviews of one product.",
  data_attributes: ["data-product-slug", "data-limit", "data-theme", "data-container"],
  embed_example: `<script src="${site}/widgets/reviews.js" data-product-slug="invoice-kit"></script>`,
};

const store: types.Store = {
  store_name: "Sample Store",
  tagline: "Small tools for small shops",
  description: "We sell scripts.",
  logo_url: `${site}/logo.svg`,
  favicon_url: `${site}/favicon.ico`,
  currency: "EUR",
  public_url: site,
  support_url: `${site}/support`,
  docs_url: `${site}/docs`,
  blog_url: `${site}/blog`,
  social_links: [{ network: "github", url: "https://github.com/sample-store" }],
  available_widgets: [widget],
  api_version: "1.0",
};

const baseUrl = "https://api.store.test/api/v1";

const status: types.Status = {
  name: "Sample Store catalog API",
  status: "ok",
  api_version: "1.0",
  store: { store_name: "Sample Store", public_url: site },
  endpoints: [{ path: "/store", url: `${baseUrl}/store`, parameters: [], enabled: true }],
  documentation: { openapi_url: `${baseUrl}/openapi.json`, docs_url: `${site}/docs` },
};

const found: types.SearchResult = {
  type: "product",
  id: 12,
  title: "Invoice Kit",
  slug: "invoice-kit",
  snippet: "Makes invoices from plain text files.",
  highlight: "Makes <mark>invoices</mark> from plain text files.",
  url: `${site}/product/invoice-kit`,
  image: null,
  score: 1,
};

export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Status: status,
  Store: store,
  Product: product,
  ProductDetail: {
    ...product,
    gallery: [`${site}/images/invoice-kit-2.png`],
    description: "The whole story.",
    description_html: "<p>The whole story.</p>",
    faqs: [faq],
    latest_release: release,
  } satisfies types.ProductDetail,
  Category: category,
  FAQ: faq,
  Review: review,
  Release: release,
  BlogPost: post,
  BlogPostDetail: { ...post, ...content } satisfies types.BlogPostDetail,
  Thread: thread,
  ThreadDetail: { ...thread, ...content, replies: [reply] } satisfies types.ThreadDetail,
  SearchResult: found,
  Widget: widget,
};

export const OPTIONS: OpenApiOptions = {
  baseUrl,
  siteUrl: site,
  storeName: "Sample Store",
  endpoints: ENDPOINTS,
  examples: EXAMPLES,
  cacheControl: {
    answer: "public, max-age=60, s-maxage=300, stale-if-error=86400",
    clientError: "public, max-age=10",
    failure: "no-store",
  },
  rateLimit: { requests: 120, windowSeconds: 60, message: "Too many requests." },
};
