#!/usr/bin/env bash
# Apache Arrow's library for JavaScript gives the price 19.90 of a column decimal128(10, 2) as 1990, in a text, as a number and in toJSON(): the scale, 2, is in the column's type, and no value is divided by it. In JSON.stringify(row) the price is a
# text with quotes of its own, "\"1990\"". A column of doubles, in the same table, is 19.9. One would guess 19.90 or "19.90", as DuckDB and @dsnp/parquetjs show the same file.
# DECIMAL is what PostgreSQL, DuckDB and Spark have for money, and their exports to Parquet and Arrow keep it: a page that reads them shows prices a hundred times as high, those of KWD a thousand times.
# Divide by 10 ** type.scale, or cast the column to DOUBLE in the export.
# Version: apache-arrow 21.2.0, parquet-wasm 0.8.0, DuckDB 1.5.6, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund apache-arrow@21.2.0 parquet-wasm@0.8.0 @duckdb/node-api@1.5.6-r.1
cat > run.mjs <<'JS'
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm/node";

const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
await duckdb.run("COPY (SELECT 19.90::DECIMAL(10, 2) AS price, 1.500::DECIMAL(10, 3) AS dinar, 19.90::DOUBLE AS inexact) TO 'products.parquet'");
const table = tableFromIPC(readParquet(new Uint8Array(readFileSync("products.parquet"))).intoIPCStream());
const [row] = table;
console.log(`${table.schema.fields.map(({ name, type }) => `${name} ${type}`).join(", ")}`);
console.log(`text ${row.price}, ${row.dinar}, ${row.inexact}; number ${Number(row.price)}; JSON ${JSON.stringify(row)}`);
console.log(`divided: ${Number(row.price) / 10 ** table.schema.fields[0].type.scale}`);
JS
seen=$(node run.mjs)
echo "apache-arrow@21.2.0, parquet-wasm@0.8.0, @duckdb/node-api@1.5.6-r.1"
echo "seen: $seen"
[ "$seen" = 'price Decimal[10e+2], dinar Decimal[10e+3], inexact Float64
text 1990, 1500, 19.9; number 1990; JSON {"price":"\"1990\"","dinar":"\"1500\"","inexact":19.9}
divided: 19.9' ]
