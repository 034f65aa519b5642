/** vitrine.conf in the http block of an nginx that serves other things, too: its usual settings for these change no answer of the API. */
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type Running, startFallback, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { type Request, send } from "./support/wire.ts";

const SETTINGS = `
    open_file_cache max=10000 inactive=5m;
    open_file_cache_valid 2m;
    open_file_cache_errors on;
    expires 1h;
    etag off;
    if_modified_since before;
    gzip_vary on;
    ssi on;
    autoindex on;
    proxy_intercept_errors on;
    proxy_buffering off;
    proxy_read_timeout 300s;
    proxy_cache_valid any 10m;
    proxy_cache_min_uses 5;
    proxy_cache_revalidate on;
    proxy_cache_bypass $http_x_fresh;
    proxy_no_cache $http_x_fresh;
    proxy_ignore_headers Cache-Control Expires;
    error_page 404 /404.html;
`;
const folder = temporaryFolder();
const out = sharedSnapshot("demo");
const site = join(folder, "site");

describeWith(["nginx"], "nginx with settings for other servers", () => {
  let fallback: Running;
  let alone: Running;
  let shared: Running;
  const asked: string[] = [];
  beforeAll(async () => {
    cpSync(join(out, "site"), site, { recursive: true });
    fallback = await startFallback(join(out, "catalog.sqlite"), { seen: (target) => asked.push(target) });
    const options = { site, fallbackPort: fallback.port, exempt: ["127.0.0.0/8"] };
    alone = await startNginx({ ...options, folder: join(folder, "alone") });
    shared = await startNginx({
      ...options,
      folder: join(folder, "shared"),
      change: (name, text) =>
        name === "nginx.conf" ? text.replace("http {\n", `http {\n${SETTINGS}`) : text,
    });
  });
  afterAll(() => Promise.all([alone, shared, fallback].map((server) => server.stop())));

  it.each<[string, Request]>([
    ["a file", { target: "/api/v1/products" }],
    ["a file, zipped", { target: "/api/v1/products", headers: { "Accept-Encoding": "gzip" } }],
    ["a page", { target: "/explore/" }],
    ["a feed", { target: "/feeds/products.atom" }],
    ["a product that does not exist", { target: "/api/v1/product?slug=none" }],
    ["a wrong value", { target: "/api/v1/products?page=x" }],
    ["an unknown path", { target: "/nothing" }],
    ["a list of the fallback", { target: "/api/v1/products?min_price=10" }],
    ["POST", { target: "/api/v1/products", method: "POST" }],
  ])("sends the same answer: %s", async (_, request) => {
    const [expected, seen] = [await send(alone, request), await send(shared, request)];
    const withoutTimes = ({ headers: { date, age, ...headers }, body, status }: typeof seen) => ({
      status,
      headers,
      body: body.replace(/"generated_at":"[^"]*"/, ""),
    });
    expect(withoutTimes(seen)).toEqual(withoutTimes(expected));
  });

  it("sends a 304 for the ETag of its own answer", async () => {
    const { headers } = await send(shared, { target: "/api/v1/products" });
    const again = { target: "/api/v1/products", headers: { "If-None-Match": headers["etag"] ?? "" } };
    expect((await send(shared, again)).status).toBe(304);
  });

  it("sends a new file from the moment on when it is in place", async () => {
    const file = join(site, "api/v1/store.json");
    await send(shared, { target: "/api/v1/store" });
    writeFileSync(`${file}.new`, readFileSync(file, "utf8").replace(/\}\s*$/, ',"new":true}'));
    renameSync(`${file}.new`, file);
    expect((await send(shared, { target: "/api/v1/store" })).body).toContain('"new":true');
  });

  it("asks the fallback once for what it may keep", async () => {
    const target = "/api/v1/search?q=once";
    await send(shared, { target });
    await send(shared, { target, headers: { "X-Fresh": "1" } });
    expect(asked.filter((path) => path === target)).toHaveLength(1);
  });
});
