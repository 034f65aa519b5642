#!/usr/bin/env bash
# VuePress 2 writes the page of a product with "Price {{ $frontmatter.price }}" in its Markdown as "Price 19.9", and its feed plugin writes the items of Atom, RSS and JSON Feed as "Price {{ $frontmatter.price }}", without a
# warning: the feed is made from the Markdown before Vue runs. Its Atom and RSS also escape quotes twice: the title TV 55" is read as TV 55&quot;. One would guess that a feed holds what the page shows.
# Whoever keeps the price in the page's data, to have it in one place, publishes a feed of templates that no reader fills in.
# What to do: give each page its own text for the feed, with the plugin's getter.content and getter.title.
# Versions: vuepress 2.0.0-rc.31, @vuepress/plugin-feed 2.0.0-rc.128, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps vuepress@2.0.0-rc.31 @vuepress/bundler-vite@2.0.0-rc.31 @vuepress/plugin-feed@2.0.0-rc.128 vue@3.5.45 sass-embedded@1.108.2
mkdir -p shop/.vuepress
echo '<template><main><Content /></main></template>' > shop/.vuepress/Layout.vue
cat > shop/.vuepress/client.js <<'JS'
import { defineClientConfig } from "vuepress/client";
import Layout from "./Layout.vue";

export default defineClientConfig({ layouts: { Layout, NotFound: Layout } });
JS
cat > shop/.vuepress/config.js <<'JS'
import { viteBundler } from "@vuepress/bundler-vite";
import { feedPlugin } from "@vuepress/plugin-feed";
import { defineUserConfig } from "vuepress";

export default defineUserConfig({
  bundler: viteBundler(),
  theme: { name: "plain" },
  plugins: [feedPlugin({ hostname: "https://shop.example", atom: true, json: true, filter: () => true })],
});
JS
echo '# Shop' > shop/README.md
printf -- '---\ntitle: TV 55"\nprice: 19.90\ndate: 2026-01-02\n---\n\nPrice {{ $frontmatter.price }}\n' > shop/tv.md
npx vuepress build shop > log.txt 2>&1 || { cat log.txt; exit 2; }
cat > look.js <<'JS'
import { readFileSync } from "node:fs";

const read = (name) => readFileSync(`shop/.vuepress/dist/${name}`, "utf8");
console.log(`page: ${/Price [\d.]+/.exec(read("tv.html"))?.[0]}`);
const item = JSON.parse(read("feed.json")).items.find(({ url }) => url.endsWith("tv.html"));
console.log(`JSON Feed: ${item.title}, ${item.content_html.trim()}`);
console.log(`Atom: ${/<title[^>]*>TV.*?<\/title>/.exec(read("atom.xml"))?.[0]}, ${/<p>Price.*?<\/p>/.exec(read("atom.xml"))?.[0]}`);
JS
seen=$(node look.js)
echo "vuepress 2.0.0-rc.31, @vuepress/plugin-feed 2.0.0-rc.128"
echo "seen: $seen"
[ "$seen" = 'page: Price 19.9
JSON Feed: TV 55", <p>Price {{ $frontmatter.price }}</p>
Atom: <title type="text">TV 55&amp;quot;</title>, <p>Price {{ $frontmatter.price }}</p>' ]
