#!/usr/bin/env bash
# Solid Router, and SolidStart with it, gives a part of the path as it is in the address: useParams().slug of /product/caf%C3%A9 is "caf%C3%A9", also after navigate("/product/café"), while useSearchParams() gives café of
# the same page. One would guess that both are decoded, as in React Router, Vue Router, TanStack Router and SvelteKit, or neither.
# The slug of a shop in Greek, or the tag "Blue Note", is asked for as slug=caf%25C3%25A9 with URLSearchParams: a catalog answers 404, and only to products whose slugs have other signs than letters, digits and hyphens.
# Version: @solidjs/router 1.0.0, solid-js 1.9.20, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @solidjs/router@1.0.0 solid-js@1.9.20 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { Route, Router, useNavigate, useParams, useSearchParams } from "@solidjs/router";
  import { createComponent } from "solid-js";
  import { render } from "solid-js/web";
  function Product() {
    const params = useParams();
    const [search] = useSearchParams();
    window.navigate = useNavigate();
    return () => params.slug + ", query " + search.q;
  }
  const route = { path: "/product/:slug", component: Product };
  render(() => createComponent(Router, { get children() { return createComponent(Route, route); } }), document.body);`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, conditions: ["browser"] });
const server = createServer(({ url }, response) => {
  if (url === "/app.js") response.setHeader("content-type", "text/javascript").end(outputFiles[0].text);
  else response.setHeader("content-type", "text/html").end('<!doctype html><meta charset="utf-8"><body><script src="/app.js"></script>');
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/product/caf%C3%A9?q=caf%C3%A9`);
await page.waitForFunction(() => document.body.innerText.includes("query"));
console.log(`opened: ${await page.evaluate(() => document.body.innerText)}`);
await page.evaluate(() => { window.navigate("/product/naïve?q=naïve"); });
await page.waitForFunction(() => document.body.innerText.includes("ve"));
console.log(`navigated: ${await page.evaluate(() => document.body.innerText)}`);
await browser.close();
server.close();
JS
seen=$(timeout 100 node run.js | paste -sd';')
echo "@solidjs/router@1.0.0"
echo "seen: $seen"
[ "$seen" = 'opened: caf%C3%A9, query café;navigated: na%C3%AFve, query naïve' ]
