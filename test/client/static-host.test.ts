/** `vitrine/client` with a host that has only files: it asks for the file that `src/key` names. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDPOINTS, type Endpoint, type Param } from "../../src/api/endpoints.ts";
import { createClient, NotFoundError } from "../../src/client/client.ts";
import { canonicalKey } from "../../src/key/key.ts";

const ORIGIN = "https://owner.github.example";
const API = `${ORIGIN}/api/v1`;
const META = { api_version: "1.0", generated_at: "2026-01-01T00:00:00+00:00" };
const STATUS = JSON.stringify({
  success: true,
  data: {
    endpoints: ENDPOINTS.map(({ path, params }) => ({
      path: `/${path}`,
      parameters: params.map(({ name }) => name),
    })),
  },
  meta: META,
});
const LIST = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 },
  meta: META,
});

/** A host with the status, and whatever else a test says; `asked` are the paths of all requests. */
function hostOf(missing: () => Response, files: (url: string) => Response | undefined = () => undefined) {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url.slice(API.length));
    if (url === `${API}/index.json`) return new Response(STATUS);
    return files(url) ?? missing();
  };
  return { shop: createClient(API, { fetch, tries: 1 }), asked };
}

const notFound = () => new Response("<h1>404</h1>", { status: 404 });

type Ask = (query: object) => Promise<unknown>;

/** Well-formed values as a program would give them. */
function valuesOf({ kind, min = 0, max = 999, values = [] }: Param): fc.Arbitrary<string | number | boolean> {
  if (kind === "integer") return fc.integer({ min, max });
  if (kind === "flag") return fc.boolean();
  if (kind === "choice") return fc.constantFrom(...values);
  if (kind === "price") return fc.constantFrom(0, 5, 9.5);
  if (kind === "text") return fc.constantFrom("kit", "two words");
  return fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
}

function queriesOf({ params }: Endpoint) {
  const values = Object.fromEntries(
    params.map((param) => [param.name, fc.option(valuesOf(param), { freq: 2 })]),
  );
  return fc.record(values);
}

describe("a client of a static host", () => {
  it.each(ENDPOINTS.filter(({ params }) => params.length > 0))(
    "asks for the file of the key of /$path",
    async (endpoint) => {
      const { shop, asked } = hostOf(notFound);
      // The first request finds out what the host is.
      await shop.store().catch(() => undefined);
      const records = { product: shop.products, blog: shop.blog, forum: shop.forum }[endpoint.path];
      const lists = { ...shop, product: shop.products } as never as Record<string, { page?: Ask; list: Ask }>;
      const { page, list } = lists[endpoint.path] ?? expect.fail(`The client has no ${endpoint.path}`);
      await fc.assert(
        fc.asyncProperty(queriesOf(endpoint), async (query) => {
          const given = Object.entries(query).filter(([, value]) => value !== null);
          const isMissing = endpoint.needs?.every((name) => query[name] === null) ?? false;
          fc.pre(!isMissing);
          const text = new URLSearchParams(
            given.map(([name, value]): [string, string] => [name, String(value)]),
          ).toString();
          const key = canonicalKey(`/api/v1/${endpoint.path}`, text);
          const isOne = records !== undefined && given.some(([name]) => name === "slug" || name === "id");
          asked.length = 0;
          const answer = isOne ? records.get(query as never) : (page ?? list)(query);
          await expect(answer).rejects.toThrow(NotFoundError);
          // The request itself comes last: the host may answer queries by now.
          expect(asked.slice(0, -1).map((path) => `api/v1${path}`)).toEqual(key === null ? [] : [key]);
          expect(asked.at(-1)?.split("?")[0]).toBe(`/${endpoint.path}`);
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each<[string, () => Response]>([
    ["404 and a page", notFound],
    ["200 and a page", () => new Response("<!doctype html>")],
    ["403 and XML", () => new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 })],
    ["404 and another JSON", () => new Response('{"message":"Not Found"}', { status: 404 })],
  ])("recognises it by %s, with one request", async (_, missing) => {
    const { shop, asked } = hostOf(missing, (url) =>
      url.endsWith("/products/category=scripts/page=1.json") ? new Response(LIST) : undefined,
    );
    const query = { category: "Scripts", sort: "newest", per_page: 20, page: 1 } as const;
    expect((await shop.products.page(query)).data).toEqual([]);
    expect(await shop.status()).toHaveProperty("endpoints");
    await expect(shop.search.page({ q: "kit" })).rejects.toMatchObject({
      code: "not_found",
      status: missing().status,
      message: "This is a static host: it has no file that answers this request (/search?q=kit).",
    });
    await expect(shop.products.page({ categry: "scripts" } as never)).rejects.toThrow(NotFoundError);
    expect(asked).toEqual([
      "/products?category=Scripts&page=1&per_page=20&sort=newest",
      "/index.json",
      "/products/category=scripts/page=1.json",
      "/index.json",
      "/search?q=kit",
      "/products?categry=scripts",
    ]);
  });

  it.each<[string, () => Response]>([
    ["a firewall's 403", () => new Response("<h1>Access Denied</h1>", { status: 403 })],
    ["a firewall's 403 in JSON", () => new Response('{"error":"blocked"}', { status: 403 })],
  ])("takes %s neither for a missing record nor for a static host", async (_, blocked) => {
    const { shop, asked } = hostOf(blocked);
    const error = { name: "UnavailableError", code: "unreadable", status: 403 };
    await expect(shop.products.get("kit")).rejects.toMatchObject(error);
    expect(asked).toEqual(["/product?slug=kit"]);
  });

  it.each<[string, () => Response]>([
    ["a page with 200", () => new Response("<!doctype html>")],
    ["a page with 404", notFound],
  ])("asks by query again if the API answers again after %s", async (_, page) => {
    let isAway = true;
    const { shop, asked } = hostOf(page, (url) =>
      isAway || !url.includes("?") ? undefined : new Response(LIST),
    );
    await expect(shop.search.page({ q: "kit" })).rejects.toThrow(NotFoundError);
    isAway = false;
    expect((await shop.search.page({ q: "kit" })).data).toEqual([]);
    asked.length = 0;
    expect((await shop.products.page({ category: "scripts" })).data).toEqual([]);
    expect(asked).toEqual(["/products?category=scripts"]);
  });

  it("rejects a host without the API", async () => {
    const fetch = async () => notFound();
    const asked = createClient(API, { fetch, tries: 1 }).store();
    await expect(asked).rejects.toMatchObject({ code: "unreadable", status: 404, path: "/store" });
  });

  it("never asks by path at a host that answers as the API", async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      const body = { success: false, error: { code: "unknown_endpoint", message: "No." } };
      return new Response(JSON.stringify(body), { status: 404 });
    };
    await expect(createClient(API, { fetch }).store()).rejects.toMatchObject({ code: "unknown_endpoint" });
    expect(asked).toEqual([`${API}/store`]);
  });

  it("waits if the host is busy", async () => {
    let busy = 2;
    const { shop } = hostOf(
      () => (busy-- > 0 ? new Response("Slow down", { status: 429 }) : notFound()),
      (url) =>
        busy <= 0 && url.endsWith("/store.json") ? new Response('{"success":true,"data":{}}') : undefined,
    );
    await expect(shop.store()).rejects.toMatchObject({ code: "unreadable", status: 429 });
  });
});
