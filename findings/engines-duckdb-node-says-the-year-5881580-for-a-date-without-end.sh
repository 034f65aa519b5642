#!/usr/bin/env bash
# A sale that ends on the DATE 'infinity' has in DuckDB's JSON rows for Node (getRowObjectsJson) the end "5881580-07-11", and one that began at '-infinity' the beginning "5877642-06-24 (BC)"; a TIMESTAMP of infinity is "infinity". DuckDB's own SQL writes infinity for both.
# One would guess the word for both types, or null. getRowObjectsJS raises an error that names days and micros; only JSON has a day that looks like one.
# A catalog says "until 11 July 5881580" of each price without an end, its schema's format "date" refuses the record, JavaScript's Date is invalid, and DuckDB itself cannot read the day back. Write nullif(ends, 'infinity') AS ends, or CAST(ends AS VARCHAR).
# Version: @duckdb/node-api@1.5.6-r.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @duckdb/node-api@1.5.6-r.1
cat > "$dir/sale.mjs" <<'JS'
import { DuckDBInstance } from "@duckdb/node-api";

const connection = await (await DuckDBInstance.create(":memory:")).connect();
const reader = await connection.runAndReadAll(
  "SELECT DATE '-infinity' AS begins, DATE 'infinity' AS ends, TIMESTAMP 'infinity' AS closes, CAST(DATE 'infinity' AS VARCHAR) AS text, TRY_CAST('5881580-07-11' AS DATE) AS back",
);
const [sale] = reader.getRowObjectsJson();
console.log(JSON.stringify(sale), String(new Date(sale.ends)));
JS
seen=$(timeout 60 node "$dir/sale.mjs")
echo "@duckdb/node-api 1.5.6-r.1"
echo "seen: $seen"
[ "$seen" = '{"begins":"5877642-06-24 (BC)","ends":"5881580-07-11","closes":"infinity","text":"infinity","back":null} Invalid Date' ]
