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
        edge.status === 200 &&
        edge.key === key &&
        edge.source === "file" &&
        withoutTime(fallback.body) === withoutTime(edge.body) &&
        isDeepStrictEqual(fallback.headers, headers);
      if (!isSame) different.push(`${key} is not what the fallback answers to ${target}`);
      compared += 1;
    }
    manifest.close();
    expect(different.slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(8000);
  });
});
