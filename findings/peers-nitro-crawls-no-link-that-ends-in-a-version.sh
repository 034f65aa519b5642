#!/usr/bin/env bash
# Nitro's crawler (Nuxt's generate) passes over each link whose last dot has only letters and digits behind it: /product/kit-2.0 and /product/1.5-l are links of one page, and only the second is
# made. It takes ".0" for the ending of a file, as in logo.png. A product that is linked only as /product/cup?ref=list is not made either. One would guess that a link of a page is followed, whatever is at its end, or that
# the log names what was left out: it lists the made ones, and exit is 0.
# A prerendered catalog lacks the products whose slug ends in a version or a size. "routes" makes them if they are named.
# Version: nitropack 2.13.6, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund nitropack@2.13.6
mkdir -p routes/product
cat > nitro.config.ts <<'TS'
export default defineNitroConfig({ preset: "static", compatibilityDate: "2026-01-01", prerender: { crawlLinks: true, routes: ["/"] } });
TS
cat > routes/index.ts <<'TS'
export default eventHandler((event) => {
  setHeader(event, "content-type", "text/html");
  return ["mug", "kit-2.0", "2.0-kit", "cable-1.5-m", "film-v2", "film.v2", "cup?ref=list"].map((slug) => `<a href="/product/${slug}">${slug}</a>`).join("\n");
});
TS
cat > 'routes/product/[slug].ts' <<'TS'
export default eventHandler((event) => {
  setHeader(event, "content-type", "text/html");
  return `<h1>${getRouterParam(event, "slug")}</h1>`;
});
TS
code=0; node_modules/.bin/nitropack build > log 2>&1 < /dev/null || code=$?
seen="exit code $code:$(cd .output/public/product && for name in *; do printf ' %s' "$name"; done)"
named=$(grep -cF -e kit-2.0 -e film.v2 log || true)
echo "nitropack@2.13.6"
echo "seen: $seen; lines of the log that name the others: $named"
[ "$seen" = 'exit code 0: 2.0-kit cable-1.5-m film-v2 mug' ] && [ "$named" = 0 ]
