/** Purges: the plan as data, and each adapter over HTTP against a server that enforces its provider's limits. */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Cdn,
  createCloudFront,
  openCdn,
  type PendingPurge,
  pathsOfKey,
  planPurge,
  prefixesOf,
  runPurge,
} from "../../src/publish/purge.ts";
import { type CdnServer, startCdnServer } from "../support/cdn-server.ts";
import { HastyClock } from "../support/simulated-clock.ts";

const RETRIES = {
  attempts: 6,
  baseMilliseconds: 1,
  maxMilliseconds: 5,
  callMilliseconds: 20_000,
  budgetMilliseconds: 60_000,
  clock: new HastyClock(),
};
const ORIGIN = "https://shop.example";
const keysOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `api/v1/products/category=c${at}/page=1.json`);
const pending = (
  count: number | null,
  tags: readonly string[] = ["vitrine-products", "vitrine-product"],
): PendingPurge => ({
  release: "00000007-abc",
  keys: count === null ? null : keysOf(count),
  tags,
});

describe("the paths of a key", () => {
  it.each([
    ["api/v1/store.json", ["/api/v1/store.json", "/api/v1/store"]],
    [
      "api/v1/products/category=scripts/page=2.json",
      ["/api/v1/products/category=scripts/page=2.json", "/api/v1/products?page=2&category=scripts"],
    ],
    ["api/v1/index.json", ["/api/v1/index.json", "/api/v1", "/api/v1/"]],
    ["widgets/reviews.js", ["/widgets/reviews.js"]],
  ])("%s", (key, paths) => {
    expect(pathsOfKey(key)).toEqual(paths);
  });
});

describe("the prefixes of addresses", () => {
  const at = (...paths: string[]) => prefixesOf(paths.map((path) => `${ORIGIN}${path}`));
  it("have no query, and leave out what a shorter one covers", () => {
    const product = at("/api/v1/product/id=1.json", "/api/v1/product?id=1", "/api/v1/product?slug=a");
    expect(product).toEqual(["shop.example/api/v1/product"]);
    // A longer name is another path.
    expect(at("/api/v1/product?id=1", "/api/v1/products?page=2")).toHaveLength(2);
  });
  it("cover each address, also a folder's and the root's", () => {
    expect(at("/explore/index.html", "/explore/")).toEqual(["shop.example/explore"]);
    expect(at("/widgets/reviews.js")).toEqual(["shop.example/widgets/reviews.js"]);
    expect(at("/")).toEqual(["shop.example"]);
  });
  it("cover every address of every key that a purge names", () => {
    const addresses = keysOf(50)
      .concat("api/v1/index.json", "docs/index.html", "api/v1/store.json")
      .flatMap(pathsOfKey)
      .map((path) => ORIGIN + path);
    const prefixes = prefixesOf(addresses);
    for (const address of addresses)
      expect(prefixes.some((prefix) => address.startsWith(`https://${prefix}`))).toBe(true);
  });
});

/** Cloudflare's cache with its default key: the address and the reader's Origin. An address alone names the copy without Origin. */
it("a purge at Cloudflare removes the copies of readers on other sites, too", async () => {
  const server = await startCdnServer();
  try {
    const env = { CLOUDFLARE_API_TOKEN: "t" };
    const cdn = openCdn("cloudflare:z1", { origin: ORIGIN, env, api: server.url, retries: RETRIES });
    const plan = planPurge({ release: "1", keys: ["api/v1/product/id=1.json"], tags: [] }, cdn);
    await runPurge(cdn, plan, "1");
    const [address, others] = ["shop.example/api/v1/product?id=1", "Origin: https://www.shop.example"];
    const isGone = (origin: string) =>
      server.purged.some((one) =>
        one.endsWith("*")
          ? address.startsWith(one.slice(0, -1))
          : one === `https://${address}` && origin === "",
      );
    expect([isGone(""), isGone(others)]).toEqual([true, true]);
  } finally {
    await server.close();
  }
});

