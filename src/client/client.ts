/**
 * The API for programs: `vitrine/client`, in browsers, Node and Workers. Nothing but `fetch` is asked of the place where it
 * runs, and it imports nothing but types.
 *
 *     const shop = createClient("https://shop.example/api/v1");
 *     for await (const product of shop.products.list({ category: "scripts" })) console.log(product.title);
 */
import type { EndpointPath, QueryOf } from "../api/endpoints.ts";
import type {
  ApiErrorCode,
  BlogPost,
  BlogPostDetail,
  Category,
  ErrorResponse,
  Faq,
  ListResponse,
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

/** Where answers come from in place of an address: `openCatalog(file)` and `openFolder(folder)` of `vitrine` are such. */
export interface Source {
  /** What the API answers to a path below its base address: `/products?category=scripts`. */
  get(path: string): { readonly status: number; readonly body: string };
}

export interface ClientOptions {
  /** In place of the global one. */
  readonly fetch?: (url: string, options: RequestInit) => Promise<Response>;
  /** How often one question is asked where the answer is 429 or 503, or none comes. Default 4. */
  readonly tries?: number;
  /** The longest pause before asking again, whatever `Retry-After` says. Default 120. */
  readonly longestWaitSeconds?: number;
  /** How long one answer may take. Default 20. */
  readonly timeoutSeconds?: number;
}

export interface CallOptions {
  /** Ends the call, pauses included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What the API refused. Subclasses say what can be done about it. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** `network`: no answer came. `unreadable`: one that is not the API's. */
  readonly code: ApiErrorCode | "network" | "unreadable";
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** What was asked: `/product?slug=x` */
  readonly path: string;

  constructor(code: ApiError["code"], status: number, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.path = path;
  }
}
/** There is no such record. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}
/** The question is wrong: asked again, it will be wrong again. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}
/** Too many questions, as often as it was tried. */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError";
}
/** The API can't answer now, or something else answers in its place. */
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

/** `slug` of a record, or a question that selects it. */
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

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
type Body = SuccessResponse<unknown> & Partial<Pick<ListResponse<unknown>, "pagination">>;
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retrySeconds: number;
}
type Ask = (path: string, signal: AbortSignal | undefined) => Answer | Promise<Answer>;

/** `/products?category=scripts&page=2`; in one order, however it was asked: a cache then has it once. */
function pathOf(endpoint: string, query: Query = {}): string {
  const values = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const text = new URLSearchParams(values.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return `${endpoint === "" ? "" : `/${endpoint}`}${text && `?${text}`}`;
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Answers that are kept for their ETags: the oldest goes where there are more. */
const MOST_KEPT = 100;

/** Asks over the network. An answer that has not changed since is not sent again. */
function askAddress(base: string, options: ClientOptions): Ask {
  const { fetch: ask = (url, given) => fetch(url, given), timeoutSeconds = 20 } = options;
  const kept = new Map<string, { readonly etag: string; readonly body: string }>();
  // A browser keeps answers and asks for changes by itself; by our header, it would first ask whether it may.
  const isBrowser = "document" in globalThis;
  return async (path, signal) => {
    const known = kept.get(path);
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const response = await ask(base + path, {
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: known === undefined ? {} : { "If-None-Match": known.etag },
    });
    const retrySeconds = Number(response.headers.get("Retry-After")) || 0;
    if (response.status === 304 && known !== undefined)
      return { status: 200, body: known.body, retrySeconds };
    const body = await response.text();
    const etag = response.headers.get("ETag");
    kept.delete(path);
    if (response.status === 200 && etag !== null && !isBrowser) {
      kept.set(path, { etag, body });
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    }
    return { status: response.status, body, retrySeconds };
  };
}

function bodyOf({ status, body }: Answer, path: string): Body {
  let said: Body | ErrorResponse | undefined;
  try {
    said = JSON.parse(body) as Body | ErrorResponse;
  } catch {}
  if (said?.success === true) return said;
  if (said?.success === false) throw errorOf(said.error.code, status, path, said.error.message);
  throw errorOf(
    "unreadable",
    status,
    path,
    `${path || "/"} was answered with ${status}, and not by the API.`,
  );
}

/** Asks until there is an answer, or it was tried often enough. */
function patient(ask: Ask, { tries = 4, longestWaitSeconds = 120 }: ClientOptions) {
  return async (path: string, signal: AbortSignal | undefined): Promise<Body> => {
    for (let tried = 1; ; tried++) {
      let wait = 2 ** (tried - 1);
      try {
        const answer = await ask(path, signal);
        const isBusy = answer.status === 429 || answer.status === 503;
        if (!isBusy || tried >= tries) return bodyOf(answer, path);
        wait = answer.retrySeconds || wait;
      } catch (error) {
        if (error instanceof ApiError) throw error;
        signal?.throwIfAborted();
        const why = error instanceof Error ? error.message : String(error);
        if (tried >= tries) throw new UnavailableError("network", 0, path, why, { cause: error });
      }
      await pause(Math.min(wait, longestWaitSeconds), signal);
    }
  };
}

/**
 * A client of a shop's API: by its base address, `https://shop.example/api/v1`, or over a {@link Source}. Lists are read page by
 * page; what is refused for now is asked again when the API says so; what is refused for good rejects with an {@link ApiError}.
 */
export function createClient(source: string | URL | Source, options: ClientOptions = {}): Client {
  const isSource = typeof source === "object" && "get" in source;
  const ask = isSource
    ? patient((path) => ({ ...source.get(path), retrySeconds: 0 }), { tries: 1 })
    : patient(askAddress(String(source).replace(/\/$/, ""), options), options);
  const page = (path: string) => (query?: Query, call?: CallOptions) =>
    ask(pathOf(path, query), call?.signal);
  const list = (path: string) => ({
    page: page(path),
    async *list(query: Query = {}, call?: CallOptions) {
      for (let number = Number(query["page"] ?? 1); ; number++) {
        const { data, pagination } = await page(path)({ ...query, page: number }, call);
        const records = data as unknown[];
        yield* records;
        // An empty page ends the list, too, however many more an answer promises.
        if (records.length === 0 || number >= (pagination?.total_pages ?? 0)) return;
      }
    },
  });
  const data = async (path: string, query?: Query, call?: CallOptions) =>
    (await page(path)(query, call)).data;
  const whole = (path: string) => ({
    list: (query?: Query, call?: CallOptions) => data(path, query, call),
  });
  const one = (path: string) => ({
    get: (select: string | Query, call?: CallOptions) =>
      data(path, typeof select === "string" ? { slug: select } : select, call),
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
    store: (call?: CallOptions) => data("store", {}, call),
    status: (call?: CallOptions) => data("", {}, call),
  } as Client;
}
