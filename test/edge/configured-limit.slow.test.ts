/** `rateLimit.requests` of the configuration is the only number: each edge enforces and reports it, and so does OpenAPI. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { createCatalog } from "../../src/catalog/catalog-file.ts";
import { EDGE_NAMES, type Edge, planEdge } from "../../src/edge/edges.ts";
import { createRateLimiter } from "../../src/serve/limits.ts";
import { startServer } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { type Running, startFallback, startNginx, startWorker } from "./support/servers.ts";
import { describeWith, type Tool } from "./support/tools.ts";
import { type Reply, send } from "./support/wire.ts";

const REQUESTS = 12;
const CONFIG: PublicConfig = {
  ...TINY_CONFIG,
  endpoints: [...TINY_CONFIG.endpoints, "openapi.json"] as string[] as PublicConfig["endpoints"],
  rateLimit: { requests: REQUESTS },
};
const folder = temporaryFolder();
let shop: TinyShop;
let site: string;
let catalogFile: string;
let fallback: Running;

beforeAll(async () => {
  shop = createTinyShop();
  const { layout, manifest } = await shop.build("limited", CONFIG);
  manifest.close();
  site = layout.site;
  catalogFile = layout.catalog;
  fallback = await startFallback(catalogFile);
});
afterAll(async () => {
  await fallback.stop();
  shop.close();
});

let clients = 0;

/** After so long nginx lets one more request pass. */
const NEXT_MILLISECONDS = 60_000 / REQUESTS;

/**
 * Thirty requests of one client, sent before nginx lets one more pass and within one minute of the clock, since Cloudflare's windows
 * begin there. On a busy machine it takes more than one try.
 */
async function burst(port: number): Promise<Reply[]> {
  for (;;) {
    const began = Date.now();
    const address = `192.0.2.${++clients}`;
    const headers = { "X-Forwarded-For": address, "CF-Connecting-IP": address };
    const replies: Reply[] = [];
    while (replies.length < 30) replies.push(await send({ port }, { target: "/api/v1/store", headers }));
    const ended = Date.now();
    const isSameMinute = Math.floor(began / 60_000) === Math.floor(ended / 60_000);
    if (isSameMinute && ended - began < NEXT_MILLISECONDS) return replies;
  }
}

/** The last group: the seconds after which to try again. */
function itKeeps(start: () => Promise<Running>, retryAfter: RegExp): void {
  it(`passes exactly ${REQUESTS} of 30, and names the limit to the next one`, async () => {
    const running = await start();
    try {
      const replies = await burst(running.port);
      const statuses = replies.map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 30 }, (_, at) => (at < REQUESTS ? 200 : 429)));
      const refused = replies[REQUESTS];
      expect(refused?.headers).toMatchObject({ "x-ratelimit-limit": "12", "x-ratelimit-window": "60" });
      expect(refused?.headers["retry-after"]).toMatch(retryAfter);
    } finally {
      await running.stop();
    }
  });
}

const options = (name: string) => ({
  folder: join(folder, name),
  site,
  fallbackPort: fallback.port,
  trusted: ["127.0.0.1"],
  requests: REQUESTS,
});

interface LimitedEdge {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly retryAfter: RegExp;
  start(): Promise<Running>;
}
const RUNNING: readonly LimitedEdge[] = [
  { name: "nginx", tools: ["nginx"], retryAfter: /^5$/, start: () => startNginx(options("nginx")) },
  {
    name: "the Worker",
    tools: [],
    retryAfter: /^60$/,
    start: () => startWorker(options("worker"), ["api/v1/store.json"]),
  },
  { name: "vitrine serve", tools: [], retryAfter: /^(60|59)$/, start: startServe },
];

/** Its limit comes from the catalog. */
async function startServe(): Promise<Running> {
  const { child, url, ended } = await startServer(["serve", "--out", join(site, ".."), "--trust-proxy"]);
  return {
    port: Number(new URL(url).port),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

for (const { name, tools, retryAfter, start } of RUNNING) {
  describeWith(tools, `a limit of ${REQUESTS} at ${name}`, () => itKeeps(start, retryAfter));
}

describe("the limit of the configuration", () => {
  it("is the only one in the files of every edge", () => {
    const settings = {
      config: CONFIG,
      site,
      fallbacks: ["fallback.shop.example"],
      listen: ["8080"],
      listenTls: [],
      trusted: [],
      exempt: [],
      brotli: false,
    };
    const readTemplate = (name: string) => readFileSync(join("templates/edge", name), "utf8");
    const wanted: Readonly<Record<Edge, readonly string[]>> = {
      nginx: ["rate=12r/m", "burst=11 nodelay", "X-RateLimit-Limit 12 always", "Retry-After 5 always"],
      cloudflare: ['"limit": 12, "period": 60', '"RATE_LIMIT_REQUESTS": "12"'],
      // Pages has no limit.
      "cloudflare-pages": [],
      cloudfront: ["              Limit: 12\n", 'Name: X-RateLimit-Limit\n                    Value: "12"'],
    };
    for (const edge of EDGE_NAMES) {
      const texts = planEdge(edge, settings, readTemplate).map(({ text }) => text);
      for (const text of wanted[edge]) expect(texts.join("\n")).toContain(text);
      expect(texts.join("\n")).not.toMatch(/\b(?:120|119)\b/);
    }
  });

  it("is in the OpenAPI document", () => {
    const text = readFileSync(join(site, "api/v1/openapi.json"), "utf8");
    expect(text).toContain("12 requests per 60 seconds");
    const { components } = JSON.parse(text) as { components: { headers: Record<string, object> } };
    expect(components.headers["X-RateLimit-Limit"]).toMatchObject({ example: REQUESTS });
  });

  it("is the contract's if an older version made the catalog", () => {
    const file = join(folder, "older.sqlite");
    const { rateLimit: _, ...config } = CONFIG;
    const writer = createCatalog(file);
    writer.finish({ config: JSON.stringify(config), store: "{}" }, "2026-06-01T00:00:00+00:00");
    writer.commit();
    const catalog = openCatalog(file);
    expect(catalog.config.rateLimit).toEqual({ requests: 120 });
    catalog.close();
  });

  it("may change while a server runs, with a new catalog", () => {
    let requests = 10;
    const limiter = createRateLimiter(() => requests);
    const passed = (count: number) =>
      Array.from({ length: count }, () => limiter("192.0.2.1")).filter((wait) => wait === null).length;
    expect(passed(11)).toBe(10);
    requests = 20;
    expect(passed(20)).toBe(9);
  });
});
