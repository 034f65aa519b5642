#!/usr/bin/env bash
# DuckDB reads the text 2026-06-01T10:00:00Z of a CSV file as TIMESTAMP WITH TIME ZONE, and the same text of a JSON file as TIMESTAMP without one. On a machine in Berlin the latter, compared with now() or with the CSV's column, is 08:00Z: two
# hours early. The JSON that DuckDB writes of a moment, "2026-06-01 12:00:00+02", is a text when it reads it again. One would guess one type for one text: both readers look for the type themselves.
# "Which sales have begun" over a catalog's NDJSON counts two hours too many in Berlin, is right in CI, which is in UTC, and right over the CSV export; SET TimeZone = 'UTC' makes them one.
# Version: @duckdb/node-api 1.5.6-r.1 (DuckDB 1.5.6), seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1
echo '{"sale_from":"2026-06-01T10:00:00Z"}' > sales.json
printf 'sale_from,slug\n2026-06-01T10:00:00Z,mug\n' > sales.csv
cat > run.js <<'JS'
import { DuckDBInstance } from "@duckdb/node-api";

const db = await (await DuckDBInstance.create(":memory:")).connect();
const ask = async (query) => (await db.runAndReadAll(query)).getRowsJson().flat().join(", ");
const typeAndMoment = (file) => ask(`SELECT typeof(sale_from), epoch(sale_from::TIMESTAMPTZ) - epoch(TIMESTAMPTZ '2026-06-01 10:00:00Z') FROM '${file}'`);
console.log(await typeAndMoment("sales.csv"));
console.log(await typeAndMoment("sales.json"));
await db.run("COPY (SELECT TIMESTAMPTZ '2026-06-01 10:00:00Z' AS sale_from) TO 'written.json'");
console.log(await ask("SELECT sale_from, typeof(sale_from) FROM 'written.json'"));
JS
seen=$(TZ=Europe/Berlin node run.js)
echo "@duckdb/node-api@1.5.6-r.1"
echo "seen: $seen"
[ "$seen" = "TIMESTAMP WITH TIME ZONE, 0
TIMESTAMP, -7200
2026-06-01 12:00:00+02, VARCHAR" ]
