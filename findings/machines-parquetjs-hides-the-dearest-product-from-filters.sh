#!/usr/bin/env bash
# @dsnp/parquetjs and parquetjs-lite take prices that are texts ("100.00", as PostgreSQL and MySQL drivers hand out decimals) for a DOUBLE column and write the right numbers, but the smallest and largest value in the file's statistics are
# those of the texts: of 10.00, 20.00 and 100.00 the largest is 20. DuckDB shows all three rows, says 100 for max(price), and finds nothing for price > 50. One would guess that texts are refused, or made into numbers once.
# Who looks at the file sees nothing wrong; a filter, a join or a delete by price passes the row group over. With 32-bit floats and INT32 it is the same. Convert before: Number(row.price).
# Version: @dsnp/parquetjs 1.8.9 (1.9.3 was published without its code), parquetjs-lite 0.8.7, DuckDB 1.5.6, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.9 parquetjs-lite@0.8.7 @duckdb/node-api@1.5.6-r.1
cat > run.cjs <<'JS'
const { DuckDBInstance } = require("@duckdb/node-api");
const libraries = ["@dsnp/parquetjs", "parquetjs-lite"];

(async () => {
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  const query = async (sql) => JSON.stringify((await duckdb.runAndReadAll(sql)).getRows());
  for (const [number, library] of libraries.entries()) {
    const { ParquetSchema, ParquetWriter } = require(library);
    for (const kind of ["numbers", "texts"]) {
      const file = `${kind}-${number}.parquet`;
      const schema = new ParquetSchema({ title: { type: "UTF8" }, price: { type: "DOUBLE" } });
      const writer = await ParquetWriter.openFile(schema, file);
      for (const [title, price] of [["Kit", "10.00"], ["Mug", "20.00"], ["Desk", "100.00"]]) {
        await writer.appendRow({ title, price: kind === "numbers" ? Number(price) : price });
      }
      await writer.close();
      const all = await query(`SELECT price FROM '${file}'`);
      const largest = await query(`SELECT max(price) FROM '${file}'`);
      const above = await query(`SELECT title FROM '${file}' WHERE price > 50`);
      console.log(`${library} ${kind}: ${all}, max ${largest}, above 50 ${above}`);
    }
  }
})();
JS
seen=$(node run.cjs)
echo "@dsnp/parquetjs@1.8.9, parquetjs-lite@0.8.7, @duckdb/node-api@1.5.6-r.1"
echo "seen: $seen"
[ "$seen" = '@dsnp/parquetjs numbers: [[10],[20],[100]], max [[100]], above 50 [["Desk"]]
@dsnp/parquetjs texts: [[10],[20],[100]], max [[100]], above 50 []
parquetjs-lite numbers: [[10],[20],[100]], max [[100]], above 50 [["Desk"]]
parquetjs-lite texts: [[10],[20],[100]], max [[100]], above 50 []' ]
