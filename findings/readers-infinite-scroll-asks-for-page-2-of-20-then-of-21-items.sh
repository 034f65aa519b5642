#!/usr/bin/env bash
# Infinite Scroll with path: ".next" reads the next link once and counts a number in it up: that behind "?page=" or "page/", else the last number of the address. In /mugs?sort=price&page=2&per_page=20 the page is not first, so it counts per_page: page 2 of 20 items,
# page 2 of 21 items, page 2 of 22. In ?page=2&per_page=20 it counts the page. It does not read the next link of the pages that it loads. One would guess that it follows the link.
# A shop's list shows products 21 to 40 again and again, for ever, as each answer has items; the order of two parameters decides.
# Version: infinite-scroll 5.0.0 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: a function as path that reads the last page's link, or a text with {{#}} at the page's place.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund infinite-scroll@5.0.0 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

let asked = [];
const server = createServer(({ url }, response) => {
  asked.push(url);
  response.setHeader("Content-Type", "text/html");
  const next = url.replace(/([?&])page=(\d+)/, (_, mark, page) => `${mark}page=${Number(page) + 1}`);
  response.end(`<!doctype html><ul><li>${url}</li></ul><a class="next" href="${next.replace("&", "&amp;")}">More</a>`);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const query of ["page=1&per_page=20", "sort=price&page=1&per_page=20"]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/mugs?${query}`);
  await page.addScriptTag({ path: "node_modules/infinite-scroll/dist/infinite-scroll.pkgd.js" });
  asked = [];
  await page.evaluate(async () => {
    const scroll = new InfiniteScroll("ul", { path: ".next", append: "li", scrollThreshold: false, history: false });
    for (let loaded = 0; loaded < 3; loaded++) await scroll.loadNextPage();
  });
  console.log(asked.filter((url) => url.startsWith("/mugs")).join(" "));
  await page.close();
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "infinite-scroll@5.0.0, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = '/mugs?page=2&per_page=20 /mugs?page=3&per_page=20 /mugs?page=4&per_page=20
/mugs?sort=price&page=2&per_page=20 /mugs?sort=price&page=2&per_page=21 /mugs?sort=price&page=2&per_page=22' ]
