#!/usr/bin/env bash
# url-metadata gives the two og:image of a page as one text, "https://shop.example/a.jpg,https://shop.example/b.jpg"; with one picture it is an address. So it does with two product:price:amount, "19.90,24.00",
# while JSON-LD is a list. One would guess a list, or the first: the Open Graph protocol says that the first of several is preferred.
# A preview of a product with a gallery has a broken picture, and 19.90,24.00 for two currencies is read as 1990 by many programs. Commas are part of many pictures' addresses (w_600,h_400), so it cannot be split again.
# Version: url-metadata 5.10.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund url-metadata@5.10.0
cat > run.mjs <<'JS'
import urlMetadata from "url-metadata";

const tag = (name, content) => `<meta property="${name}" content="${content}">`;
const read = async (...tags) => {
  const html = `<!doctype html><html><head><title>Mug</title>${tags.join("")}</head><body></body></html>`;
  const parseResponseObject = new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  const found = await urlMetadata(null, { parseResponseObject });
  return JSON.stringify([found["og:image"], found["product:price:amount"]]);
};
const image = (name) => tag("og:image", `https://shop.example/${name}.jpg`);
console.log(await read(image("a"), tag("product:price:amount", "19.90")));
console.log(await read(image("a"), image("b"), tag("product:price:amount", "19.90"), tag("product:price:amount", "24.00")));
JS
seen=$(node run.mjs)
echo "url-metadata@5.10.0"
echo "seen: $seen"
[ "$seen" = '["https://shop.example/a.jpg","19.90"]
["https://shop.example/a.jpg,https://shop.example/b.jpg","19.90,24.00"]' ]
