#!/usr/bin/env bash
# Day.js reads the fraction of a time without a zone as a count of milliseconds: 03:04:05.5 is 5 ms after the second, .25 is 25 ms, and so .5 comes before .25; with
# a Z at the end the same text is right. One would guess 500 ms in both. PostgreSQL's to_json drops the zeros at the end of a fraction, so one time in ten of a
# timestamp(3) column (Prisma's default) is such a text, and changes ordered by it come in another order than in the database.
# Version: dayjs 1.11.23.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dayjs@1.11.23
cat > run.js <<'JS'
import dayjs from "dayjs";

const times = ["2026-01-02T03:04:05.5", "2026-01-02T03:04:05.25", "2026-01-02T03:04:05.5Z"];
console.log(times.map((time) => dayjs(time).millisecond()).join(" "), dayjs(times[0]).isBefore(times[1]), new Date(times[0]).getMilliseconds());
JS
seen=$(node run.js)
echo "dayjs@1.11.23"
echo "seen: $seen"
[ "$seen" = '5 25 500 true 500' ]
