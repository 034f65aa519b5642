#!/usr/bin/env bash
# In Chromium a listener of beforeprint can fetch what is missing by a synchronous request, and the paper has it, if the browser's command prints. If the page's own button calls print(), the
# same listener's request fails at once with a NetworkError. One would guess that both ways of printing are the same to a page.
# A widget that loads a product's reviews only near the screen can still have them on paper by the browser's menu, and cannot by a shop's button "Print this page".
# Version: playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156 and Node 20.20 and 24.21.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const html = `<!doctype html><title>t</title><script>
  window.seen = [];
  addEventListener("beforeprint", () => {
    const request = new XMLHttpRequest();
    request.open("GET", "/reviews", false);
    try { request.send(); seen.push(request.responseText); } catch (error) { seen.push(error.name); }
  });
</script>`;
const server = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end(request.url === "/reviews" ? "33 reviews" : html);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const [name, print] of [
  ["browser's command", () => page.pdf()],
  ["print() by a script", () => page.evaluate("setTimeout(print)")],
]) {
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await print();
  await page.waitForFunction("seen.length > 0");
  console.log(`${name}: ${await page.evaluate("seen.join()")}`);
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "$(chromium-headless-shell --version 2>/dev/null | head -1), playwright-core 1.65.1"
echo "seen: $seen"
[ "$seen" = "browser's command: 33 reviews
print() by a script: NetworkError" ]
