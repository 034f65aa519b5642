#!/usr/bin/env bash
# A page that wujie shows inside another may define a custom element and use it in its markup: the element stays as it was written, empty, without an error. customElements.get() gives the class, and document.createElement()
# in the same page makes an element that works. wujie runs a page's scripts in a frame, whose registry gets the element, and puts its markup into the shadow root of the page around, whose registry does not know it.
# One would guess that an element which its own page defines works, as it does in qiankun, for wujie is made of a custom element itself; or, once made by a script it works, that the written one would, too.
# The widgets that a shop gives away as elements (reviews, prices) are missing in each page that an intranet or a marketplace shows with wujie; scripts that make their element work.
# Version: wujie 1.0.29, qiankun 2.10.16, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell 156.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund wujie@1.0.29 qiankun@2.10.16 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const shows = {
  wujie: `import { startApp } from "wujie"; startApp({ name: "inner", url: location.origin + "/inner", el: "#place" });`,
  qiankun: `import { loadMicroApp } from "qiankun"; loadMicroApp({ name: "inner", entry: location.origin + "/inner", container: "#place" });`,
};
const inner = `<!doctype html><html><head></head><body>
  <p id="said"></p><shop-price id="written"></shop-price>
  <script>
    customElements.define("shop-price", class extends HTMLElement { connectedCallback() { this.textContent = "19.90"; } });
    const made = document.createElement("shop-price");
    document.body.append(made);
    const written = document.querySelector("#written").textContent;
    document.querySelector("#said").textContent =
      \`known \${customElements.get("shop-price") !== undefined}, written "\${written}", made "\${made.textContent}"\`;
    window.inner = { async bootstrap() {}, async mount() {}, async unmount() {} };
  </script></body></html>`;
const program = (contents) =>
  buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, define: { "process.env.NODE_ENV": '"production"' } }).outputFiles[0].text;
let outer;
const server = createServer(({ url }, response) => {
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(url === "/inner" ? inner : outer);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/`;
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, contents] of Object.entries({ ...shows, alone: "" })) {
  outer = `<!doctype html><body><div id="place"></div><script>${program(contents)}</script>`;
  const page = await browser.newPage();
  await page.goto(name === "alone" ? `${url}inner` : url);
  const said = page.locator("#said", { hasText: "known" });
  console.log(`${name}: ${await said.textContent()}`);
  await page.close();
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "wujie@1.0.29 qiankun@2.10.16, $(chromium-headless-shell --version 2> /dev/null || true)"
echo "seen: $seen"
[ "$seen" = 'wujie: known true, written "", made "19.90"
qiankun: known true, written "19.90", made "19.90"
alone: known true, written "19.90", made "19.90"' ]
