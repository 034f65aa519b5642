/** While the fallback is down, each edge itself answers what needs no catalog, as `vitrine serve` does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { planEdge } from "../../src/edge/edges.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { runCloudFront } from "./support/engines.ts";
import { type EdgeOptions, type Running, startNginx, startPages, startWorker } from "./support/servers.ts";
import { areInstalled, describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

/** Such an answer according to the contract. */
const HEADERS = [
  "content-type",
  "x-content-type-options",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "cache-control",
  "location",
];

const TARGETS = [
  "/",
  "/?utm_source=x",
  "/explore",
  "/docs",
  "/docs?x=1",
  "/docs/nothing.html",
  "/feeds/nothing.xml",
  "/widgets/nothing.js",
  "/.vitrine/current.json",
  "/.vitrine/",
  "/.env",
  "/.git/config",
  "/manifest.sqlite",
  "/catalog.sqlite",
  "/favicon.ico",
  "/healthz",
  "/api/v1/nothing",
  "/api/v1/products/page=999.json",
];
/** These need the catalog. */
const MISSES = [
  "/api/v1/search?q=kit",
  "/api/v1/products?min_price=7",
  "/api/v1/product?slug=nobody-has-this",
];

interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const parts = ({ status, headers, body }: Said) => ({
  status,
  body,
  headers: HEADERS.map((name) => [name, headers[name] ?? ""]),
});

interface RunningEdge {
  readonly start: (options: EdgeOptions) => Promise<Running>;
  readonly targets?: readonly string[];
  /** The parts of an answer that must be equal (default: status, body and headers). */
  readonly are?: (said: Said) => object;
}

const FILES = ["llms.txt"];
const EDGES = new Map<string, RunningEdge>([
  ...(areInstalled(["nginx"]) ? [["nginx", { start: startNginx }] as const] : []),
  ["the Worker", { start: (options) => startWorker(options, FILES) }],
  [
    "Cloudflare Pages",
    {
      start: (options) => startPages(options, FILES),
      // Pages looks up files by their paths without the Worker.
      targets: TARGETS.filter((target) => !target.startsWith("/api/v1/products/")),
      // The Worker does not run outside the API: headers are Pages' own, and redirects have absolute paths and keep the query.
      are: ({ status, headers, body }) => ({
        status,
        body,
        location: headers["location"]?.replace(/^\/|\?.*/g, ""),
      }),
    },
  ],
]);

const folder = temporaryFolder();
let shop: TinyShop;
beforeAll(() => {
  shop = createTinyShop();
});
afterAll(() => shop.close());

describe.each([
  ["pages", { ...TINY_CONFIG, pages: {} }],
  ["no-pages", { ...TINY_CONFIG, pages: false }],
] as [string, PublicConfig][])("a snapshot with %s, the fallback down", (name, config) => {
  let site: string;
  let served: Said[];
  const running = new Map<string, Running>();
  beforeAll(async () => {
    const { layout, manifest } = await shop.build(name, config);
    manifest.close();
    site = layout.site;
    const catalog = openCatalog(layout.catalog);
    served = TARGETS.map((target) => {
      const { status, headers, body } = answerAtEdge(catalog, site, target);
      const named = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]);
      return { status, headers: Object.fromEntries(named), body: body.toString() };
    });
    catalog.close();
    // Nothing listens there.
    const fallbackPort = await freePort();
    for (const [edge, { start }] of EDGES) {
      const options = {
        folder: join(folder, name, edge),
        site,
        fallbackPort,
        config,
        trusted: ["127.0.0.1"],
      };
      running.set(edge, await start(options));
    }
  });
  afterAll(async () => {
    for (const edge of running.values()) await edge.stop();
  });

  describe.each([...EDGES])("%s", (edge, { targets = TARGETS, are = parts }) => {
    it.each(targets)("answers %s as serve does", async (target) => {
      const expected = served[TARGETS.indexOf(target)] as Said;
      const to = { port: running.get(edge)?.port ?? 0 };
      expect(are(await send(to, { target }))).toEqual(are(expected));
      const head = await send(to, { target, method: "HEAD" });
      expect([head.status, head.body]).toEqual([expected.status, ""]);
    });

    it.each(MISSES)("answers 503 to %s", async (target) => {
      const { status, body } = await send({ port: running.get(edge)?.port ?? 0 }, { target });
      expect([status, JSON.parse(body)]).toMatchObject([503, { error: { code: "service_unavailable" } }]);
    });
  });

  describeWith(["njs"], "CloudFront's function", () => {
    it("answers as serve does, and leaves to the origins what may have a file", () => {
      const settings = {
        config: { ...config, baseUrl: "https://api.shop.example/api/v1" },
        site,
        fallbacks: ["fallback.shop.example"],
        listen: [],
        listenTls: [],
        trusted: [],
        exempt: [],
        brotli: false,
      };
      const read = (file: string) => readFileSync(join("templates/edge", file), "utf8");
      const template = planEdge("cloudfront", settings, read)[0]?.text ?? "";
      const code = /\n {6}FunctionCode: \|\n((?: {8}.*\n)+)/.exec(template)?.[1] ?? "";
      interface Returned {
        readonly statusCode?: number;
        readonly headers: Readonly<Record<string, { readonly value: string }>>;
        readonly body?: { readonly data: string };
      }
      const returned = runCloudFront<Returned>(temporaryFolder(), code, TARGETS);
      for (const [at, { statusCode, headers, body }] of returned.entries()) {
        const target = TARGETS[at] ?? "";
        if (statusCode === undefined) {
          expect(target).toMatch(/^\/(?:docs|feeds)\//);
          continue;
        }
        const named = Object.entries(headers).map(([header, { value }]) => [header, value]);
        const said = { status: statusCode, headers: Object.fromEntries(named), body: body?.data ?? "" };
        const expected = served[at] as Said;
        const ours = expected.body.replace(config.baseUrl, settings.config.baseUrl);
        expect(parts(said), target).toEqual(parts({ ...expected, body: ours }));
      }
    });
  });
});
