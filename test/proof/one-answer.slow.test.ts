import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { queryOfKey, targetOf } from "../../src/key/key.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { withoutTime } from "../support/shop.ts";

const shops = { demo: sharedSnapshot("sizes"), chinook: sharedSnapshot("chinook") };
const catalogs = new Map<string, Catalog>();

beforeAll(() => {
  for (const out of Object.values(shops)) catalogs.set(out, openCatalog(layoutOf(out).catalog));
});

afterAll(() => {
  for (const catalog of catalogs.values()) catalog.close();
});

describe.each(Object.keys(shops) as (keyof typeof shops)[])("every file of %s", (shop) => {
  it("is what the fallback answers to the request that leads to it: bytes and headers", () => {
    const out = shops[shop];
    const catalog = catalogs.get(out) as Catalog;
    const manifest = openManifest(layoutOf(out).manifest);
    let compared = 0;
    for (const { key, etag } of manifest.entries()) {
      const query = queryOfKey(key);
      if (query === null) continue;
      const target = targetOf(query);
      const fallback = answerTarget(catalog, target);
      const bytes = readFileSync(join(layoutOf(out).site, key));
      if (fallback.status !== 200 || withoutTime(fallback.body) !== withoutTime(bytes)) {
        expect.fail(`${key} is not what the fallback answers to ${target}`);
      }
      const edge = answerAtEdge(catalog, layoutOf(out).site, target);
      expect(edge).toMatchObject({ status: 200, key, source: "file" });
      expect(fallback.key).toBe(key);
      // Only a file has a time.
      const { "Last-Modified": _, ...headers } = edge.headers;
      expect(fallback.headers).toEqual(headers);
      expect(fallback.headers["ETag"]).toBe(etag);
      compared += 1;
    }
    manifest.close();
    expect(compared).toBeGreaterThan(10_000);
  });
});

it('is a file up to page 10 where the grid has more than "auto" takes: the fallback answers deeper pages', () => {
  const out = shops.demo;
  const catalog = catalogs.get(out) as Catalog;
  const manifest = openManifest(layoutOf(out).manifest);
  let deep = 0;
  for (const { key } of manifest.entries()) {
    if (!key.endsWith("/page=10.json")) continue;
    const { pagination } = JSON.parse(readFileSync(join(layoutOf(out).site, key), "utf8"));
    const next = key.replace(/10\.json$/, "11.json");
    const query = queryOfKey(next);
    if (pagination.total_pages === 10 || query === null) continue;
    expect(manifest.get(next), next).toBeUndefined();
    const edge = answerAtEdge(catalog, layoutOf(out).site, targetOf(query));
    expect(edge).toMatchObject({ status: 200, key: next, source: "fallback" });
    expect(JSON.parse(edge.body.toString()).pagination).toEqual({ ...pagination, page: 11 });
    deep += 1;
  }
  manifest.close();
  expect(deep).toBeGreaterThan(100);
});
