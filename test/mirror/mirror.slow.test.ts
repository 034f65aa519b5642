/** `vitrine mirror` as people run it: it serves what it holds, with and without the shop, and follows it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startServer, until, vitrine } from "../support/command.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG } from "../support/tiny-shop.ts";

const shop = createTinyShop(10);
afterAll(() => shop.close());

it("serves what is held while the shop is not to be reached, and follows it when it is back", async () => {
  const config = { ...TINY_CONFIG, feeds: { bulk: true } };
  const { layout } = await shop.build("out", config);
  const mirror = join(temporaryFolder(), "mirror");
  expect(vitrine(["mirror", "--from", layout.site, "--to", mirror, "--json"])).toMatchObject({ status: 0 });
  let isBack = false;
  const server = createServer((request, response) => {
    const bytes = readTree(layout.site).get((request.url ?? "").slice(1));
    if (!isBack || bytes === undefined) response.writeHead(isBack ? 404 : 503).end();
    else response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const served = await startServer([
    "mirror",
    "--from",
    from,
    "--to",
    mirror,
    "--serve",
    "--every",
    "1",
    "--port",
    "0",
  ]);
  const priceNow = async () => {
    const response = await fetch(`${served.url}/api/v1/product?slug=${shop.slugs[0]}`);
    return ((await response.json()) as { data: { price: number } }).data.price;
  };
  const price = await priceNow();
  expect(price).toBeGreaterThan(0);
  shop.sql(`UPDATE products SET regular_price_minor = 4321000 WHERE slug = '${shop.slugs[0]}'`);
  await shop.build("out", config);
  expect(await priceNow()).toBe(price);
  isBack = true;
  await until("a catalog that is taken up", () => served.said().includes("reloaded"));
  expect(await priceNow()).toBe(43_210);
  // In the midst of asking a shop that is gone again.
  isBack = false;
  await new Promise((resolve) => server.once("request", resolve));
  served.child.kill();
  expect(await served.ended).toBe(0);
  server.close().closeAllConnections();
});
