#!/usr/bin/env bash
# @astrojs/rss adds its trailing slash at the end of the whole link: /product/mug?ref=rss becomes …?ref=rss/ and /product/mug#reviews becomes …#reviews/, in link and guid,
# while /product/v1.2 gets no slash since it looks like a file. One would guess that the slash goes behind the path, for each product alike. The parameter that says where a
# reader came from has another value, the anchor leads nowhere, and each link with a query is an item of its own for a feed reader.
# Version: @astrojs/rss 4.0.19, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @astrojs/rss@4.0.19
cat > run.js <<'JS'
import rss from "@astrojs/rss";

const items = ["/product/mug", "/product/mug?ref=rss", "/product/mug#reviews", "/product/v1.2"].map((link) => ({ title: link, link }));
const answer = await rss({ title: "New products", description: "What is new", site: "https://shop.example", items });
console.log([...(await answer.text()).matchAll(/<guid[^>]*>https:\/\/shop\.example([^<]*)/g)].map((match) => match[1]).join(" "));
JS
seen=$(node run.js)
echo "@astrojs/rss $(node -p 'require("./node_modules/@astrojs/rss/package.json").version')"
echo "seen: $seen"
[ "$seen" = '/product/mug/ /product/mug?ref=rss/ /product/mug#reviews/ /product/v1.2' ]