describe("the adapters", () => {
  let server: CdnServer;
  beforeEach(async () => {
    server = await startCdnServer();
  });
  afterEach(() => server.close());

  const client = () => ({ endpoint: server.url, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const env = { CLOUDFLARE_API_TOKEN: "t", FASTLY_API_TOKEN: "t", VITRINE_WEBHOOK_SECRET: "s" };
  const options = () => ({ origin: ORIGIN, env, api: server.url, retries: RETRIES });
  const cdns: Record<string, (tags: boolean) => Cdn> = {
    cloudfront: (tags) => createCloudFront({ distribution: "E1", tags, client: client(), retries: RETRIES }),
    cloudflare: (tags) => openCdn(`cloudflare:z1${tags ? "+tags" : ""}`, options()),
    fastly: (tags) => openCdn(`fastly:s1${tags ? "+tags" : ""}`, options()),
  };
  const run = async (cdn: Cdn, what: PendingPurge) => {
    const plan = planPurge(what, cdn);
    await runPurge(cdn, plan, what.release);
    expect(server.refused).toEqual([]);
    return plan;
  };

  it("cloudfront is asked every two seconds until all edges have confirmed", async () => {
    const clock = new HastyClock();
    const retries = { ...RETRIES, clock };
    const cdn = createCloudFront({ distribution: "E1", tags: false, client: client(), retries });
    await cdn.purge({ kind: "everything" }, "r");
    expect(clock.pauses).toEqual([2000]);
    expect(server.requests).toHaveLength(3);
  });

  describe.each(Object.keys(cdns))("%s", (name) => {
    const make = (tags: boolean): Cdn => (cdns[name] as (tags: boolean) => Cdn)(tags);

    it("purges few keys exactly, in both spellings", async () => {
      const plan = await run(make(false), pending(40));
      const [kinds, others] = name === "cloudflare" ? [["exact", "prefixes"], 1] : [["exact"], 0];
      expect([...new Set(plan.requests.map(({ kind }) => kind))]).toEqual(kinds);
      expect(server.purged).toHaveLength(80 + others);
      const prefix = { cloudfront: "", cloudflare: ORIGIN, fastly: "shop.example" }[name] ?? "";
      expect(server.purged).toContain(`${prefix}/api/v1/products/category=c7/page=1.json`);
      expect(server.purged).toContain(`${prefix}/api/v1/products?category=c7`);
    });
    it("purges many by tag if the CDN knows tags", async () => {
      await run(make(true), pending(9000));
      expect(server.purged).toEqual(["#vitrine-products", "#vitrine-product"]);
    });
    it("purges everything if nothing else works", async () => {
      await run(make(false), pending(null));
      expect(server.purged).toEqual([name === "cloudfront" ? "/*" : "*"]);
    });
    it("stays within the provider's limits with the largest exact purge, and with tags", async () => {
      const cdn = make(true);
      const { exactMost, exactBatch } = cdn.limits;
      const largest = planPurge(pending(Math.floor(exactMost / 2)), cdn).requests;
      expect(largest.filter(({ kind }) => kind !== "exact" && kind !== "prefixes")).toEqual([]);
      // A full batch and the beginning of the next one: Fastly takes one address a request.
      await run(cdn, pending(Math.floor(Math.min(exactMost, exactBatch + 10) / 2)));
      await run(cdn, {
        ...pending(
          null,
          Array.from({ length: 300 }, (_, at) => `t${at}`),
        ),
        release: "00000008-abc",
      });
    });
    it("waits while the provider is busy", async () => {
      server.busy = 3;
      await run(make(false), pending(1));
      expect(server.purged).toHaveLength(name === "cloudflare" ? 3 : 2);
    });
    it("says so when the provider stays busy", async () => {
      server.busy = 1000;
      await expect(run(make(false), pending(1))).rejects.toMatchObject({ code: "purge_failed", exitCode: 5 });
    });
  });

  it.each(["cloudfront", "cloudflare", "fastly"])("%s: purges again for the same release", async (name) => {
    const cdn = cdns[name]?.(false) as Cdn;
    const prefixes = Number(name === "cloudflare");
    await run(cdn, pending(3));
    await run(cdn, pending(3));
    expect(server.purged).toHaveLength(12 + 2 * prefixes);
    // After an interruption, the next run may purge other keys of the same release.
    await run(cdn, pending(1));
    expect(server.purged).toHaveLength(14 + 3 * prefixes);
  });

  it.each(["cloudfront", "webhook"])("%s: a repeated request has the same reference", async (name) => {
    const cdn = cdns[name]?.(false) ?? openCdn(`webhook:${server.url}/hook`, options());
    server.lost = 2;
    await run(cdn, pending(1));
    await run(cdn, pending(1));
    const references = server.requests.flatMap(
      ({ body }) => /(?:<CallerReference>|"reference":")([\w-]+)/.exec(body)?.[1] ?? [],
    );
    expect(references).toHaveLength(4);
    expect([...new Set(references.slice(0, 3))]).toHaveLength(1);
    expect(references[3]).not.toBe(references[0]);
    for (const reference of references) expect(reference).toMatch(/^vitrine-00000007-abc-/);
  });

  it.each(["cloudfront", "cloudflare", "fastly"])("%s: a 5xx is tried again like a 503", async (name) => {
    server.answers.push(
      { status: 500 },
      {
        status: 502,
        body: "<html><body>Bad Gateway</body></html>",
        headers: { "content-type": "text/html" },
      },
      { status: 504 },
    );
    await run(cdns[name]?.(false) as Cdn, pending(1));
    expect(server.purged).toHaveLength(name === "cloudflare" ? 3 : 2);
  });

  const PAGE = "<!doctype html><html><head><title>Sign in</title><br></head><body>Sign in</body></html>";
  it.each([
    ...["cloudfront", "cloudflare", "fastly"].flatMap((name) =>
      [200, 403].map((status) => [name, status, PAGE, /page for people/, /proxy/] as const),
    ),
    ["cloudflare", 200, '{"success":false,"errors":[{"code":1012}]}', /\(?200\)?: .*1012/, null],
    [
      "cloudflare",
      403,
      '{"success":false}',
      /403: .*refuses these credentials/,
      /docs\/edges\.md#purge-a-cdn/,
    ],
    [
      "cloudfront",
      403,
      "<ErrorResponse><Error><Code>AccessDenied</Code><Message>no.</Message></Error></ErrorResponse>",
      /AccessDenied \(403\): no\. The CDN refuses/,
      /docs\/edges\.md#purge-a-cdn/,
    ],
    [
      "cloudfront",
      404,
      "<ErrorResponse><Error><Code>NoSuchDistribution</Code><Message>no</Message></Error></ErrorResponse>",
      /NoSuchDistribution .*has no such distribution/,
      /correct --purge/,
    ],
  ] as const)("%s, if it answers %i %s, is explained", async (name, status, body, said, todo) => {
    const headers = { "content-type": body.startsWith("<!doctype") ? "text/html" : "application/json" };
    server.answers.push({ status, body, headers });
    const cdn = cdns[name]?.(false) as Cdn;
    const failed = await runPurge(cdn, planPurge(pending(1), cdn), "a").catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "purge_failed", message: expect.stringMatching(said) });
    expect(failed).toMatchObject({
      message: expect.stringMatching(`^${cdn.name} did not take the purge: `),
    });
    if (todo !== null) expect(failed).toMatchObject({ hint: expect.stringMatching(todo) });
    expect(server.purged).toEqual([]);
  });

  it("a webhook receives the changes, signed, with a reference", async () => {
    const cdn = openCdn(`webhook:${server.url}/hook`, options());
    await run(cdn, pending(2));
    const [request] = server.requests;
    const sent = JSON.parse(request?.body ?? "") as { readonly reference: string };
    expect(sent).toMatchObject({ purge: "exact" });
    expect(request?.headers["idempotency-key"]).toBe(sent.reference);
    const signature = createHmac("sha256", "s")
      .update(request?.body ?? "")
      .digest("hex");
    expect(request?.headers["x-vitrine-signature"]).toBe(`sha256=${signature}`);
  });
});

describe("a redirect", () => {
  it("does not confirm, and is not followed", async () => {
    const asked: (string | undefined)[] = [];
    const moved = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(url === "/hook" ? 302 : 200, { Location: "/login" }).end();
    });
    await new Promise<void>((resolve) => moved.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = moved.address() as AddressInfo;
      const options = { origin: ORIGIN, env: {}, retries: RETRIES };
      const cdn = openCdn(`webhook:http://127.0.0.1:${port}/hook`, options);
      await expect(runPurge(cdn, planPurge(pending(1), cdn), "a")).rejects.toThrow(/did not take .* 302/);
      expect(asked).toEqual(["/hook"]);
    } finally {
      moved.close();
    }
  });
});

