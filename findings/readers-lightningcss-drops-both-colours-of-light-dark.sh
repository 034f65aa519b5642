#!/usr/bin/env bash
# Lightning CSS, for targets without light-dark(), writes both colours one behind the other, of which two variables empty one. It sets these variables where the CSS says color-scheme, and nowhere else: with <meta name="color-scheme">, style="color-scheme: …" or none at all,
# the value is two colours, which is invalid, and a price has neither: its background is transparent and its colour that of the text around. Without Lightning CSS all these pages have the dark or the light one. One would guess the light one at least.
# A shop's price tags or a widget's properties in light-dark() are right in development and lost in the built page: Vite, Parcel and Tailwind compile CSS with Lightning CSS.
# Version: lightningcss 1.33.0 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: write :root { color-scheme: light dark } into the same CSS.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund lightningcss@1.33.0 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { transform } from "lightningcss";
import { chromium } from "playwright-core";

const price = "b { background-color: light-dark(#ffffff, #111111) }";
const compiled = (css) => transform({ filename: "shop.css", code: Buffer.from(css), targets: { chrome: 111 << 16 } }).code.toString();
const scheme = ":root { color-scheme: light dark }";
const meta = '<meta name="color-scheme" content="light dark">';
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ colorScheme: "dark" });
for (const [name, head, css] of [
  ["no scheme, as written", "", price],
  ["no scheme, compiled", "", compiled(price)],
  ["meta, as written", meta, price],
  ["meta, compiled", meta, compiled(price)],
  ["css, compiled", "", compiled(scheme + price)],
]) {
  await page.setContent(`<!doctype html>${head}<style>${css}</style><b>19.90</b>`);
  console.log(`${name}: ${await page.evaluate("getComputedStyle(document.querySelector('b')).backgroundColor")}`);
}
await browser.close();
JS
seen=$(node run.js)
echo "lightningcss@1.33.0, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = 'no scheme, as written: rgb(255, 255, 255)
no scheme, compiled: rgba(0, 0, 0, 0)
meta, as written: rgb(17, 17, 17)
meta, compiled: rgba(0, 0, 0, 0)
css, compiled: rgb(17, 17, 17)' ]
