#!/usr/bin/env bash
# JsonLd of react-schemaorg writes the name 'Pen & Ink 12"' into its script element as Pen &amp; Ink 12&quot;. HTML decodes nothing inside a script, so JSON.parse(script.textContent), which is what JSON-LD's own rules say, gives the name
# with its entities, and an address ?a=1&b=2 has &amp;b=2. One would guess \u003c for "<", as Next's guide has it, which is safe in HTML and the same text in JSON; "<" alone would be enough.
# A search engine or a price comparison that goes by the standard shows "Pen &amp; Ink" and follows a wrong address; one that decodes once more is right here and wrong for a product whose name is about "&amp;".
# Version: react-schemaorg 2.0.1, react 18.3.1, jsdom 26.1.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund react-schemaorg@2.0.1 react@18.3.1 react-dom@18.3.1 jsdom@26.1.0
cat > run.mjs <<'JS'
import { JSDOM } from "jsdom";
import { createElement } from "react";
import server from "react-dom/server";
import { JsonLd } from "react-schemaorg";

const item = { "@context": "https://schema.org", "@type": "Product", name: 'Pen & Ink 12"', url: "https://shop.example/?a=1&b=2" };
const { document } = new JSDOM(`<!doctype html>${server.renderToStaticMarkup(createElement(JsonLd, { item }))}`).window;
const { name, url } = JSON.parse(document.querySelector("script").textContent);
console.log(name, url);
JS
seen=$(node run.mjs)
echo "react-schemaorg@2.0.1 react@18.3.1 jsdom@26.1.0"
echo "seen: $seen"
[ "$seen" = 'Pen &amp; Ink 12&quot; https://shop.example/?a=1&amp;b=2' ]
