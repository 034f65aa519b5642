#!/usr/bin/env bash
# Workbox' ExpirationPlugin({ maxAgeSeconds: 3600 }) with CacheFirst takes an answer's Date for the moment of storing it: an answer that a CDN has had for a day (Date of yesterday, Age: 86400) is put into the cache
# and asked for again each time. From another origin the same answer is used from the cache, for a page may not read its Date there. One would guess that the age counts from when Workbox stored it, as it
# does when old entries are deleted, and that the origin changes nothing.
# A catalog on the shop's own host behind a CDN gains nothing from such a service worker, and shows nothing to a reader who is offline, although its files are in the cache; on a test server (Date of now) all works.
# Version: workbox-expiration 7.4.1, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell 156.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund workbox-expiration@7.4.1 workbox-strategies@7.4.1 workbox-routing@7.4.1 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { ExpirationPlugin } from "workbox-expiration"; import { registerRoute } from "workbox-routing"; import { CacheFirst } from "workbox-strategies";
  const plugins = [new ExpirationPlugin({ maxAgeSeconds: 3600 })];
  registerRoute(({ url }) => url.pathname === "/list", new CacheFirst({ cacheName: "lists", plugins }));
  addEventListener("activate", (event) => event.waitUntil(clients.claim()));`;
const define = { "process.env.NODE_ENV": '"production"' };
const worker = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, define }).outputFiles[0].text;
const asked = {};
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://host");
  if (pathname === "/worker.js") return response.writeHead(200, { "Content-Type": "text/javascript" }).end(worker);
  if (pathname !== "/list") return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>");
  const age = Number(searchParams.get("age"));
  const name = `${request.headers.host.startsWith("localhost") ? "own" : "another"} origin, age ${age}`;
  asked[name] = (asked[name] ?? 0) + 1;
  const sent = new Date(Date.now() - age * 1000).toUTCString();
  response.writeHead(200, { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache", Age: age, Date: sent }).end("{}");
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const { port } = server.address();
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`http://localhost:${port}/`);
await page.evaluate(async () => {
  const claimed = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
  await navigator.serviceWorker.register("/worker.js");
  await claimed;
});
for (const host of ["localhost", "127.0.0.1"])
  for (const age of [0, 86400])
    for (let time = 0; time < 3; time++) {
      await page.evaluate(async (url) => (await fetch(url)).text(), `http://${host}:${port}/list?age=${age}`);
      // Workbox stores an answer after it has given it to the page.
      await page.waitForTimeout(300);
    }
for (const [name, times] of Object.entries(asked)) console.log(`${name}: asked ${times}`);
await browser.close();
server.close();
JS
seen=$(node run.js | paste -sd';')
echo "workbox-expiration@7.4.1, $(chromium-headless-shell --version 2> /dev/null || true)"
echo "seen: $seen"
[ "$seen" = 'own origin, age 0: asked 1;own origin, age 86400: asked 3;another origin, age 0: asked 1;another origin, age 86400: asked 1' ]
