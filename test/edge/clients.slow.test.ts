/** With a limit of one, every edge passes the first request of each client and no other: all distinguish clients alike. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHttpServer, listen, stop } from "../../src/serve/http.ts";
import { createRateLimiter } from "../../src/serve/limits.ts";
import { CLIENTS } from "../key/clients.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { type Running, startFallback, startNginx, startWorker } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const folder = temporaryFolder();
let shop: TinyShop;
let site: string;
let fallback: Running;

beforeAll(async () => {
  shop = createTinyShop();
  const { layout, manifest } = await shop.build("clients", TINY_CONFIG);
  manifest.close();
  site = layout.site;
  fallback = await startFallback(layout.catalog);
});
afterAll(async () => {
  await fallback.stop();
  shop.close();
});

const options = (name: string) => ({
  folder: mkdtempSync(join(folder, name)),
  site,
  fallbackPort: fallback.port,
  trusted: ["127.0.0.1"],
  requests: 1,
  // nginx rejects a burst of zero.
  change: (_: string, text: string) => text.replace(" burst=0 nodelay", ""),
});

async function startServe(): Promise<Running> {
  const server = createHttpServer({
    answer: () => ({ status: 200, headers: {}, body: Buffer.from("{}"), key: null, source: "none" }),
    config: () => TINY_CONFIG,
    limiter: createRateLimiter(() => 1),
    trustProxy: true,
    access: () => {},
    failed: (error) => expect.fail(String(error)),
  });
  const url = await listen(server, "127.0.0.1", 0);
  return { port: Number(new URL(url).port), stop: () => stop(server) };
}

/** One request from each address; returns the statuses. */
async function askFromEach(port: number): Promise<number[]> {
  const statuses: number[] = [];
  for (const [address] of CLIENTS) {
    const headers = { "X-Forwarded-For": address, "CF-Connecting-IP": address };
    statuses.push((await send({ port }, { target: "/api/v1/store", headers })).status);
  }
  return statuses;
}

const expected = CLIENTS.map(([, key], at) =>
  CLIENTS.findIndex((client) => client[1] === key) === at ? 200 : 429,
);

function itTellsApart(start: () => Promise<Running>): void {
  it("passes the first request of each client", async () => {
    for (;;) {
      const minute = Math.floor(Date.now() / 60_000);
      const running = await start();
      const statuses = await askFromEach(running.port).finally(() => running.stop());
      // If a window ended in between, the counts were reset: at Cloudflare windows begin at the clock's minutes.
      if (Math.floor(Date.now() / 60_000) !== minute) continue;
      expect(CLIENTS.map(([address], at) => [address, statuses[at]])).toEqual(
        CLIENTS.map(([address], at) => [address, expected[at]]),
      );
      return;
    }
  });
}

describeWith([], "clients at vitrine serve", () => itTellsApart(startServe));
describeWith([], "clients at the Worker", () =>
  itTellsApart(() => startWorker(options("worker"), ["api/v1/store.json"])),
);
describeWith(["nginx"], "clients at nginx", () => itTellsApart(() => startNginx(options("nginx"))));