describe("a webhook's path", () => {
  const path = "/services/T0SECRET/B0SECRET?key=K0SECRET";
  it.each([
    ["refuses", 403, `Cannot POST ${path}`],
    ["refuses a part of it", 400, "no such key: K0SECRET, of T0SECRET"],
    ["stays busy", 503, `${path} is busy`],
  ])("is in no message if it %s", async (_, status, said) => {
    const hook = createServer((_request, response) => response.writeHead(status).end(said));
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = hook.address() as AddressInfo;
      const cdn = openCdn(`webhook:http://127.0.0.1:${port}${path}`, {
        origin: ORIGIN,
        env: {},
        retries: RETRIES,
      });
      const plan = planPurge(pending(1), cdn);
      const error = await runPurge(cdn, plan, "a").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "purge_failed" });
      expect(inspect(error, { depth: 9 })).not.toContain("0SECRET");
      expect(plan.cdn).toBe(`webhook:http://127.0.0.1:${port}`);
    } finally {
      hook.close();
    }
  });

  it("is in no message if the address is invalid", () => {
    const opening = () => openCdn("webhook:hooks.example/services/T0SECRET", { origin: ORIGIN, env: {} });
    expect(opening).toThrow(/"webhook:…" is not a CDN/);
  });
});

describe("--purge", () => {
  const options = { origin: ORIGIN, env: { CLOUDFLARE_API_TOKEN: "t", FASTLY_API_TOKEN: "t" } };
  it.each([
    "cloudfront:E1ABC",
    "cloudfront:E1ABC+tags",
    "cloudflare:abc",
    "fastly:abc+tags",
    "webhook:https://x.example/p",
  ])("%s", (spec) => {
    expect(openCdn(spec, options).name).toBe(spec.replace(/\+tags|\/p$/, ""));
  });
  it("names the variable that a token is missing from", () => {
    expect(() => openCdn("fastly:abc", { origin: ORIGIN, env: {} })).toThrow(/FASTLY_API_TOKEN/);
  });
  it("refuses unknown CDNs", () => {
    expect(() => openCdn("akamai:abc", options)).toThrow(/is not a CDN/);
  });
  it.each([
    ["cloudfront:E1", "100 paths"],
    ["cloudflare:abc", "2 requests"],
    ["fastly:abc", "100 requests"],
    ["webhook:https://x.example/p", "1 request"],
  ])("%s counts what a purge takes, and names no price", (spec, amount) => {
    expect(planPurge(pending(50), openCdn(spec, options)).amount).toBe(amount);
  });
});
