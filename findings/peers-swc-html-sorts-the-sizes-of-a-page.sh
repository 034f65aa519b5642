#!/usr/bin/env bash
# SWC's HTML minifier also minifies the JSON of <script type="application/json"> and ld+json, and sorts the names of each object while it does: stock {"S":4,"M":2,"XL":1} of a page comes out as M, S, XL. That is its default. html-minifier-next
# and htmlnano keep the order. One would guess that only spaces go, as JavaScript, JSON.stringify and every other minifier keep the order of such names.
# A shop's page that carries its product as JSON shows sizes, specifications or filters in the order of its file until it is minified, and in that of the alphabet afterwards; nothing is missing, so no check of the data notices.
# Version: @swc/html 1.16.22, html-minifier-next 6.2.11, htmlnano 3.5.1. What to do: minifyJson: false, or lists instead of objects where the order counts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @swc/html@1.16.22 html-minifier-next@6.2.11 htmlnano@3.5.1 posthtml@0.16.7
cat > run.js <<'JS'
import swc from "@swc/html";
import { minify as next } from "html-minifier-next";
import htmlnano from "htmlnano";

const html = '<!doctype html><title>Shirt</title><script type="application/json">{"S": 4, "M": 2, "XL": 1}</script>';
const minified = {
  "swc html": (await swc.minify(html)).code,
  "swc html, minifyJson false": (await swc.minify(html, { minifyJson: false })).code,
  "html-minifier-next": await next(html),
  htmlnano: (await htmlnano.process(html, { minifyCss: false }, htmlnano.presets.safe)).html,
};
for (const [name, text] of Object.entries(minified)) console.log(`${name}: ${text.match(/\{.*\}/)}`);
JS
seen=$(node run.js)
echo "@swc/html@1.16.22 html-minifier-next@6.2.11 htmlnano@3.5.1"
echo "seen: $seen"
[ "$seen" = 'swc html: {"M":2,"S":4,"XL":1}
swc html, minifyJson false: {"S": 4, "M": 2, "XL": 1}
html-minifier-next: {"S":4,"M":2,"XL":1}
htmlnano: {"S":4,"M":2,"XL":1}' ]
