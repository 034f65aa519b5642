/** Settings that change a shop's answers, as a schema that is also a type, with their defaults. The catalog holds them. */
import * as Type from "typebox";
import { DEFAULT_PER_PAGE, ENDPOINTS, MAX_PER_PAGE } from "./endpoints.ts";
import { DEFAULT_RATE_LIMIT, MAX_RATE, RATE_LIMIT } from "./errors.ts";
import { closed } from "./field.ts";

/** `grid.pages: "auto"`: all pages while the whole grid has at most this many files, else this many pages of each list. */
export const AUTO: { readonly files: number; readonly pages: number } = { files: 25_000, pages: 10 };

const seconds = (value: number, description: string) =>
  Type.Integer({ minimum: 0, default: value, description: `${description} In seconds.` });

export const webAddress = (pattern: string, example: string, description: string) =>
  Type.String({ pattern, examples: [example], description });

const feed = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Feeds other than the API. Each is off by default. */
const feeds = Type.Object(
  {
    sitemap: feed("The shop's pages for search engines: feeds/sitemap.xml and its parts."),
    news: feed("The newest products, releases and posts, as Atom and JSON Feed."),
    llms: feed("llms.txt for agents: a description of the shop and the addresses of its data."),
    jsonLd: feed("schema.org data of each product, for its page in the shop: feeds/jsonld/ID.jsonld."),
    google: feed("Google Merchant Center: feeds/google.tsv and feeds/google.xml."),
    bulk: feed("All records, for copies and analysis: bulk/index.json and compressed lines of JSON."),
  },
  {
    ...closed,
    description: "Files for search engines, feed readers, marketplaces and agents (docs/feeds.md).",
  },
);

/** The catalog holds all of them, so nothing here is private. */
export const PublicConfig = Type.Object(
  {
    baseUrl: webAddress(
      "^https?://[^?#@]+/api/v1$",
      "https://api.shop.example/api/v1",
      "Public base address of the API, ending in /api/v1.",
    ),
    siteUrl: webAddress(
      "^https?://[^?#@]+[^/?#@]$",
      "https://shop.example",
      "Public address of the shop's site, without a slash at the end.",
    ),
    endpoints: Type.Array(
      Type.Enum(ENDPOINTS.filter((endpoint) => endpoint.path !== "").map((endpoint) => endpoint.path)),
      {
        uniqueItems: true,
        default: ENDPOINTS.filter((endpoint) => endpoint.path !== "").map((endpoint) => endpoint.path),
        description: "Endpoints that this store offers, besides the status. The others answer 404.",
      },
    ),
    grid: Type.Object(
      {
        depth: Type.Integer({
          minimum: 0,
          maximum: 3,
          default: 2,
          description: "How many filters are combined in files. The fallback answers requests with more.",
        }),
        maxFiles: Type.Integer({
          minimum: 100,
          default: 50_000,
          description: "Ceiling on the number of files. The fallback answers the least important pages.",
        }),
        maxFileBytes: Type.Optional(
          Type.Integer({
            minimum: 100_000,
            description:
              "Largest size of a file in bytes. The fallback gives larger answers; larger feed files are not made. Default: no limit.",
          }),
        ),
        pages: Type.Optional(
          Type.Union([Type.Enum(["auto", "all"]), Type.Integer({ minimum: 1 })], {
            default: "auto",
            description:
              `How many pages of each list become files; the fallback answers deeper ones. "auto": all, if the whole grid has at most ` +
              `${AUTO.files.toLocaleString("en")} files, else the first ${AUTO.pages}.`,
          }),
        ),
      },
      { ...closed, default: {}, description: "Which queries become files." },
    ),
    pageSizes: Type.Array(Type.Integer({ minimum: 1, maximum: MAX_PER_PAGE }), {
      uniqueItems: true,
      default: [DEFAULT_PER_PAGE],
      description: `Values of per_page that become files; ${DEFAULT_PER_PAGE} always does.`,
    }),
    cache: Type.Object(
      {
        maxAgeSeconds: seconds(60, "How long a client may keep an answer."),
        sharedMaxAgeSeconds: seconds(300, "How long a CDN may keep an answer."),
        staleIfErrorSeconds: seconds(86_400, "How long an old answer may be served while the server fails."),
        errorMaxAgeSeconds: seconds(10, "How long a 4xx answer other than 429 may be kept."),
      },
      { ...closed, default: {}, description: "How long caches may keep answers." },
    ),
    pages: Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            images: Type.Optional(
              Type.Boolean({
                description:
                  "Whether the explorer shows the catalog's images, from their own addresses. Default: true.",
              }),
            ),
          },
          closed,
        ),
      ],
      {
        default: {},
        description: "The explorer at /explore/ and the reference at /docs/. False makes neither.",
      },
    ),
    feeds: Type.Optional(feeds),
    rateLimit: Type.Object(
      {
        // AWS WAF counts from 10.
        requests: Type.Integer({
          minimum: 10,
          maximum: MAX_RATE,
          default: DEFAULT_RATE_LIMIT.requests,
          description: `How many requests a client address may send in ${RATE_LIMIT.windowSeconds} seconds. More get 429.`,
        }),
      },
      { ...closed, default: {}, description: "The rate limit of the edges." },
    ),
  },
  closed,
);
export type PublicConfig = Type.Static<typeof PublicConfig>;
