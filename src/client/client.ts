/**
 * The API for programs: `vitrine/client`, and `widgets/client.js` of every snapshot, for browsers, Node and Workers. It needs
 * `fetch` and nothing else.
 *
 *     const shop = createClient("https://shop.example/api/v1");
 *     for await (const product of shop.products.list({ category: "scripts" })) console.log(product.title);
 */
import type { EndpointPath, QueryOf } from "../api/endpoints.ts";
import type {
  BlogPost,
  BlogPostDetail,
  Category,
  ErrorResponse,
  Faq,
  ListResponse,
  Pagination,
  Product,
  ProductDetail,
  Release,
  Review,
  SearchResult,
  Status,
  Store,
  SuccessResponse,
  Thread,
  ThreadDetail,
  Widget,
} from "../api/types.ts";
import { answerOf, askPatiently, isBusy, type Answer as Received } from "./retry.ts";

/** A source of answers instead of an address: `openCatalog(file)` or `openFolder(folder)` of `vitrine`. */
export interface Source {
  /** What the API answers to a path below its base address: `/products?category=scripts`; to `""`, its status. */
  get(path: string): { readonly status: number; readonly body: string };
}

export interface ClientOptions {
  /** In place of the global one. */
  readonly fetch?: (url: string, options: RequestInit) => Promise<Response>;
  /** How often one request is sent if the API is busy (408, 429, 502, 503, 504), or no whole answer comes. Default 4. */
  readonly tries?: number;
  /** The longest pause before the next try, even if `Retry-After` is longer. Default 120. */
  readonly longestWaitSeconds?: number;
  /** How long one answer may take, its last byte included. Default 20. */
  readonly timeoutSeconds?: number;
  /** The longest answer that is read, decompressed. Default 32 MiB. */
  readonly maxAnswerBytes?: number;
}

export interface CallOptions {
  /** Ends the call, pauses included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A request that failed. Subclasses say what can be done about it. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** `network`: no answer came, or only a part of it. `unreadable`: an answer that is not the API's. */
  readonly code: ErrorResponse["error"]["code"] | "network" | "unreadable";
  /** HTTP status; 0 if no answer came or nothing was sent. */
  readonly status: number;
  /** Path and query below the base address: `/product?slug=x` */
  readonly path: string;

  constructor(code: ApiError["code"], status: number, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.path = path;
  }
}
/** There is no such record; on a static host, no file for this request. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}
/** The request is wrong, and stays wrong if it is sent again. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}
/** Too many requests: every try was answered with 429. */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError";
}
/** The API can't answer now, or something else answered in its place. */
export class UnavailableError extends ApiError {
  override readonly name = "UnavailableError";
}

function errorOf(code: ApiError["code"], status: number, path: string, message: string): ApiError {
  if (code === "not_found") return new NotFoundError(code, status, path, message);
  if (status === 429) return new RateLimitedError(code, status, path, message);
  const Kind =
    status >= 400 && status < 500 && code !== "unreadable" ? InvalidRequestError : UnavailableError;
  return new Kind(code, status, path, message);
}

/** An endpoint with a list. */
export interface List<Path extends EndpointPath, Item> {
  /** Every record, page by page, from `page` on. */
  list(query?: QueryOf<Path>, options?: CallOptions): AsyncGenerator<Item, void>;
  /** One page, with the totals of the whole list. */
  page(query?: QueryOf<Path>, options?: CallOptions): Promise<ListResponse<Item>>;
}

interface Whole<Path extends EndpointPath, Item> {
  /** Every record: this list has no pages. */
  list(query?: QueryOf<Path>, options?: CallOptions): Promise<readonly Item[]>;
}

/** A record by its `slug`, or by the parameters that select it. */
interface One<Detail, Select> {
  /** @throws NotFoundError */
  get(select: string | Select, options?: CallOptions): Promise<Detail>;
}

