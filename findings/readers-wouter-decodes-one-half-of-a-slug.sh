#!/usr/bin/env bash
# wouter gives a part of the path decoded in one half: useParams().slug of /product/caf%C3%A9 is "café" and of /product/100%25 "100%", but of /product/c%23 "c%23" and of /product/c%2B%2B "c%2B%2B"; the same for / ? & = , : @ and ;. So /product/c%23 and
# /product/c%2523, two slugs, are one, and no further decoding is right for both. It is decodeURI, which leaves what has a meaning in an address; one would guess decodeURIComponent, as React Router does it, or nothing.
# An accent, which is what one tries, works; the page of C# or of a size "1,5 l", linked with encodeURIComponent, asks the catalog for c%2523 and gets a 404, in the browser and on the server.
# Version: wouter 3.13.0, react-router 8.5.3, react 19.3.1, jsdom 26.1.0, on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps wouter@3.13.0 react-router@8.5.3 react@19.3.1 react-dom@19.3.1 jsdom@26.1.0
cat > run.js <<'JS'
import { JSDOM } from "jsdom";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler } from "react-router";
import { Route, Router } from "wouter";

const show = createElement(Route, { path: "/product/:slug" }, ({ slug }) => slug);
const { query } = createStaticHandler([{ path: "/product/:slug", loader: () => null }]);
const routers = {
  "wouter on a server": (path) => renderToStaticMarkup(createElement(Router, { ssrPath: path }, show)),
  "wouter in a page": async (path) => {
    const { window } = new JSDOM('<!doctype html><p id="app"></p>', { url: `http://shop.example${path}` });
    for (const name of ["window", "document", "location", "history"]) globalThis[name] = name === "window" ? window : window[name];
    for (const name of ["addEventListener", "removeEventListener"]) globalThis[name] = window[name].bind(window);
    const { createRoot } = await import("react-dom/client");
    createRoot(window.document.querySelector("#app")).render(show);
    await new Promise((rest) => setTimeout(rest, 200));
    return window.document.querySelector("#app").textContent;
  },
  "React Router": async (path) => (await query(new Request(`http://shop.example${path}`))).matches[0].params.slug,
};
for (const [name, slugOf] of Object.entries(routers)) {
  const slugs = [];
  for (const slug of ["caf%C3%A9", "100%25", "c%23", "c%2523", "1%2C5-l"]) slugs.push(await slugOf(`/product/${slug}`));
  console.log(`${name}: ${slugs.join(" ")}`);
}
process.exit();
JS
seen=$(node run.js)
echo "wouter@3.13.0 react-router@8.5.3"
echo "seen: $seen"
[ "$seen" = 'wouter on a server: café 100% c%23 c%23 1%2C5-l
wouter in a page: café 100% c%23 c%23 1%2C5-l
React Router: café 100% c# c%23 1,5-l' ]
