#!/usr/bin/env bash
# PGlite gives the bigint 5 as a number and 9007199254740993 of the same column as a BigInt. One would guess one type for a column: texts as of pg, or BigInts. JSON.stringify works until the first row with a large id comes and throws then, and
# ids of two rows are never === though they may be ==. And of one day, date '2026-11-20' is midnight in UTC and timestamp '2026-11-20' midnight of the machine's zone, while pg takes both for the machine's.
# A catalog that is tested with small ids on PGlite, "PostgreSQL in the process", fails with the shop's.
# Version: @electric-sql/pglite@0.5.17, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" @electric-sql/pglite@0.5.17
cat > "$dir/ids.mjs" << 'END'
import { PGlite } from "@electric-sql/pglite";
const db = await PGlite.create();
const ids = await db.query("SELECT id::bigint FROM (VALUES (5), (9007199254740993)) AS product (id)");
console.log(ids.rows.map(({ id }) => `${typeof id} ${id}`).join(", "));
const { rows } = await db.query("SELECT date '2026-11-20' AS day, timestamp '2026-11-20 00:00:00' AS moment");
console.log(rows[0].day.toISOString(), rows[0].moment.toISOString());
END
seen="$(TZ=Europe/Berlin node "$dir/ids.mjs")"
echo "PGlite $(node -p "JSON.parse(fs.readFileSync('$dir/node_modules/@electric-sql/pglite/package.json')).version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'number 5, bigint 9007199254740993
2026-11-20T00:00:00.000Z 2026-11-19T23:00:00.000Z' ]
