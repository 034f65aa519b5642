#!/usr/bin/env bash
# csv-stringify writes true as 1 and false as nothing, the same as null, and a Date as milliseconds; fast-csv writes the same Date as local English words without
# its milliseconds, Papa Parse as ISO. One would guess true, false and an ISO time from every writer. In a table made of catalog records "not available" and
# "not known" are one value, and the row can't be turned back into the record.
# Version: csv-stringify 6.9.0, fast-csv 5.0.8, papaparse 5.7.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund csv-stringify@6.9.0 fast-csv@5.0.8 papaparse@5.7.1
cat > run.js <<'JS'
import { stringify } from "csv-stringify/sync";
import { writeToString } from "fast-csv";
import Papa from "papaparse";

const record = { id: 1, available: true, sold_out: false, unknown: null, at: new Date("2026-01-02T03:04:05.678Z") };
console.log(stringify([record]).trim());
console.log(await writeToString([record]));
console.log(Papa.unparse([Object.values(record)]));
JS
seen=$(TZ=UTC node run.js)
echo "csv-stringify@6.9.0 fast-csv@5.0.8 papaparse@5.7.1"
echo "seen: $seen"
[ "$seen" = '1,1,,,1767323045678
1,true,false,,Fri Jan 02 2026 03:04:05 GMT+0000 (Coordinated Universal Time)
1,true,false,,2026-01-02T03:04:05.678Z' ]
