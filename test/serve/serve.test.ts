import type { ChildProcess } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { clientKey, proxyHeader } from "../../src/key/client.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { clientAddress, createProxyNotice } from "../../src/serve/limits.ts";
import { startNginx } from "../edge/support/servers.ts";
import { areInstalled } from "../edge/support/tools.ts";
import { startServer } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, smallStore, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");
const children: ChildProcess[] = [];

async function start(...flags: string[]): Promise<string> {
  const server = await startServer(flags);
  children.push(server.child);
  return server.url;
}

afterAll(() => {
  for (const child of children) child.kill("SIGTERM");
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request with its target unchanged. */
function send(
  base: string,
  target: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    // A connection each: nginx closes one after a 412, and says keep-alive.
    const sent = request({ hostname, port, path: target, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

const media = join(folder, "media");
let open = "";
beforeAll(async () => {
  mkdirSync(media);
  open = await start("serve", "--out", out, "--no-rate-limit", "--media", media);
});

describe("vitrine serve", () => {
  const parameters: Readonly<Record<string, string>> = { product: "?slug=invoice-kit", search: "?q=invoice" };
  it.each(ENDPOINTS.map((endpoint) => endpoint.path))("answers /%s", async (path) => {
    const { status, headers, body } = await send(open, `/api/v1/${path}${parameters[path] ?? ""}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window",
      "cache-control": "public, max-age=60, s-maxage=300, stale-if-error=86400",
      "cdn-cache-control": "max-age=300, stale-if-error=86400",
    });
    expect(headers["etag"]).toMatch(/^W\/"[0-9a-f]{32}"$/);
    const answer = JSON.parse(body.toString()) as Record<string, unknown>;
    if (path === "openapi.json") expect(answer["openapi"]).toBe("3.1.0");
    else expect(answer).toMatchObject({ success: true, meta: { api_version: "1.0" } });
  });

  const errors: readonly (readonly [target: string, status: number, code: string, message: RegExp])[] = [
    ["/api/v1/nothing", 404, "unknown_endpoint", /endpoint does not exist/],
    ["/nothing", 404, "unknown_endpoint", /endpoint does not exist/],
    ["/api/v1/../../../../etc/passwd", 404, "unknown_endpoint", /./],
    ["/api/v1/%2e%2e/%2e%2e/catalog.sqlite", 404, "unknown_endpoint", /./],
    ["/catalog.sqlite", 404, "unknown_endpoint", /./],
    ["/api/v1/products/page=1.json", 404, "unknown_endpoint", /./],
    ["/api/v1/product?slug=there-is-none", 404, "not_found", /record does not exist/],
    ["/api/v1/product?slug=invoice-kit&id=13", 404, "not_found", /record does not exist/],
    ["/api/v1/blog?slug=there-is-none", 404, "not_found", /record does not exist/],
    ["/api/v1/forum?slug=there-is-none", 404, "not_found", /record does not exist/],
    ["/api/v1/product", 400, "missing_parameter", /slug or id is missing/],
    ["/api/v1/search", 400, "missing_parameter", /q is missing/],
    [
      "/api/v1/products?categry=x&page=0",
      400,
      "invalid_parameter",
      /categry\. Did you mean category\? page must be/,
    ],
    ["/api/v1/reviews?limit=abc&per_page=7", 400, "invalid_parameter", /^limit must be a whole number/],
    ["/api/v1/releases?limit=0&per_page=x", 400, "invalid_parameter", /limit must be .*per_page must be/],
    ["/api/v1/products?status=draft", 400, "invalid_parameter", /one of published, coming_soon, preorder/],
    ["/api/v1/products?category=..%2f..", 400, "invalid_parameter", /category must be a slug/],
    [`/api/v1/search?q=${"a".repeat(201)}`, 400, "invalid_parameter", /1 to 200 characters/],
    [`/api/v1/search?q=${"a".repeat(9000)}`, 414, "uri_too_long", /longer than 8192/],
    [`/api/v1/search?q=${"a".repeat(40_000)}`, 414, "uri_too_long", /longer than 8192/],
  ];
  it("answers a long address with 414, wherever it was cut on its way", async () => {
    const { hostname, port } = new URL(open);
    const line = Buffer.from(`GET /api/v1/search?q=${"a".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    for (const cut of [1000, 20_000, 32_700]) {
      const reply = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.setNoDelay().write(line.subarray(0, cut));
          setTimeout(() => socket.write(line.subarray(cut)), 50);
        });
        socket.on("data", (bytes: Buffer) => resolve(bytes.toString())).on("error", reject);
      });
      expect([cut, reply.split("\r\n")[0]]).toEqual([cut, "HTTP/1.1 414 URI Too Long"]);
    }
  });

  it.each(errors)("answers %s with %i %s", async (target, status, code, message) => {
    const reply = await send(open, target);
    expect(reply.status).toBe(status);
    const answer = JSON.parse(reply.body.toString()) as { error: { code: string; message: string } };
    expect(answer).toEqual({ success: false, error: { code, message: expect.stringMatching(message) } });
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=10",
      "content-type": "application/json; charset=utf-8",
    });
  });

  it("returns an empty page past the end, with true totals", async () => {
    const { body } = await send(open, "/api/v1/products?page=99999");
    const answer = JSON.parse(body.toString()) as {
      data: unknown[];
      pagination: { total: number; total_pages: number };
    };
    expect(answer.data).toEqual([]);
    expect(answer.pagination).toMatchObject({ page: 99_999, per_page: 20 });
    expect(answer.pagination.total_pages).toBe(Math.ceil(answer.pagination.total / 20));
  });

  it("refuses other methods, and answers a preflight", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const reply = await send(open, "/api/v1/store", { method });
      expect([reply.status, reply.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect(JSON.parse(reply.body.toString())).toMatchObject({ error: { code: "method_not_allowed" } });
    }
    const preflight = await send(open, "/api/v1/store", { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
    });
  });

  it.each(["/api/v1/products", "/api/v1/products?search=kit", "/api/v1/nothing"])(
    "gives %s the same headers to HEAD as to GET",
    async (target) => {
      const [get, head] = [await send(open, target), await send(open, target, { method: "HEAD" })];
      const bare = ({ headers: { date: _, ...headers } }: Reply) => headers;
      expect(head.status).toBe(get.status);
      expect(bare(head)).toEqual(bare(get));
      expect(head.body.length).toBe(0);
    },
  );

  it("answers 304 to clients that have it: lists, *, weak and strong", async () => {
    for (const target of ["/api/v1/products", "/api/v1/products?search=kit"]) {
      const etag = String((await send(open, target)).headers["etag"]);
      const strong = etag.slice(2);
      for (const value of [etag, strong, "*", `"other", ${etag}`, `"a,b" , W/"x",${strong}`]) {
        const reply = await send(open, target, { headers: { "If-None-Match": value } });
        expect(reply.status, value).toBe(304);
        expect(reply.body.length).toBe(0);
        expect(reply.headers).toMatchObject({
          etag,
          "cache-control": expect.stringContaining("max-age=60"),
          vary: "Accept-Encoding",
        });
      }
      const cut = etag.slice(0, -1);
      for (const end of ["-gzip", "-br", "-zstd", "--gzip", ";gzip", "-deflate"]) {
        const headers = { "If-None-Match": `"a", ${cut}${end}", "b"` };
        expect((await send(open, target, { headers })).status, end).toBe(304);
      }
      const others = ["0", "-", "-1", "-gzip-1", "0-gzip", "-gz ip"].map((end) => `${cut}${end}"`);
      const shorter = [`${cut.slice(0, -1)}-gzip"`, '"-gzip"', 'W/"', cut];
      for (const value of ['"other"', "garbage", etag.replaceAll('"', ""), ...others, ...shorter]) {
        expect((await send(open, target, { headers: { "If-None-Match": value } })).status, value).toBe(200);
      }
    }
  });

  it("encodes as the client prefers", async () => {
    const plain = (await send(open, "/api/v1/products")).body;
    const cases: readonly (readonly [
      accepted: string,
      encoding: string | undefined,
      decode: (body: Buffer) => Buffer,
    ])[] = [
      ["gzip", "gzip", gunzipSync],
      ["gzip, deflate, br", "br", brotliDecompressSync],
      ["br;q=0, gzip", "gzip", gunzipSync],
      ["*", "br", brotliDecompressSync],
      ["identity", undefined, (body) => body],
      ["gzip;q=0", undefined, (body) => body],
      ["zstd", undefined, (body) => body],
    ];
    for (const [accepted, encoding, decode] of cases) {
      const reply = await send(open, "/api/v1/products", { headers: { "Accept-Encoding": accepted } });
      expect(reply.headers["content-encoding"], accepted).toBe(encoding);
      expect(decode(reply.body).equals(plain), accepted).toBe(true);
      expect(reply.headers["vary"]).toBe("Accept-Encoding");
    }
  });

  it("compresses what that makes smaller, and neither pictures nor archives nor fonts", async () => {
    const packed = ["webp", "jpg", "png", "avif", "gif", "zip", "gz", "woff2", "mp4", "pdf", "bin"];
    const plain = ["svg", "json", "txt", "css", "js", "xml", "html", "jsonld", "webmanifest", "atom", "csv"];
    for (const type of [...packed, ...plain])
      writeFileSync(join(media, `file.${type}`), "word ".repeat(1000));
    for (const accepted of ["gzip", "gzip, br"]) {
      const encodingOf = async (type: string) =>
        (await send(open, `/media/file.${type}`, { headers: { "Accept-Encoding": accepted } })).headers[
          "content-encoding"
        ];
      for (const type of packed) expect(await encodingOf(type), type).toBeUndefined();
      for (const type of plain) expect(await encodingOf(type), type).toBe(accepted.split(", ").at(-1));
    }
  });

  it.runIf(areInstalled(["nginx"]))(
    "says when a file was written, and answers by that, as nginx does",
    async () => {
      const nginx = await startNginx({
        folder: join(folder, "nginx"),
        site: join(out, "site"),
        fallbackPort: await freePort(),
        exempt: ["127.0.0.0/8"],
      });
      const behind = `http://127.0.0.1:${nginx.port}`;
      const targets = ["/api/v1/products", "/api/v1/product?slug=invoice-kit", "/api/v1", "/api/v1/store"];
      const late = Math.floor(Date.now() / 1000) - 60 + 0.9998;
      utimesSync(join(out, "site/api/v1/store.json"), late, late);
      for (const target of [...targets, "/api/v1/openapi.json", "/widgets/reviews.js"]) {
        const [own, other] = [await send(open, target), await send(behind, target)];
        const time = String(other.headers["last-modified"]);
        expect(own.headers["last-modified"], target).toBe(time);
        const move = (seconds: number) => new Date(Date.parse(time) + 1000 * seconds).toUTCString();
        const etags = [own, other].map(({ headers }) => String(headers["etag"]));
        const conditions: readonly Record<string, string>[] = [
          { "If-Modified-Since": time },
          { "If-Modified-Since": move(1) },
          { "If-Modified-Since": move(-1) },
          { "If-Modified-Since": "yesterday" },
          { "If-Modified-Since": time, "If-None-Match": '"another"' },
          { "If-Modified-Since": move(-1), "If-None-Match": "ETAG" },
          { "If-Unmodified-Since": time },
          { "If-Unmodified-Since": move(-1) },
          { "If-Unmodified-Since": move(1), "If-Modified-Since": time },
        ];
        for (const condition of conditions) {
          const [a, b] = await Promise.all(
            [open, behind].map((base, at) => {
              const entries = Object.entries(condition);
              const headers = Object.fromEntries(
                entries.map(([name, value]) => [name, value.replace("ETAG", etags[at] ?? "")]),
              );
              return send(base, target, { headers });
            }),
          );
          expect(a?.status, `${target} ${JSON.stringify(condition)}`).toBe(b?.status);
          if (a?.status === 304) expect([a.headers["last-modified"], a.body.length]).toEqual([time, 0]);
        }
      }
      expect((await send(open, "/api/v1/products?search=kit")).headers).not.toHaveProperty("last-modified");
      await nginx.stop();
    },
  );

  it("says in a header what it searched for in place of a text that nothing has", async () => {
    for (const [target, corrected] of [
      ["products?search=invoce", "invoice"],
      ["products?search=invoce&page=9", "invoice"],
      ["search?q=Invoce%20Kit", "invoice%20kit"],
      ["forum?q=licnece", "licence"],
      ["products?search=invoice", undefined],
      ["products?search=invo", undefined],
      ["products?search=Invoice-Kit", undefined],
      ["products?search=zzzzzzzz", undefined],
      ["products", undefined],
    ] as const) {
      const { headers, body } = await send(open, `/api/v1/${target}`);
      expect(headers["x-corrected-search"], target).toBe(corrected);
      expect(Object.keys(JSON.parse(body.toString()) as object)).toEqual([
        "success",
        "data",
        "pagination",
        "meta",
      ]);
    }
  });

  it("redirects from its root to the status", async () => {
    for (const target of ["/", "/?utm_source=x"]) {
      const reply = await send(open, target);
      expect([reply.status, reply.headers["location"]]).toEqual([302, "api/v1"]);
    }
    expect((await fetch(open)).url).toBe(`${open}/api/v1`);
  });

  it("does not follow a symbolic link out of the site: the catalog answers instead", async () => {
    const site = join(folder, "linked");
    cpSync(join(out, "site"), site, { recursive: true });
    writeFileSync(join(folder, "secret.json"), '{"secret":true}');
    const catalog = openCatalog(join(out, "catalog.sqlite"));
    const answer = (target: string) => answerAtEdge(catalog, site, target);
    const files = join(site, "api/v1");
    rmSync(join(files, "faqs.json"));
    symlinkSync(join(folder, "secret.json"), join(files, "faqs.json"));
    renameSync(join(files, "blog"), join(folder, "blog"));
    symlinkSync(join(folder, "blog"), join(files, "blog"));
    renameSync(join(files, "store.json"), join(files, "kept.json"));
    symlinkSync("kept.json", join(files, "store.json"));
    symlinkSync("loop.json", join(files, "loop.json"));
    rmSync(join(files, "widgets.json"));
    symlinkSync("loop.json", join(files, "widgets.json"));
    const source = (target: string) => [answer(target).status, answer(target).source];
    expect(source("/api/v1/faqs")).toEqual([200, "fallback"]);
    expect(answer("/api/v1/faqs").body.toString()).not.toContain("secret");
    expect(source("/api/v1/blog")).toEqual([200, "fallback"]);
    expect(source("/api/v1/widgets")).toEqual([200, "fallback"]);
    expect(source("/api/v1/store")).toEqual([200, "file"]);
    expect(source("/api/v1/products")).toEqual([200, "file"]);
    // The folder itself may be a link: some deployments switch releases that way.
    symlinkSync(site, join(folder, "link"));
    expect(answerAtEdge(catalog, join(folder, "link"), "/api/v1/products").source).toBe("file");
    catalog.close();
  });

  it("names its own address if the snapshot was built for another, and says so", async () => {
    const production = join(folder, "production");
    const address = "https://shop.example";
    const config = { ...SMALL_CONFIG, baseUrl: `${address}/api/v1`, siteUrl: address };
    await buildQuietly(demoInputs(smallStore(), production, { config }));
    const server = await startServer(["serve", "--out", production, "--no-rate-limit"]);
    children.push(server.child);
    const own = new URL(server.url).origin;
    const get = async (target: string) => (await send(server.url, target)).body.toString();
    const data = async (target: string) => (JSON.parse(await get(target)) as { data: unknown }).data;
    expect(await data("/api/v1")).toMatchObject({
      documentation: { openapi_url: `${own}/api/v1/openapi.json` },
      endpoints: expect.arrayContaining([expect.objectContaining({ url: `${own}/api/v1/products` })]),
    });
    expect(JSON.parse(await get("/api/v1/openapi.json"))).toMatchObject({
      servers: [{ url: `${own}/api/v1` }],
    });
    const widget = ["reviews", "badge", "card", "grid", "faq"].map((name) =>
      expect.objectContaining({ script: `${own}/widgets/${name}.js` }),
    );
    expect(await data("/api/v1/widgets")).toEqual(widget);
    expect(await data("/api/v1/store")).toMatchObject({ available_widgets: widget });
    expect(await get("/widgets/reviews.js")).toContain(`vitrineWidget(q=>"${own}/api/v1"+q);`);
    expect(await get("/api/v1/nothing")).toContain(`${own}/api/v1 lists all`);
    const { etag } = (await send(server.url, "/widgets/reviews.js")).headers;
    const again = { headers: { "If-None-Match": String(etag) } };
    expect((await send(server.url, "/widgets/reviews.js", again)).status).toBe(304);
    for (const file of ["api/v1/products/page=1.json", "api/v1/categories.json"]) {
      const target = `/${file.replace(/(\/page=1)?\.json$/, "")}`;
      expect(await get(target)).toBe(readFileSync(join(production, "site", file), "utf8"));
    }
    expect(server.said()).toContain(`built for ${address}/api/v1`);
  });

  it("serves the widget's script", async () => {
    const reply = await send(open, "/widgets/reviews.js");
    expect(reply.headers["content-type"]).toMatch(/javascript/);
    expect(reply.body.toString()).toContain(`vitrineWidget(q=>"${open}/api/v1"+q)`);
  });

  it("answers invalid HTTP with a 400, and continues", async () => {
    const { hostname, port } = new URL(open);
    const said = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write("NONSENSE\r\n\r\n"));
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("close", () => resolve(text));
    });
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect((await send(open, "/api/v1/store")).status).toBe(200);
  });
});

