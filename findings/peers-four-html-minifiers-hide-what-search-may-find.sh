#!/usr/bin/env bash
# hidden="until-found" hides a text until the page's own search or a link with #:~:text= finds it. html-minifier-terser and html-minifier-next with collapseBooleanAttributes, and minify-html and SWC's HTML minifier by default, write a mere
# hidden: then no search opens it. htmlnano leaves it. One would guess that a minifier keeps the meaning: hidden was a switch once, and has had a second value since 2022.
# Answers to questions and data sheets that a shop's page folds away are found in development and not in the minified page.
# Version: html-minifier-terser 7.2.0, html-minifier-next 6.2.11, @minify-html/node 0.18.1, @swc/html 1.16.22, htmlnano 3.5.1. What to do: fold with <details>, which search opens as well, or leave boolean attributes as they are.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund html-minifier-terser@7.2.0 html-minifier-next@6.2.11 @minify-html/node@0.18.1 @swc/html@1.16.22 htmlnano@3.5.1 posthtml@0.16.7
cat > run.js <<'JS'
import minifyHtml from "@minify-html/node";
import swc from "@swc/html";
import { minify as next } from "html-minifier-next";
import { minify as terser } from "html-minifier-terser";
import htmlnano from "htmlnano";

const html = '<!doctype html><title>Mug</title><div hidden="until-found">Ships in two days.</div>';
const options = { collapseBooleanAttributes: true };
const minified = {
  "html-minifier-terser": await terser(html, options),
  "html-minifier-next": await next(html, options),
  "minify-html": minifyHtml.minify(Buffer.from(html), {}).toString(),
  "swc html": (await swc.minify(html)).code,
  htmlnano: (await htmlnano.process(html, { minifyCss: false }, htmlnano.presets.safe)).html,
};
for (const [name, text] of Object.entries(minified)) console.log(`${name}: ${text.match(/<div [^>]*>/)}`);
JS
seen=$(node run.js)
echo "html-minifier-terser@7.2.0 html-minifier-next@6.2.11 @minify-html/node@0.18.1 @swc/html@1.16.22 htmlnano@3.5.1"
echo "seen: $seen"
[ "$seen" = 'html-minifier-terser: <div hidden>
html-minifier-next: <div hidden>
minify-html: <div hidden>
swc html: <div hidden>
htmlnano: <div hidden="until-found">' ]
