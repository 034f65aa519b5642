#!/usr/bin/env bash
# Tagify splits what is typed at commas, and also each text of a list: addTags(["S", "1,5 l"]) and value='["S","1,5 l"]' give the tags S, 1 and "5 l". With a whitelist that has "1,5 l", and enforceWhitelist, the two halves are unknown and the tag is gone. Objects ({ value: "1,5 l" }) are not split.
# One would guess that a list is already split, as a list of objects is.
# A filter by sizes, tags or brands ("Smith, Jones & Co") that a page fills from its address or a catalog's JSON loses or multiplies what has a comma.
# Version: @yaireo/tagify 4.36.0 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: delimiters: null, or objects.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @yaireo/tagify@4.36.0 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html>");
await page.addScriptTag({ path: "node_modules/@yaireo/tagify/dist/tagify.js" });
const seen = await page.evaluate(() => {
  const tagsOf = (value, added, options = {}) => {
    const input = document.createElement("input");
    input.value = value;
    document.body.append(input);
    const tagify = new Tagify(input, options);
    if (added) tagify.addTags(added);
    return JSON.stringify(tagify.value.map((tag) => tag.value));
  };
  const sizes = ["S", "1,5 l"];
  const objects = sizes.map((value) => ({ value }));
  return [
    `value of texts: ${tagsOf(JSON.stringify(sizes))}`,
    `value of objects: ${tagsOf(JSON.stringify(objects))}`,
    `texts added: ${tagsOf("", sizes)}`,
    `with enforceWhitelist: ${tagsOf("", sizes, { whitelist: sizes, enforceWhitelist: true })}`,
    `objects added: ${tagsOf("", objects, { whitelist: sizes, enforceWhitelist: true })}`,
    `delimiters null: ${tagsOf("", sizes, { delimiters: null })}`,
  ].join("\n");
});
console.log(seen);
await browser.close();
JS
seen=$(node run.js)
echo "@yaireo/tagify@4.36.0, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = 'value of texts: ["S","1","5 l"]
value of objects: ["S","1,5 l"]
texts added: ["S","1","5 l"]
with enforceWhitelist: ["S"]
objects added: ["S","1,5 l"]
delimiters null: ["S","1,5 l"]' ]
