#!/usr/bin/env bash
# parse-link-header and li find no "next" in a Link header with the spaces that RFC 8288 allows around "=" (rel = "next"), li none after a title* either,
# and both keep one of several links with one rel: of two languages' alternates the last. http-link-header reads all three. One would guess that they read
# the grammar. A reader that follows pages by Link stops after the first page, without an error.
# Version: parse-link-header 2.0.0, li 1.3.0, http-link-header 1.1.4, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund parse-link-header@2.0.0 li@1.3.0 http-link-header@1.1.4
cat > run.cjs <<'JS'
const httpLinkHeader = require("http-link-header");
const li = require("li");
const parseLinkHeader = require("parse-link-header");

const headers = [
  ["next", '</products?page=2>; rel = "next"'],
  ["next", `</products?page=2>; title*=UTF-8''N%C3%A4chste; rel=next`],
  ["alternate", '</de>; rel="alternate"; hreflang=de, </fr>; rel="alternate"; hreflang=fr'],
];
for (const [rel, header] of headers)
  console.log([
    header,
    `parse-link-header ${parseLinkHeader(header)?.[rel]?.url ?? "none"}`,
    `li ${li.parse(header)[rel] ?? "none"}`,
    `http-link-header ${httpLinkHeader.parse(header).rel(rel).map(({ uri }) => uri).join(" ")}`,
  ].join("\n  "));
JS
seen=$(node run.cjs)
echo "parse-link-header@2.0.0 li@1.3.0 http-link-header@1.1.4"
echo "seen: $seen"
[ "$seen" = "</products?page=2>; rel = \"next\"
  parse-link-header none
  li none
  http-link-header /products?page=2
</products?page=2>; title*=UTF-8''N%C3%A4chste; rel=next
  parse-link-header /products?page=2
  li none
  http-link-header /products?page=2
</de>; rel=\"alternate\"; hreflang=de, </fr>; rel=\"alternate\"; hreflang=fr
  parse-link-header /fr
  li /fr
  http-link-header /de /fr" ]
