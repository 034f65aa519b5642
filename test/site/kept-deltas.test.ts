/** Deltas that an output folder keeps: as many as there is room for, the newest of them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readHeader } from "../../src/site/delta.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { deltaFiles } from "../../src/site/writer.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

let shop: TinyShop;
beforeAll(() => {
  shop = createTinyShop();
});
afterAll(() => shop.close());

const layout = () => layoutOf(join(shop.folder, "out"));

function sizes() {
  const deltas = deltaFiles(layout()).map((name) => statSync(join(layout().deltas, name)).size);
  const sum = deltas.reduce((all, size) => all + size, 0);
  return { count: deltas.length, sum, catalog: statSync(layout().catalog).size };
}

async function describe(text: string): Promise<void> {
  shop.sql(`UPDATE products SET description_html = '<p>${text}</p>' WHERE slug = '${shop.slugs[0]}'`);
  await shop.build("out");
}

it("are those that weigh no more than a quarter of the catalog", async () => {
  await shop.build("out");
  let most = 0;
  for (let round = 0; round < 12; round++) {
    await describe(`${"A long description. ".repeat(500)}${round}`);
    const { count, sum, catalog } = sizes();
    expect(sum).toBeLessThanOrEqual(catalog / 4);
    most = Math.max(most, count);
    const newest = readHeader(join(layout().deltas, deltaFiles(layout()).at(-1) ?? ""));
    const manifest = openManifest(layout().manifest);
    expect(newest.to.catalog).toBe(manifest.meta["catalog_digest"]);
    manifest.close();
  }
  expect(most).toBeGreaterThan(1);
  expect(sizes().count).toBeLessThan(12);
});

it("are none where the last one weighs more than that: whoever follows takes the whole", async () => {
  await describe("A very long description. ".repeat(20_000));
  await describe("A short one.");
  await describe("Another very long description. ".repeat(20_000));
  expect(sizes().count).toBe(0);
  await describe("A short one again.");
  expect(sizes().count).toBe(1);
});
