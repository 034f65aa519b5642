#!/usr/bin/env bash
# "sample_size = -1" reads as: look at all input before you choose types. DuckDB looks at all records of the first 32 files only: what
# only the 33rd file says is unknown. A price of 19.9 there is 20, without a word; union_by_name = true makes it look into every file.
# Bulk files of a catalog are many small ones, so the usual advice for JSON with rare decimals does not help there.
# Version: @duckdb/node-api@1.5.6-r.1 (DuckDB v1.5.6), seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @duckdb/node-api@1.5.6-r.1 >/dev/null
for file in $(seq -w 1 32); do echo '{"sku":"cup","price":20}' > "$dir/$file.ndjson"; done
echo '{"sku":"jug","price":19.9}' > "$dir/33.ndjson"
cat > "$dir/read.mjs" <<'JS'
import { DuckDBInstance } from "@duckdb/node-api";
const db = await (await DuckDBInstance.create(":memory:")).connect();
const ask = async (options) => {
  const files = `read_ndjson('${process.argv[2]}/*.ndjson', sample_size = -1${options})`;
  const found = await db.runAndReadAll(`SELECT typeof(price) AS type, price::VARCHAR AS price FROM ${files} WHERE sku = 'jug'`);
  return found.getRowObjectsJson()[0];
};
const version = (await db.runAndReadAll("SELECT version() AS v")).getRowObjectsJson()[0].v;
const [all, byName] = [await ask(""), await ask(", union_by_name = true")];
console.log(`DuckDB ${version}`);
console.log(`seen: sample_size = -1: ${JSON.stringify(all)}; with union_by_name: ${JSON.stringify(byName)}`);
process.exit(all.type === "BIGINT" && all.price === "20" && byName.price === "19.9" ? 0 : 1);
JS
node "$dir/read.mjs" "$dir"
