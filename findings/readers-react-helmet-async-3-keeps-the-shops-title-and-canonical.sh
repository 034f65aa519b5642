#!/usr/bin/env bash
# react-helmet-async 3 in React 19 no longer lets an inner <Helmet> replace what an outer one says: the page of a product has two titles, two descriptions and two canonical links, the shop's first. With React 18 the same code gives
# the product's alone. One would guess the same, since the package exists for that; its README says that the API is fully compatible and no code need change.
# Browsers show the first title, and the first canonical link of every product names the shop's home page.
# Version: react-helmet-async 3.0.0 with react and react-dom 19.3.1, and 18.3.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.mjs" <<'JS'
import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(join(process.cwd(), "x.js"));
const { createElement: h } = load("react");
const { renderToStaticMarkup } = load("react-dom/server");
const { Helmet, HelmetProvider } = load("react-helmet-async");
const about = (title, href) => h(Helmet, null, h("title", null, title), h("link", { rel: "canonical", href }));
const context = {};
const app = h(HelmetProvider, { context }, about("Shop", "/"), h("main", null, about("Mug", "/mug")));
const body = renderToStaticMarkup(app);
const head = context.helmet ? `${context.helmet.title}${context.helmet.link}` : body;
console.log(`React ${load("react").version}: ${head.match(/(?<=<title[^>]*>|href=")[^<"]*/g).join(" ")}`);
JS
for react in 19.3.1 18.3.1; do
  mkdir "$dir/$react"; cd "$dir/$react"; echo '{}' > package.json
  npm install --silent --no-audit --no-fund react@$react react-dom@$react react-helmet-async@3.0.0
done
seen=$(for react in 19.3.1 18.3.1; do cd "$dir/$react"; NODE_ENV=production node ../run.mjs; done | paste -sd';')
echo "react-helmet-async@3.0.0"
echo "seen: $seen"
[ "$seen" = 'React 19.3.1: Shop / Mug /mug;React 18.3.1: Mug /mug' ]
