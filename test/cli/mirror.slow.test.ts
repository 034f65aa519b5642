/** `vitrine fallback --from`, as a user runs it: behind a shop's limit, through restarts and the shop's absence. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { startServer, vitrine } from "../support/command.ts";
import { openPublicShop, type PublicShop } from "../support/public-shop.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  sharedStore,
  temporaryFolder,
  withoutTime,
} from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { bulk: true },
};
let shop: PublicShop;

beforeAll(async () => {
  const out = join(folder, "out");
  await buildQuietly(demoInputs(sharedStore(240), out, { config: CONFIG }));
  shop = await openPublicShop();
  shop.files = readTree(join(out, "site"));
});

/** So many requests pass, and a second after the first that is refused so many again. */
function limitTo(requests: number): void {
  let left = requests;
  let refusedAt = Number.POSITIVE_INFINITY;
  shop.answer = (_, __, response) => {
    if (Date.now() - refusedAt >= 1000) {
      left = requests;
      refusedAt = Number.POSITIVE_INFINITY;
    }
    if (left-- > 0) return false;
    refusedAt = Math.min(refusedAt, Date.now());
    response.writeHead(429, { "Retry-After": "1" }).end();
    return true;
  };
}

const mirrorIn = (cache: string) =>
  startServer(["fallback", "--from", `${shop.base}/api/v1`, "--cache", cache]);

async function end(running: Awaited<ReturnType<typeof mirrorIn>>): Promise<void> {
  running.child.kill("SIGTERM");
  expect(await running.ended).toBe(0);
}

async function answer(url: string, target: string): Promise<string> {
  return withoutTime(Buffer.from(await (await fetch(`${url}/api/v1/${target}`)).arrayBuffer()));
}

/** Its answers are those of the shop's own files, and it answers what no file does. */
async function expectShop(url: string): Promise<void> {
  for (const [target, key] of [
    ["products", "products/page=1"],
    ["product?slug=invoice-kit", "product/slug=invoice-kit"],
    ["reviews?page=2", "reviews/page=2"],
    ["categories", "categories"],
    ["store", "store"],
  ] as const)
    expect(await answer(url, target), target).toBe(
      withoutTime(shop.files.get(`api/v1/${key}.json`) ?? Buffer.alloc(0)),
    );
  expect(JSON.parse(await answer(url, "search?q=kit")).pagination.total).toBeGreaterThan(0);
}

describe("vitrine fallback --from", () => {
  it("gives the shop's answers, waits as long as the shop asks, and continues without it", async () => {
    const cache = join(folder, "cache");
    mkdirSync(cache);
    const bulk = [...shop.files.keys()].filter((key) => key.startsWith("bulk/"));
    limitTo(Math.ceil(bulk.length / 2));
    const first = await mirrorIn(cache);
    await expectShop(first.url);
    expect(first.said()).toMatch(/allows no more requests now: going on in 1 second/);
    await end(first);
    shop.asked.length = 0;
    shop.answer = (_, __, response) => {
      response.destroy();
      return true;
    };
    const second = await mirrorIn(cache);
    await expectShop(second.url);
    await end(second);
    expect(new Set(shop.asked)).toEqual(new Set(["bulk/index.json"]));
  });

  it.each([
    [["--from", "http://shop.example"], /is not encrypted/],
    [["--from", "shop.example"], /--from takes an address like/],
    [
      ["--from", "https://shop.example", "--catalog", "out/catalog.sqlite"],
      /--catalog and --from cannot be used together/,
    ],
  ])("refuses %j", (args, message) => {
    const { status, stderr } = vitrine(["fallback", ...args]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it("says that a shop lacks bulk files", async () => {
    shop.files.delete("bulk/index.json");
    shop.answer = null;
    const waiting = await startServer(["fallback", "--from", shop.base]);
    await until("it says why it waits", () => /no catalog yet: .*feeds\.bulk/.test(waiting.said()));
    await end(waiting);
  });
});
