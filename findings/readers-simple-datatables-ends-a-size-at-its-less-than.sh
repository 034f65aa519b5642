#!/usr/bin/env bash
# simple-datatables shows "5 < 10 mm" of its data as "5 " and "<5 kg" as nothing: it reads each text as HTML with a parser of its own, to which "<" begins a tag before a space or a digit, too. One would guess a text, or what innerHTML makes of it: a browser shows both whole.
# A column { type: "string" } keeps both. The size or the weight in a table of products is cut, and nothing is said.
# Version: simple-datatables 10.3.0, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund simple-datatables@10.3.0 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { DataTable } from "simple-datatables";
  window.cells = async (values, column) => {
    const table = document.body.appendChild(document.createElement("table"));
    const data = { headings: ["Size"], data: values.map((value) => [value]) };
    await new Promise((ready) => new DataTable(table, { data, columns: [{ select: 0, ...column }] }).on("datatable.init", ready));
    return [...table.querySelectorAll("tbody td")].map((cell) => "[" + cell.textContent + "]").join(" ");
  };
  window.inBrowser = (values) => values.map((value) => {
    const cell = document.createElement("td");
    cell.innerHTML = value;
    return "[" + cell.textContent + "]";
  }).join(" ");`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "iife" });
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html><body></body>");
await page.addScriptTag({ content: outputFiles[0].text });
const sizes = ["5 < 10 mm", "<5 kg"];
console.log(`table: ${await page.evaluate((sizes) => window.cells(sizes, {}), sizes)}`);
console.log(`type string: ${await page.evaluate((sizes) => window.cells(sizes, { type: "string" }), sizes)}`);
console.log(`innerHTML: ${await page.evaluate((sizes) => window.inBrowser(sizes), sizes)}`);
await browser.close();
JS
seen=$(timeout 100 node run.js | paste -sd';')
echo "simple-datatables@10.3.0"
echo "seen: $seen"
[ "$seen" = 'table: [5 ] [];type string: [5 < 10 mm] [<5 kg];innerHTML: [5 < 10 mm] [<5 kg]' ]