describe("the rate limit", () => {
  it("lets 120 requests of an address pass, including errors and 304s, and answers the 121st as the contract says", async () => {
    const limited = await start("serve", "--out", out, "--trust-proxy");
    const as = (address: string) => ({ headers: { "X-Forwarded-For": `6.6.6.6, ${address}` } });
    for (let count = 0; count < 40; count++) {
      expect((await send(limited, "/api/v1/store", as("192.0.2.1"))).status).toBe(200);
      expect((await send(limited, "/api/v1/nothing", as("192.0.2.1"))).status).toBe(404);
      const headers = { ...as("192.0.2.1").headers, "If-None-Match": "*" };
      expect((await send(limited, "/api/v1/store", { headers })).status).toBe(304);
    }
    const refused = await send(limited, "/api/v1/store", as("192.0.2.1"));
    expect(refused.status).toBe(429);
    expect(refused.body.toString()).toBe(
      '{"success":false,"error":{"code":"rate_limited","message":"Too many requests."}}',
    );
    expect(refused.headers).toMatchObject({
      "x-ratelimit-limit": "120",
      "x-ratelimit-window": "60",
      "cache-control": "no-store",
    });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await send(limited, "/api/v1/store", as("192.0.2.2"))).status).toBe(200);
    for (let count = 0; count < 120; count++) {
      expect((await send(limited, "/api/v1/store", as(`2001:db8::${(count % 8) + 1}`))).status).toBe(200);
    }
    expect((await send(limited, "/api/v1/store", as("2001:db8::9"))).status).toBe(429);
    expect((await send(limited, "/api/v1/store", as("2001:db8:0:1::1"))).status).toBe(200);
  });

  it("ignores X-Forwarded-For from untrusted clients, and says so", async () => {
    const { url: limited, said, child } = await startServer(["serve", "--out", out]);
    children.push(child);
    for (let count = 0; count < 120; count++) {
      await send(limited, "/api/v1/store", { headers: { "X-Forwarded-For": `192.0.2.${count}` } });
    }
    for (let count = 0; count < 3; count++) {
      const reply = await send(limited, "/api/v1/store", { headers: { "X-Forwarded-For": "203.0.113.9" } });
      expect(reply.status).toBe(429);
    }
    const notices = await until("the notice", () => said().match(/.*gets 429 and sends.*/g) ?? undefined);
    expect(notices).toEqual([expect.stringMatching(/127\.0\.0\.1 .* X-Forwarded-For: .* --trust-proxy/)]);
  });

  it("says once what to do if a refused client looks like a cache or proxy", () => {
    const said: string[] = [];
    const refuse = createProxyNotice((message) => said.push(message), false);
    const from = (headers: Record<string, string>, address = "10.0.0.5", socketAddress = "10.0.0.5") =>
      refuse({ header: (name) => headers[name], address, socketAddress });
    from({});
    expect(said).toEqual([]);
    from({ Via: "1.1 varnish" });
    for (let at = 0; at < 50; at++) from({ "X-Forwarded-For": `192.0.2.${at}` }, "10.0.0.6", "10.0.0.6");
    expect(said).toEqual([expect.stringMatching(/^10\.0\.0\.5 gets 429 and sends Via: .* --trust-proxy/)]);
  });

  it.each([
    ["the address that a trusted proxy asks for", { "X-Forwarded-For": "192.0.2.1" }, null],
    ["the same, spelled as IPv6", { "X-Forwarded-For": "::ffff:192.0.2.1" }, null],
    ["the same from a CDN", { "X-Forwarded-For": "192.0.2.1", "CF-Connecting-IP": "192.0.2.1" }, null],
    ["a proxy behind the trusted one", { "X-Forwarded-For": "198.51.100.1, 192.0.2.1" }, "X-Forwarded-For"],
  ])("takes %s for what it is", (_, headers: Record<string, string>, found) => {
    expect(proxyHeader((name) => headers[name], "192.0.2.1", "10.0.0.5")).toBe(found);
  });

  it("counts an address by its value, not by its spelling", () => {
    expect(clientKey("::ffff:192.0.2.1")).toBe(clientKey("192.0.2.1"));
    expect(clientKey("2001:db8::1")).toBe(clientKey("2001:0DB8:0:0:ffff::2"));
    expect(clientKey("2001:db8::1")).not.toBe(clientKey("2001:db8:0:1::1"));
    expect(clientAddress("10.0.0.1", "1.2.3.4, 192.0.2.7", true)).toBe("192.0.2.7");
    expect(clientAddress("10.0.0.1", "nonsense", true)).toBe("10.0.0.1");
    expect(clientAddress("10.0.0.1", "192.0.2.7", false)).toBe("10.0.0.1");
  });
});