export interface Client {
  readonly products: List<"products", Product> & One<ProductDetail, QueryOf<"product">>;
  readonly categories: Whole<"categories", Category>;
  readonly faqs: Whole<"faqs", Faq>;
  readonly reviews: List<"reviews", Review>;
  readonly releases: List<"releases", Release>;
  readonly blog: List<"blog", BlogPost> & One<BlogPostDetail, { readonly slug: string }>;
  readonly forum: List<"forum", Thread> & One<ThreadDetail, { readonly slug: string }>;
  readonly search: List<"search", SearchResult>;
  readonly widgets: Whole<"widgets", Widget>;
  store(options?: CallOptions): Promise<Store>;
  status(options?: CallOptions): Promise<Status>;
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
/** What `data` must be: a page of a list, a whole list, or one record. */
type Shape = "page" | "list" | "one";
type Body = SuccessResponse<unknown> & Partial<Pick<ListResponse<unknown>, "pagination">>;
/** The content of a body: anything, and in an answer of the API these fields. */
interface Said {
  readonly success?: unknown;
  readonly data?: unknown;
  readonly pagination?: Partial<Pagination> | null;
  readonly error?: Partial<ErrorResponse["error"]> | null;
}
type Answer = Received<Said>;
type Ask = (path: string, signal: AbortSignal) => Promise<Answer>;

/** `/products?category=scripts&page=2`: one spelling a request, so that caches have it once. Null and "" are absent. */
function pathOf(endpoint: string, query: Query | null = {}): string {
  const values = Object.entries(query ?? {}).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === "") return [];
    return [[name, String(typeof value === "boolean" ? Number(value) : value)] as [string, string]];
  });
  const text = new URLSearchParams(values.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return `${endpoint === "" ? "" : `/${endpoint}`}${text && `?${text}`}`;
}

