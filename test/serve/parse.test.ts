/** A request's target is parsed once, whichever part answers it. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type * as Parsing from "../../src/key/query.ts";

const parsed: string[] = [];
vi.mock(import("../../src/key/query.ts"), async (original) => {
  const actual: typeof Parsing = await original();
  return {
    ...actual,
    splitTarget: (target) => {
      parsed.push(`split ${target}`);
      return actual.splitTarget(target);
    },
    readQuery: (endpoint, query, readText) => {
      parsed.push(`read ${query}`);
      return actual.readQuery(endpoint, query, readText);
    },
  };
});

// Nothing else may use the observed module: the test files of a worker may share their imports.
vi.resetModules();
const { openCatalog } = await import("../../src/catalog/catalog.ts");
const { answerAtEdge } = await import("../../src/serve/edge.ts");
const { answerAtOwnAddress } = await import("../../src/serve/own-address.ts");
const { createTinyShop, TINY_CONFIG } = await import("../support/tiny-shop.ts");

const shop = createTinyShop();
let site: string;
let catalog: ReturnType<typeof openCatalog>;

beforeAll(async () => {
  const { layout, manifest } = await shop.build("parse", TINY_CONFIG);
  manifest.close();
  site = layout.site;
  catalog = openCatalog(layout.catalog);
});
afterAll(() => {
  catalog.close();
  shop.close();
  vi.doUnmock("../../src/key/query.ts");
  vi.resetModules();
});
beforeEach(() => {
  parsed.length = 0;
});

const CASES = [
  ["a file", "per_page=20", 200, "file"],
  ["a miss", "search=kit", 200, "fallback"],
  ["an error", "page=0", 400, "none"],
] as const;

it.each(CASES)("%s at the local edge", (_, query, status, source) => {
  const target = `/api/v1/products?${query}`;
  expect(answerAtEdge(catalog, site, target)).toMatchObject({ status, source });
  expect(parsed).toEqual([`split ${target}`, `read ${query}`]);
});

it.each(CASES)("%s at the server's own address", (_, query, status, source) => {
  const target = `/api/v1/products?${query}`;
  expect(answerAtOwnAddress(catalog, target, { site, origin: "http://localhost:1" })).toMatchObject({
    status,
    source,
  });
  expect(parsed).toEqual([`split ${target}`, `read ${query}`]);
});
