#!/usr/bin/env bash
# Joi.date() takes any text that is a number for milliseconds: the release date "2026" is 1970-01-01T00:00:02.026Z, and a version "1.10" in that column is
# a date, too. yup.date() takes "2026" and "2026-11-28" for midnight of the machine's zone: from Berlin that is the year 2025 and the 27th in UTC. One would
# guess what Date says, midnight UTC. A catalog checked by the one and written by the other sorts its releases and starts its sales by other days.
# Version: joi 18.3.2, yup 1.7.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund joi@18.3.2 yup@1.7.1
cat > run.js <<'JS'
import Joi from "joi";
import { date } from "yup";

for (const text of ["2026", "2026-11-28"]) {
  const read = { Date: new Date(text), joi: Joi.attempt(text, Joi.date()), yup: date().cast(text) };
  for (const [reader, value] of Object.entries(read)) console.log(`${text} ${reader} ${value.toISOString()}`);
}
console.log(`1.10 joi ${Joi.attempt("1.10", Joi.date()).toISOString()}`);
JS
seen=$(TZ=Europe/Berlin node run.js)
echo "joi@18.3.2 yup@1.7.1"
echo "seen: $seen"
[ "$seen" = '2026 Date 2026-01-01T00:00:00.000Z
2026 joi 1970-01-01T00:00:02.026Z
2026 yup 2025-12-31T23:00:00.000Z
2026-11-28 Date 2026-11-28T00:00:00.000Z
2026-11-28 joi 2026-11-28T00:00:00.000Z
2026-11-28 yup 2026-11-27T23:00:00.000Z
1.10 joi 1970-01-01T00:00:00.001Z' ]
