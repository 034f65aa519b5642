#!/usr/bin/env bash
# @extractus/article-extractor drops <del>, <ins>, <s> and <dt> with what is in them: "<del>20.00</del> <ins>15.00</ins> EUR" is " EUR" in its content, and "Weight: 300 g" of a definition list is "300 g" under no name. Tables and <sup>
# stay. One would guess that an element that is not allowed loses its tag and keeps its text, as at the sanitizers, or that both prices stay.
# What WooCommerce shows for a sale is <del> and <ins>: an article about products, or a product's own page, is read without any price.
# Version: @extractus/article-extractor 9.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @extractus/article-extractor@9.0.1
cat > run.mjs <<'JS'
import { extractFromHtml } from "@extractus/article-extractor";

const before = "<p>This mug is made of stone, and holds tea, coffee or soup, and it goes into the dishwasher, the oven and the freezer without any harm; people like it since it is heavy, round and blue, which mugs of this price rarely are.</p>";
const after = "<p>It was tested by the potters themselves, who have used it for years in their own kitchen, and never has one been broken, they say, though some got lost in the garden, as mugs do, and were found again in spring.</p>";
const read = async (html) => {
  const page = `<!doctype html><html lang="en"><head><title>Mug of stone</title></head><body><article><h1>Mug of stone</h1>${before}${html}${after}</article></body></html>`;
  const { content } = await extractFromHtml(page, "https://shop.example/product/mug");
  return content.replace(before, "").replace(after, "").replaceAll(/<\/?article>/g, "");
};
console.log(await read("<p><del>20.00</del> <ins>15.00</ins> EUR</p>"), await read("<p><s>20.00</s> 15.00 EUR</p>"), await read("<dl><dt>Weight</dt><dd>300 g</dd></dl>"));
JS
seen=$(node run.mjs)
echo "@extractus/article-extractor@9.0.1"
echo "seen: $seen"
[ "$seen" = '<p> EUR</p> <p> 15.00 EUR</p> <dl><dd>300 g</dd></dl>' ]
