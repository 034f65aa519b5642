#!/usr/bin/env bash
# The demo: seeds a store, builds, checks, and serves until Ctrl-C. `npm run demo`
set -euo pipefail
cd "$(dirname "$0")/.."
vitrine=(node dist/cli/main.js)
mkdir -p demo
npm run --silent build
[ -e demo/media ] || npx node scripts/seed-store.ts --out demo/store.sqlite --media demo/media
"${vitrine[@]}" build
"${vitrine[@]}" check
cat <<TEXT

Try:
  curl http://127.0.0.1:8080/api/v1
  curl 'http://127.0.0.1:8080/api/v1/products?category=scripts&sort=price_asc'
  curl 'http://127.0.0.1:8080/api/v1/product?slug=invoice-kit'
  curl 'http://127.0.0.1:8080/api/v1/reviews?product_slug=invoice-kit&min_rating=4'
  curl 'http://127.0.0.1:8080/api/v1/search?q=invoce'
  curl -i 'http://127.0.0.1:8080/api/v1/products?categry=scripts'
Look, at what serve says last (--port N serves elsewhere; pictures are those of port 8080):
  http://127.0.0.1:8080/            the explorer
  http://127.0.0.1:8080/docs/       the reference
Stop with Ctrl-C.

TEXT
# Someone who looks around requests twenty pictures per page.
exec "${vitrine[@]}" serve --media demo/media --no-rate-limit "$@"
