/**
 * A product is withdrawn: its file is deleted and purged while a fallback has not followed yet, and answers from the release before.
 * Neither nginx, the Worker nor a plain shared cache may have the product for longer than the 404 that follows.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cacheControl } from "../../src/api/responses.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { publish } from "../../src/publish/publish.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";
import { type Running, startFallback, startNginx, startWorker } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const CONFIG = { ...TINY_CONFIG, cache: { ...TINY_CONFIG.cache, errorMaxAgeSeconds: 2 } };
const folder = temporaryFolder();
const place = join(folder, "www");
let shop: TinyShop;
let slug = "";
let catalogs: [before: string, after: string];
let target = "";

beforeAll(async () => {
  shop = createTinyShop();
  slug = shop.slugs[0] ?? "";
  target = `/api/v1/product?slug=${slug}`;
  const publishNow = async (name: string) => {
    const snapshot = await shop.build(name, CONFIG);
    await publish(snapshot, { ...OPTIONS, allowShrink: 1000 }, portsOf(openDirectory(place)));
    snapshot.manifest.close();
    return snapshot.layout.catalog;
  };
  const before = await publishNow("before");
  shop.sql(`UPDATE products SET status = 'archived' WHERE slug = '${slug}'`);
  catalogs = [before, await publishNow("after")];
});
afterAll(() => shop.close());

/** A shared cache by the book: it keeps what has `s-maxage` or `max-age`, for as long. */
async function startSharedCache(port: number): Promise<Running> {
  const kept = new Map<string, { status: number; body: string; until: number }>();
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    let copy = kept.get(path);
    if (copy === undefined || performance.now() > copy.until) {
      const { status, headers, body } = await send({ port }, { target: path });
      const header = headers["cache-control"] ?? "";
      const seconds = Number((/s-maxage=(\d+)/.exec(header) ?? /max-age=(\d+)/.exec(header))?.[1] ?? 0);
      copy = { status, body, until: performance.now() + seconds * 1000 };
      kept.set(path, copy);
    }
    response.writeHead(copy.status).end(copy.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Asks while the fallback lags, lets it follow, and asks again. */
async function itIsGone(start: (fallbackPort: number) => Promise<Running>): Promise<void> {
  const lagging = await startFallback(catalogs[0]);
  const edge = await start(lagging.port);
  const ask = () => send({ port: edge.port }, { target });
  try {
    expect(await ask()).toMatchObject({ status: 200 });
    await lagging.stop();
    const followed = await startFallback(catalogs[1], { port: lagging.port });
    // With the lifetime of other answers this would take five minutes.
    await until("the 404 of the withdrawn product", async () => (await ask()).status === 404);
    await followed.stop();
  } finally {
    await edge.stop();
  }
}

it("answers an address that has a file for a short time, and others for the usual one", async () => {
  const fallback = await startFallback(catalogs[0]);
  const { answer, clientError } = cacheControl(CONFIG.cache);
  const lifetimes = await Promise.all(
    [
      target,
      "/api/v1/products",
      "/api/v1/products?per_page=7",
      "/api/v1/products?min_price=1",
      "/api/v1/products?search=kit",
      "/api/v1/products?page=99",
    ].map(async (each) => {
      const { headers } = await send({ port: fallback.port }, { target: each });
      // CDNs prefer theirs.
      expect(headers["cdn-cache-control"] !== undefined).toBe(headers["cache-control"] === answer);
      return headers["cache-control"];
    }),
  );
  await fallback.stop();
  expect(lifetimes).toEqual([clientError, clientError, answer, answer, answer, answer]);
});

it("is gone from a plain shared cache", () => itIsGone(startSharedCache));

it("is gone from the Worker, whose copy has the public address that purges name", () =>
  itIsGone((fallbackPort) =>
    startWorker({ site: place, fallbackPort, config: CONFIG }, ["api/v1/index.json"]),
  ));

describeWith(["nginx"], "nginx", () => {
  it("has it no longer", () =>
    itIsGone((fallbackPort) =>
      startNginx({ folder: join(folder, "nginx"), site: place, fallbackPort, config: CONFIG }),
    ));
});
