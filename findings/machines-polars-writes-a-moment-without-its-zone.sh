#!/usr/bin/env bash
# Polars for Node takes a Date and writes it without its zone: writeJSON says "2026-06-01 10:00:00", with a blank and as many decimals as are needed, and writeCSV "2026-06-01T10:00:00.000". One would guess Date's own JSON, with Z, as it
# reads the moment in UTC; toRecords() gives the right Date back. JavaScript, and whoever follows ISO 8601, reads both texts as local time.
# A table of a catalog that went through it has sales that begin two hours early in Berlin, and right where the machine is in UTC, as in CI.
# Version: nodejs-polars 0.26.1, seen on Node 20 and Linux x64.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1
cat > run.js <<'JS'
const polars = require("nodejs-polars");

const frame = polars.DataFrame({ sale: [new Date("2026-06-01T10:00:00Z"), new Date("2026-06-01T10:00:00.250Z")] });
const json = frame.writeJSON({ format: "json" }).toString();
console.log(json, frame.writeCSV().toString().trim().split("\n").join(" "), new Date(JSON.parse(json)[0].sale).toISOString());
JS
seen=$(TZ=Europe/Berlin node run.js)
echo "nodejs-polars@0.26.1"
echo "seen: $seen"
[ "$seen" = '[{"sale":"2026-06-01 10:00:00"},{"sale":"2026-06-01 10:00:00.250"}] sale 2026-06-01T10:00:00.000 2026-06-01T10:00:00.250 2026-06-01T08:00:00.000Z' ]
