#!/usr/bin/env bash
# Eleventy's feed plugin, asked for all three kinds of feeds: in JSON Feed, the product "Salt & Pepper" has the title "Salt &amp; Pepper", so do the names of the feed and of its author, and its description is empty, where Atom and RSS, read by an XML
# parser, give all of them right. The template engine escapes for HTML before the text becomes JSON. One would guess that the form which needs no escapes beyond JSON's is the safest of the three.
# A reader shows "&amp;", since a JSON Feed's title is plain text, and a second program that compares titles finds other products.
# Version: @11ty/eleventy-plugin-rss 3.0.0 with @11ty/eleventy 3.1.8, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @11ty/eleventy@3.1.8 @11ty/eleventy-plugin-rss@3.0.0
mkdir src
printf -- '---\ntitle: Salt & "Pepper"\ndate: 2026-01-02\ntags: product\n---\nA mill.\n' > src/mill.md
cat > eleventy.config.js <<'JS'
import { feedPlugin } from "@11ty/eleventy-plugin-rss";
const metadata = { language: "en", title: "Shop & Co", subtitle: "Mills", base: "https://shop.example/", author: { name: "A & B", email: "" } };
export default function (config) {
  for (const type of ["atom", "rss", "json"]) config.addPlugin(feedPlugin, { type, outputPath: `/feed.${type}`, collection: { name: "product", limit: 0 }, metadata });
  return { dir: { input: "src", output: "out" } };
}
JS
npx eleventy --quiet > build.log 2>&1 || { cat build.log; exit 2; }
seen="atom: $(grep -oE '<(title|subtitle)>[^<]*' out/feed.atom | sed 's/.*>//' | tr '\n' ';')
rss: $(grep -oE '<(title|description)>[^<]*' out/feed.rss | sed 's/.*>//' | head -n 3 | tr '\n' ';')
$(node -e 'const feed = JSON.parse(require("fs").readFileSync("out/feed.json", "utf8")); console.log("json, parsed:", [feed.title, feed.description, feed.authors[0].name, feed.items[0].title].join("; "))' 2> /dev/null)"
echo "@11ty/eleventy-plugin-rss $(node -p 'JSON.parse(fs.readFileSync("node_modules/@11ty/eleventy-plugin-rss/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'atom: Shop &amp; Co;Mills;Salt &amp; &quot;Pepper&quot;;
rss: Shop &amp; Co;Mills;Salt &amp; &quot;Pepper&quot;;
json, parsed: Shop &amp; Co; ; A &amp; B; Salt &amp; &quot;Pepper&quot;' ]
