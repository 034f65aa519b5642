import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
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
    const { site, manifest: manifestFile } = layoutOf(out);
    const catalog = catalogs.get(out) as Catalog;
    const manifest = openManifest(manifestFile);
    const different: string[] = [];
    let compared = 0;
    for (const { key, etag } of manifest.entries()) {
      const query = queryOfKey(key);
      if (query === null) continue;
      const target = targetOf(query);
      const fallback = answerTarget(catalog, target);
      const edge = answerAtEdge(catalog, site, target);
      // Only a file has a time.
      const { "Last-Modified": _, ...headers } = edge.headers;
      const isSame =
        fallback.status === 200 &&
        fallback.key === key &&
        fallback.headers["ETag"] === etag &&
        withoutTime(fallback.body) === withoutTime(readFileSync(join(site, key))) &&
        edge.status === 200 &&
        edge.key === key &&
        edge.source === "file" &&
        isDeepStrictEqual(fallback.headers, headers);
      if (!isSame) different.push(`${key} is not what the fallback answers to ${target}`);
      compared += 1;
    }
    manifest.close();
    expect(different.slice(0, 20)).toEqual([]);
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
