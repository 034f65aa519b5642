#!/usr/bin/env bash
# telejson, by which Storybook hands a story's values from one frame to the other, makes a Date of every text that is an ISO time: updated_at "2026-01-02T03:04:05Z" goes in as a text and comes out as an object. A title "_undefined_" is
# undefined afterwards, "_symbol_sale" a Symbol, and "_date_A4" an invalid Date. One would guess that a text comes back as a text: its own marks for dates are there so that the reader knows which is which, and marks need an escape.
# A component that is shown with records of a catalog API gets other types than in the shop: updated_at.slice(0, 10) throws in its story only, or works there with .getTime() and throws in the shop.
# Version: telejson 8.0.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund telejson@8.0.0
cat > run.mjs <<'JS'
import { parse, stringify } from "telejson";

const texts = ["2026-01-02T03:04:05Z", "2026-01-02 03:04:05", "_undefined_", "_symbol_sale", "_date_A4", "mug"];
console.log(texts.map((text) => {
  const { value } = parse(stringify({ value: text }));
  return `${text} ${value instanceof Date ? `Date ${value.getTime()}` : typeof value}`;
}).join(", "));
JS
seen=$(node run.mjs)
echo "telejson@8.0.0"
echo "seen: $seen"
[ "$seen" = "2026-01-02T03:04:05Z Date 1767323045000, 2026-01-02 03:04:05 string, _undefined_ undefined, _symbol_sale symbol, _date_A4 Date NaN, mug string" ]
