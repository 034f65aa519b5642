#!/usr/bin/env bash
# parse-cache-control makes the number 60 of max-age=60 and leaves s-maxage=300, stale-if-error and stale-while-revalidate as texts: now + parsed["s-maxage"] is "1767323045300". And a max-age that is no number makes null of the whole header,
# so that "no-store, max-age=soon" and 'private, max-age = 60' say nothing at all. One would guess numbers for all seconds, as @tusbar/cache-control and cache-control-parser give, and that one wrong word costs that word.
# A reader that takes what is null for "no header" keeps an answer that says no-store; one that adds the lifetime of a CDN's copy to a moment keeps it for some forty thousand years.
# Version: parse-cache-control 1.0.1, @tusbar/cache-control 3.0.1, cache-control-parser 2.2.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund parse-cache-control@1.0.1 @tusbar/cache-control@3.0.1 cache-control-parser@2.2.0
cat > run.mjs <<'JS'
import { parse } from "@tusbar/cache-control";
import cacheControl from "cache-control-parser";
import parseCacheControl from "parse-cache-control";

const show = (value) => JSON.stringify(value);
const lifetime = parseCacheControl("max-age=60, s-maxage=300, stale-if-error=86400");
const others = [parse("s-maxage=300").sharedMaxAge, cacheControl.parse("s-maxage=300")["s-maxage"]];
const broken = ["no-store, max-age=soon", "private, max-age = 60"].map((header) => [
  parseCacheControl(header),
  parse(header).noStore || parse(header).private,
  cacheControl.parse(header)["no-store"] || cacheControl.parse(header).private,
]);
console.log(`${show(lifetime)} now + 300: ${show(1767323045 + lifetime["s-maxage"])} others: ${show(others)} with a wrong word: ${show(broken)}`);
JS
seen=$(node run.mjs)
echo "parse-cache-control@1.0.1 @tusbar/cache-control@3.0.1 cache-control-parser@2.2.0"
echo "seen: $seen"
[ "$seen" = '{"max-age":60,"s-maxage":"300","stale-if-error":"86400"} now + 300: "1767323045300" others: [300,300] with a wrong word: [[null,true,true],[null,true,true]]' ]
