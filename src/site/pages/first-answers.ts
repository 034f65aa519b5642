/**
 * The requests that the reference shows, and this shop's answers, cut to be read: the first page of each list, and the record of
 * each kind with the smallest id. Files answer all of them but the search.
 */
import { type Endpoint, MAX_TEXT_LENGTH } from "../../api/endpoints.ts";
import { operationOf } from "../../api/envelope.ts";
import { EXAMPLE_TIME } from "../../api/openapi.ts";
import type { Product } from "../../api/records/product.ts";
import { tidyText } from "../../base/text.ts";
import { answerQuery } from "../../catalog/answer.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type Resource, resourceNamed, resourceOf } from "../../catalog/resources.ts";
import { queryFor } from "../grid.ts";

/** A request that the programs of an example send. */
export interface Request {
  readonly endpoint: Endpoint;
  /** Below the base address: `product?slug=invoice-kit` */
  readonly rest: string;
  readonly url: string;
  /** True where one record is asked for of an endpoint that also has a list. */
  readonly isOne: boolean;
}

export interface Example extends Request {
  /** As it is answered, but shorter. */
  readonly answer: unknown;
  /** What was cut: `["1 of 20 in data", "texts after 120 characters"]` */
  readonly cuts: readonly string[];
  /** True of a list without a record. */
  readonly isEmpty: boolean;
}

type Values = Readonly<Record<string, string>>;

const SHOWN_LETTERS = 120;
const SHOWN_RECORDS = 1;
const SHOWN_SCALARS = 3;
/** The short members of the OpenAPI document. */
const SHOWN_OF_DOCUMENT = ["openapi", "info", "servers"];

/** Escapes characters that could end a quoted text in a shell, JavaScript, PHP or Python: `'` → `%27` */
function quotable(url: string): string {
  return url.replace(/[^A-Za-z0-9\-._~:/?#[\]@!&()*+,;=%]/gu, (letter) =>
    letter === "'" ? "%27" : encodeURIComponent(letter.toWellFormed()),
  );
}

/** The longest word of a title finds its record, and reads better than its first. */
function soughtWord(title: string): string {
  const words = tidyText(title).split(" ");
  const [longest = ""] = words.sort((a, b) => b.length - a.length);
  return [...longest].slice(0, MAX_TEXT_LENGTH).join("");
}

/** The slug of the first record, or null where the shop has none. */
function firstSlug(catalog: Catalog, resource: Resource): string | null {
  const first = catalog.first(resource);
  return first === null ? null : (JSON.parse(first.list) as { slug: string }).slug;
}

/** The parameters of each example of an endpoint. */
function valuesOf(catalog: Catalog, endpoint: Endpoint): Values[] {
  const { path, params } = endpoint;
  const slugs = (resource: Resource): Values[] => {
    const slug = firstSlug(catalog, resource);
    return slug === null ? [] : [{ slug }];
  };
  if (path === "product") return slugs(resourceNamed("product"));
  if (path === "search") {
    const first = catalog.first(resourceNamed("product"));
    return [{ q: first === null ? "a" : soughtWord((JSON.parse(first.list) as Product).title) }];
  }
  const resource = resourceOf(path);
  return [
    {},
    ...(resource !== undefined && params.some(({ selects }) => selects === true) ? slugs(resource) : []),
  ];
}

function requestOf(baseUrl: string, endpoint: Endpoint, values: Values): Request {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const rest = quotable([endpoint.path, pairs.join("&")].filter((part) => part !== "").join("?"));
  const url = quotable(rest === "" ? baseUrl : `${baseUrl}/${rest}`);
  const isOne = operationOf(endpoint).list !== undefined && "slug" in values;
  return { endpoint, rest, url, isOne };
}

/** A value with its long texts and lists cut. `path` names it in the words for what was cut. */
function shortened(value: unknown, path: string, cuts: Set<string>): unknown {
  if (typeof value === "string") {
    const letters = [...value.slice(0, 2 * SHOWN_LETTERS)];
    if (letters.length <= SHOWN_LETTERS) return value;
    cuts.add(`texts after ${SHOWN_LETTERS} characters`);
    return `${letters
      .slice(0, SHOWN_LETTERS - 1)
      .join("")
      .trimEnd()}…`;
  }
  if (Array.isArray(value)) {
    const most = typeof value[0] === "object" ? SHOWN_RECORDS : SHOWN_SCALARS;
    if (value.length > most) cuts.add(`${most} of ${value.length} in ${path}`);
    return value.slice(0, most).map((each, at) => shortened(each, `${path}[${at}]`, cuts));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      shortened(each, path === "" ? name : `${path}.${name}`, cuts),
    ]),
  );
}

/** A list with two parameters: products of the first product's category, the cheapest first. Null without a product. */
export function filteredRequest(catalog: Catalog, endpoint: Endpoint): Request | null {
  const first = catalog.first(resourceNamed("product"));
  if (first === null) return null;
  const { category } = JSON.parse(first.list) as Product;
  return requestOf(catalog.config.baseUrl, endpoint, { category: category.slug, sort: "price_asc" });
}

function exampleOf(catalog: Catalog, endpoint: Endpoint, values: Values): Example | null {
  // A query has texts as byte strings, as keys do.
  const bytes = Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]);
  const body = answerQuery(catalog, queryFor(endpoint, Object.fromEntries(bytes)));
  if (body === null) return null;
  const cuts = new Set<string>();
  const whole = JSON.parse(body.bytes.toString()) as Record<string, unknown>;
  const { data, meta } = whole as { data?: unknown; meta?: object };
  let answer = whole;
  // The real time of an answer changes with every record of its list, and this page would change with it.
  if (meta !== undefined) answer = { ...whole, meta: { ...meta, generated_at: EXAMPLE_TIME } };
  else {
    answer = Object.fromEntries(SHOWN_OF_DOCUMENT.map((name) => [name, whole[name]]));
    const others = Object.keys(whole).filter((name) => !SHOWN_OF_DOCUMENT.includes(name));
    cuts.add(`without ${others.join(", ")}`);
  }
  return {
    ...requestOf(catalog.config.baseUrl, endpoint, values),
    answer: shortened(answer, "", cuts),
    cuts: [...cuts],
    isEmpty: Array.isArray(data) && data.length === 0,
  };
}

/** The examples of an endpoint. There are none if it needs a record and the shop has no record. */
export function examplesOf(catalog: Catalog, endpoint: Endpoint): Example[] {
  return valuesOf(catalog, endpoint).flatMap((values) => exampleOf(catalog, endpoint, values) ?? []);
}
