#!/usr/bin/env bash
# page.js gives the slug of /product/c%2B%2B as "c" and two spaces, that of /product/100%2525 ("100%25") as "100%", and throws "URI malformed" for /product/100%25 ("100%"): a path is decoded twice, each time with + as a space, which it is in a
# query only. universal-router and navigo decode once, and keep the signs. One would guess that a parameter is decoded once. Its option
# decodeURLComponents: false, which reads as "not at all", does that: then all four are right.
# A product page whose router is page.js asks the catalog for slug=c++ with two spaces, which is a 404, or shows nothing at all; a link with the plain signs, /product/c++, has the same end.
# Version: page 1.11.6, universal-router 10.0.3, navigo 8.11.1, jsdom 26.1.0, on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps page@1.11.6 universal-router@10.0.3 navigo@8.11.1 jsdom@26.1.0
cat > run.js <<'JS'
import { createRequire } from "node:module";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html>", { url: "http://shop.example/" });
Object.assign(globalThis, { window, document: window.document, location: window.location, history: window.history });
const require = createRequire(import.meta.url);
const page = require("page");
const Navigo = require("navigo");
const { default: UniversalRouter } = await import("universal-router");
let slug;
const pageOf = (decodeURLComponents) => {
  const router = page.create();
  router("/product/:slug", ({ params }) => { slug = params.slug; });
  router.start({ dispatch: false, click: false, decodeURLComponents });
  return (path) => router.show(path, undefined, true, false);
};
const navigo = new Navigo("/");
navigo.on("/product/:slug", ({ data }) => { slug = data.slug; });
const universal = new UniversalRouter([{ path: "/product/:slug", action: ({ params }) => { slug = params.slug; return true; } }]);
const routers = {
  page: pageOf(true),
  "page, decodeURLComponents false": pageOf(false),
  navigo: (path) => navigo.navigate(path),
  "universal-router": (path) => universal.resolve(path),
};
for (const [name, go] of Object.entries(routers)) {
  const slugs = [];
  for (const path of ["/product/c%2B%2B", "/product/c++", "/product/100%2525", "/product/100%25"]) {
    slug = undefined;
    try {
      await go(path);
    } catch ({ message }) {
      slug = message;
    }
    slugs.push(`"${slug}"`);
  }
  console.log(`${name}: ${slugs.join(" ")}`);
}
process.exit();
JS
seen=$(node run.js)
echo "page@1.11.6 universal-router@10.0.3 navigo@8.11.1"
echo "seen: $seen"
[ "$seen" = 'page: "c  " "c  " "100%" "URI malformed"
page, decodeURLComponents false: "c++" "c++" "100%25" "100%"
navigo: "c++" "c++" "100%25" "100%"
universal-router: "c++" "c++" "100%25" "100%"' ]