/** The base address without a slash at its end. @throws TypeError if it can't be one: no request would ever be answered */
function baseOf(source: string | URL): string {
  const page = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  let url: URL | undefined;
  try {
    url = new URL(source, page.document?.baseURI ?? page.location?.href);
  } catch {
    // Not an address: refused below.
  }
  if (url !== undefined && /^https?:\/\/[^/@]+\/([^?#]*\/)?api\/v1\/?$/.test(url.href))
    return url.href.replace(/\/$/, "");
  // A password must not get into a log.
  const shown = String(source).replace(/\/\/.*@/, "//");
  throw new TypeError(
    `"${shown}" is not the base address of a shop's API. It is a URL like https://shop.example/api/v1: ` +
      "http or https, /api/v1 at its end, no user, no ? and no #; outside a web page, with its host.",
  );
}

const unreadable = (status: number, path: string, why: string) =>
  errorOf("unreadable", status, path, `${path || "/"} ${why}`);

/** The text of a body, which may be endless. */
async function textOf(response: Response, maxBytes: number, path: string): Promise<string> {
  // Where bodies are no streams (React Native), fetch has read it already.
  const reader = response.body?.getReader();
  if (reader === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined);
      throw unreadable(response.status, path, `was answered with more than ${maxBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * True in a browser, its workers included; others lack `onLine`. A browser keeps answers and asks for changes by itself: our
 * `If-None-Match` would make it ask the host for permission first. And it hides where a redirect leads.
 */
function isBrowser(): boolean {
  return "document" in globalThis || "onLine" in (globalThis.navigator ?? {});
}

/** Most redirects that one request follows. */
const MOST_REDIRECTS = 5;
/** Answers that are kept for their ETags: the oldest is forgotten first. A long one is not kept. */
const MOST_KEPT = 100;
const LONGEST_KEPT = 250_000;

/** Asks over the network. An answer that has not changed since is not sent again. */
function askAddress(base: string, options: ClientOptions): Ask {
  const { fetch: send = (url, given) => fetch(url, given), maxAnswerBytes = 2 ** 25 } = options;
  const kept = new Map<string, { readonly etag: string; readonly body: string }>();
  const { protocol, host } = new URL(base);
  const inBrowser = isBrowser();

  /** Follows redirects that stay on the host: where another one leads is not the reader's choice. */
  const follow = async (path: string, request: RequestInit): Promise<Response> => {
    let url = base + path;
    // A service worker may keep the answer to "manual", which is no answer, and give it to others.
    let redirect: "manual" | "follow" = inBrowser ? "follow" : "manual";
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const response = await send(url, { ...request, redirect });
      // A browser hides where a redirect leads: it must follow, and says afterwards where it arrived.
      if (response.type === "opaqueredirect") {
        redirect = "follow";
        continue;
      }
      const location =
        response.status < 300 || response.status > 399 ? null : response.headers.get("Location");
      const next = new URL(location || response.url || url, url);
      const isHost = next.host === host && [protocol, "https:"].includes(next.protocol);
      // An app with CapacitorHttp has the page's own host ask the shop, and answer in its place.
      const page = globalThis as { readonly location?: { readonly host: string } };
      if (location === null && (isHost || (!response.redirected && next.host === page.location?.host)))
        return response;
      void response.body?.cancel().catch(() => undefined);
      const why = `was redirected to ${next.origin}. If the shop's API is there, use that address.`;
      if (!isHost) throw unreadable(response.status, path, why);
      url = next.href;
    }
    throw unreadable(0, path, `was redirected more than ${MOST_REDIRECTS} times.`);
  };

  const load: Ask = async (path, signal) => {
    const known = kept.get(path);
    const response = await follow(path, {
      signal,
      headers: known === undefined ? {} : { "If-None-Match": known.etag },
    });
    const { status, type } = response;
    if (status === 304) {
      if (known === undefined) throw new Error("304 came, but no ETag was sent");
      return answerOf({ status: 200, headers: response.headers }, known.body);
    }
    const body = await textOf(response, maxAnswerBytes, path);
    const answer = answerOf<Said>(response, body);
    const etag = response.headers.get("ETag");
    kept.delete(path);
    if (status === 200 && etag !== null && type !== "cors" && !inBrowser && body.length <= LONGEST_KEPT) {
      kept.set(path, { etag, body });
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    }
    return answer;
  };

  // A static host has the API's files, and looks at no query: an answer is asked for by its file's path there.
  let files: Files | undefined;
  const askFile = async (path: string, signal: AbortSignal): Promise<Answer | undefined> => {
    const file = files && fileOf(path, files);
    const answer = file == null ? undefined : await load(file, signal);
    return answer?.isMissing && !mayBeApi(answer) ? undefined : answer;
  };
  return async (path, signal) => {
    const file = await askFile(path, signal);
    if (file !== undefined) return file;
    // Without a file, too: the host may have answered as a static one only for a while.
    const answer = await load(path, signal);
    if (mayBeApi(answer) || !(answer.isMissing || answer.status === 200)) {
      files = undefined;
      return answer;
    }
    if (files === undefined) {
      const status = await load("/index.json", signal);
      if (isBusy(status)) return status;
      files = parametersOf(status);
      if (files === undefined) return answer;
      const found = await askFile(path, signal);
      if (found !== undefined) return found;
    }
    const why = "This is a static host: it has no file that answers this request";
    throw errorOf("not_found", answer.status, path, `${why} (${path}).`);
  };
}

/** False if a file host answered that it has no such file, or with a web page. */
function mayBeApi(answer: Answer): boolean {
  return answer.status > 499 || isBusy(answer) || typeof answer.said?.success === "boolean";
}

/** The parameters of each endpoint, in the order that files' names have them. */
type Files = ReadonlyMap<string, readonly string[]>;

/** Undefined if the answer is not the API's status. */
function parametersOf({ said }: Answer): Files | undefined {
  const endpoints: unknown = (said?.data as Partial<Status> | null | undefined)?.endpoints;
  if (said?.success !== true || !Array.isArray(endpoints)) return undefined;
  const rows = (endpoints as (Partial<Status["endpoints"][number]> | null)[]).flatMap((row) => {
    const { path, parameters } = row ?? {};
    return typeof path === "string" && Array.isArray(parameters) ? [[path, parameters] as const] : [];
  });
  return new Map(rows);
}

/** The values of absent parameters. The names of files omit them. */
const DEFAULTS: Readonly<Record<string, string>> = {
  min_price: "0",
  min_rating: "1",
  per_page: "20",
  limit: "100",
  sort: "newest",
};

/**
 * The path of an answer's file, or null if a file can't answer: `/products?category=scripts` →
 * `/products/category=scripts/page=1.json`. For a client's own requests this is what `src/key` says (a test compares them),
 * without the table of endpoints, which would double the module.
 */
function fileOf(path: string, parameters: Files): string | null {
  const [endpoint, text] = path.split("?");
  const order = parameters.get(endpoint || "/");
  if (order === undefined) return null;
  let query = new Map(new URLSearchParams(text));
  for (const name of query.keys()) if (!order.includes(name)) return null;
  const slug = query.get("slug");
  const page = query.get("page") ?? "1";
  const hasPages = order.includes("page");
  if (hasPages && slug !== undefined) query = new Map([["slug", slug]]);
  const size = query.get("per_page") ?? query.get("limit");
  query.delete("limit");
  if (size !== undefined) query.set(hasPages ? "per_page" : "limit", String(Math.min(Number(size), 100)));
  query.delete("page");
  let file = endpoint || "/index";
  for (const name of order) {
    const value = query.get(name)?.toLowerCase();
    if (value === undefined || value === DEFAULTS[name]) continue;
    if (/^(q|search|m.._price)$/.test(name) || !/^[a-z0-9][a-z0-9._-]*$/.test(value)) return null;
    file += `/${name}=${value}`;
  }
  return `${file}${hasPages && slug === undefined ? `/page=${page}` : ""}.json`;
}

/** What the API said. @throws ApiError if it refused, or if it was not the API. */
function bodyOf({ status, said }: Answer, path: string, shape: Shape): Body {
  const { code, message } = (said?.success === false && said.error) || {};
  if (typeof code === "string" && typeof message === "string") throw errorOf(code, status, path, message);
  const data: unknown = said?.success === true ? said.data : undefined;
  const isRight =
    shape === "one"
      ? typeof data === "object" && data !== null && !Array.isArray(data)
      : Array.isArray(data) && (shape === "list" || typeof said?.pagination?.total_pages === "number");
  if (!isRight) throw unreadable(status, path, `was answered with ${status}, and not by the API.`);
  return said as Body;
}

/** Asks patiently, and gives what the API said. @throws ApiError */
function askBody(ask: Ask, { tries, longestWaitSeconds, timeoutSeconds }: ClientOptions) {
  return async (path: string, shape: Shape, signal: AbortSignal | undefined): Promise<Body> => {
    const isFinal = (error: unknown) => error instanceof ApiError;
    try {
      const send = (each: AbortSignal) => ask(path, each);
      const answer = await askPatiently(send, signal, tries, longestWaitSeconds, timeoutSeconds, isFinal);
      return bodyOf(answer, path, shape);
    } catch (error) {
      if (isFinal(error)) throw error;
      if (signal?.aborted) throw signal.reason ?? error;
      throw new UnavailableError("network", 0, path, String(error), { cause: error });
    }
  };
}

/**
 * A client of a shop's API: by its base address, `https://shop.example/api/v1`, or over a {@link Source}. Lists are read page by
 * page; a busy API is asked again when it says so; a request that fails rejects with an {@link ApiError}.
 *
 * @throws TypeError if the address can't be a base address
 */
export function createClient(source: string | URL | Source, options: ClientOptions = {}): Client {
  const ask =
    typeof source === "object" && "get" in source
      ? askBody(
          async (path) => {
            const { status, body } = source.get(path);
            return answerOf({ status, headers: new Headers() }, body);
          },
          { tries: 1 },
        )
      : askBody(askAddress(baseOf(source), options), options);
  const page = (path: string) => (query?: Query | null, call?: CallOptions) =>
    ask(pathOf(path, query), "page", call?.signal);
  const list = (path: string) => ({
    page: page(path),
    async *list(query?: Query | null, call?: CallOptions) {
      for (let number = Number(query?.["page"] || 1); ; number++) {
        const { data, pagination } = await page(path)({ ...query, page: number }, call);
        // Else a host that looks at no query would give its first page for ever.
        if (pagination?.page !== number)
          throw unreadable(200, `/${path}`, `was asked for page ${number}, and answered with another.`);
        const records = data as unknown[];
        yield* records;
        // An empty page ends the list, too, however many more an answer promises.
        if (records.length === 0 || number >= pagination.total_pages) return;
      }
    },
  });
  const whole = (path: string) => ({
    list: async (query?: Query | null, call?: CallOptions) =>
      (await ask(pathOf(path, query), "list", call?.signal)).data,
  });
  const only = (path: string) => async (call?: CallOptions) => (await ask(path, "one", call?.signal)).data;
  const one = (endpoint: string) => ({
    async get(select: string | Query | null, call?: CallOptions) {
      const path = pathOf(endpoint, typeof select === "string" ? { slug: select } : select);
      // Without a slug, /blog and /forum would answer with their lists.
      if (!path.includes("?"))
        throw new InvalidRequestError("missing_parameter", 0, path, `${path} needs a slug or an id.`);
      return only(path)(call);
    },
  });
  return {
    products: { ...list("products"), ...one("product") },
    categories: whole("categories"),
    faqs: whole("faqs"),
    reviews: list("reviews"),
    releases: list("releases"),
    blog: { ...list("blog"), ...one("blog") },
    forum: { ...list("forum"), ...one("forum") },
    search: list("search"),
    widgets: whole("widgets"),
    store: only("/store"),
    status: only(""),
  } as Client;
}
