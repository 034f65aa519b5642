#!/usr/bin/env bash
# The parsers of nuqs, which keeps a page's state in its address, read as far as there are digits: ?max_price=1,990 is 1, "19.90 EUR" is 19.9, ?page=1e3 is 1, "5.9" is 5 and "0x1F" is 31. One would guess null for what is no number, as
# parseAsIsoDateTime gives for what is no date, so that the default holds. And a number that is set is rounded on its way: 2.5 is written as 3.
# Prices are typed with a comma in half of the world: a list "up to 1,990" shows what costs less than 1, with no word that the filter was misread.
# Version: nuqs 2.10.2, react 19.3.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund nuqs@2.10.2 react@19.3.1
cat > run.mjs <<'JS'
import { createSerializer, parseAsFloat, parseAsInteger, parseAsIsoDateTime } from "nuqs/server";

console.log(["1,990", "19.90 EUR", "n/a"].map((text) => `${text} ${parseAsFloat.parse(text)}`).join(", "));
console.log(["1e3", "5.9", "0x1F", "2nd"].map((text) => `${text} ${parseAsInteger.parse(text)}`).join(", "));
console.log(parseAsIsoDateTime.parse("2026-02-31"), createSerializer({ page: parseAsInteger })({ page: 2.5 }));
JS
seen=$(node run.mjs)
echo "nuqs@2.10.2"
echo "seen: $seen"
[ "$seen" = '1,990 1, 19.90 EUR 19.9, n/a null
1e3 1, 5.9 5, 0x1F 31, 2nd 2
null ?page=3' ]
