#!/usr/bin/env bash
# @dsnp/parquetjs, told that a column is TIMESTAMP_MILLIS, takes the text "2026-11-02T03:04:05Z" as parseInt does: 2026 milliseconds after 1970, for each moment of the year. In a DATE column "2026-11-02" is the 2026th day, in July 1975;
# parquetjs-lite does the same there. Only TIMESTAMP_MICROS says that the text is no time. One would guess that a text of ISO 8601 is read as one, or refused: a Date is what the column takes otherwise, and JSON has only texts.
# An export of a JSON catalog to Parquet is written without an error, all products of a year have one moment, and "changed since" finds none. Give it new Date(text).
# Version: @dsnp/parquetjs 1.8.9 (1.9.3 was published without its code) and parquetjs-lite 0.8.7, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.9 parquetjs-lite@0.8.7
cat > run.cjs <<'JS'
const moments = ["2026-01-02T03:04:05Z", "2026-11-02T03:04:05Z"];

async function readBack(library, type, values) {
  const { ParquetReader, ParquetSchema, ParquetWriter } = require(library);
  try {
    const writer = await ParquetWriter.openFile(new ParquetSchema({ changed: { type } }), "products.parquet");
    for (const changed of values) await writer.appendRow({ changed });
    await writer.close();
    const reader = await ParquetReader.openFile("products.parquet");
    const cursor = reader.getCursor();
    const times = [];
    for (let row = await cursor.next(); row; row = await cursor.next()) times.push(row.changed.toISOString());
    await reader.close();
    console.log(`${library} ${type}: ${times.join(" ")}`);
  } catch (error) {
    console.log(`${library} ${type}: ${error.message ?? error}`);
  }
}

(async () => {
  await readBack("@dsnp/parquetjs", "TIMESTAMP_MILLIS", moments.map((moment) => new Date(moment)));
  await readBack("@dsnp/parquetjs", "TIMESTAMP_MILLIS", moments);
  await readBack("@dsnp/parquetjs", "TIMESTAMP_MICROS", moments);
  await readBack("@dsnp/parquetjs", "DATE", moments);
  await readBack("parquetjs-lite", "DATE", moments);
})();
JS
seen=$(node run.cjs)
echo "@dsnp/parquetjs@1.8.9, parquetjs-lite@0.8.7"
echo "seen: $seen"
[ "$seen" = '@dsnp/parquetjs TIMESTAMP_MILLIS: 2026-01-02T03:04:05.000Z 2026-11-02T03:04:05.000Z
@dsnp/parquetjs TIMESTAMP_MILLIS: 1970-01-01T00:00:02.026Z 1970-01-01T00:00:02.026Z
@dsnp/parquetjs TIMESTAMP_MICROS: TIMESTAMP_MICROS value is out of bounds: 2026-01-02T03:04:05Z
@dsnp/parquetjs DATE: 1975-07-20T00:00:00.000Z 1975-07-20T00:00:00.000Z
parquetjs-lite DATE: 1975-07-20T00:00:00.000Z 1975-07-20T00:00:00.000Z' ]
