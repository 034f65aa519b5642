#!/usr/bin/env bash
# Eleventy's feed plugin makes absolute addresses of the links in an item, and drops the query of each that is relative to its page: ../cup/?size=l#reviews becomes …/cup/#reviews, ?size=l becomes the page itself, and the
# picture mug.jpg?w=600 becomes mug.jpg. The anchor stays, and so does the query of /cup/?size=l and of a whole address. In Atom, RSS and JSON Feed alike; the page itself is right. One would guess what new URL(link, page)
# gives, as a browser resolves it.
# Readers of the feed come to another variant, to an unfiltered list, or load the picture in its full size, or none at all.
# What to do: begin such links with a slash in content that goes into a feed.
# Versions: @11ty/eleventy 3.1.8, @11ty/eleventy-plugin-rss 3.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @11ty/eleventy@3.1.8 @11ty/eleventy-plugin-rss@3.0.0
cat > eleventy.config.js <<'JS'
import { feedPlugin } from "@11ty/eleventy-plugin-rss";

export default function (config) {
  const metadata = { language: "en", title: "Shop", subtitle: "News", base: "https://shop.example/", author: { name: "Shop" } };
  config.addPlugin(feedPlugin, { type: "json", outputPath: "/feed.json", collection: { name: "products", limit: 9 }, metadata });
  config.addPlugin(feedPlugin, { type: "atom", outputPath: "/feed.xml", collection: { name: "products", limit: 9 }, metadata });
}
JS
mkdir -p src/products
printf -- '---\ntitle: Mug\ntags: products\ndate: 2026-01-02\n---\n[a](../cup/?size=l#reviews) [b](?size=l) [c](/cup/?size=l) [d](https://other.example/?a=1) ![e](mug.jpg?w=600)\n' > src/products/mug.md
npx eleventy --quiet --input=src --output=out > log.txt 2>&1 || { cat log.txt; exit 2; }
links() { grep -oE '(href|src)=\\?("|&quot;)[^"\\&]*' "$1" | sed -E 's/^[a-z]*=\\?("|&quot;)//'; }
resolved=$(links out/products/mug/index.html | node -e 'for (const link of require("node:fs").readFileSync(0, "utf8").trim().split("\n")) console.log(new URL(link, "https://shop.example/products/mug/").href)')
seen="a browser: $(echo $resolved)
JSON Feed: $(echo $(links out/feed.json))
Atom: $(echo $(sed 's/<link[^>]*>//g' out/feed.xml | links /dev/stdin))"
echo "@11ty/eleventy 3.1.8, @11ty/eleventy-plugin-rss 3.0.0"
echo "seen: $seen"
[ "$seen" = 'a browser: https://shop.example/products/cup/?size=l#reviews https://shop.example/products/mug/?size=l https://shop.example/cup/?size=l https://other.example/?a=1 https://shop.example/products/mug/mug.jpg?w=600
JSON Feed: https://shop.example/products/cup/#reviews https://shop.example/products/mug/ https://shop.example/cup/?size=l https://other.example/?a=1 https://shop.example/products/mug/mug.jpg
Atom: https://shop.example/products/cup/#reviews https://shop.example/products/mug/ https://shop.example/cup/?size=l https://other.example/?a=1 https://shop.example/products/mug/mug.jpg' ]
