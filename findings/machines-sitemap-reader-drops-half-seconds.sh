#!/usr/bin/env bash
# parseSitemap of the package sitemap takes a lastmod with no or with three digits behind the second, and drops 2026-01-02T03:04:05.5Z, .25Z and .123456Z, a time without seconds (03:04Z) and a month (2026-01), with a line on the console. The sitemap
# protocol allows all of W3C's date format: "one or more digits". One would guess that a reader that is strict follows the text.
# PostgreSQL and Python write microseconds, or drop the zeros at a fraction's end: one time in ten, or all, and a crawler with this package takes the page for one without a date.
# Version: sitemap 9.0.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund sitemap@9.0.1
cat > run.js <<'JS'
import { Readable } from "node:stream";
import { parseSitemap } from "sitemap";

const seen = [];
for (const time of ["03:04:05Z", "03:04:05.250Z", "03:04:05.25Z", "03:04:05.123456Z", "03:04Z"]) {
  const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://shop.example/</loc><lastmod>2026-01-02T${time}</lastmod></url></urlset>`;
  const [{ lastmod }] = await parseSitemap(Readable.from([xml]));
  seen.push(`${time} ${lastmod === undefined ? "none" : "read"}`);
}
console.log(seen.join(", "));
JS
seen=$(node run.js 2> /dev/null)
echo "sitemap@9.0.1"
echo "seen: $seen"
[ "$seen" = "03:04:05Z read, 03:04:05.250Z read, 03:04:05.25Z none, 03:04:05.123456Z none, 03:04Z none" ]
