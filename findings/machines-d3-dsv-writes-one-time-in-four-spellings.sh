#!/usr/bin/env bash
# csvFormat of d3-dsv writes a Date as short as it can: midnight in UTC is a day without a time, a whole minute has no seconds and a whole second no milliseconds, so one
# column has four forms. Sorted as texts, 10:00Z comes after 10:00:05Z. One would guess toISOString, as JSON.stringify writes the same object. A reader
# that syncs a catalog's table by the greatest updated_at, or takes the column's type from its first rows, misses changes.
# Version: d3-dsv 3.0.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund d3-dsv@3.0.1
cat > run.js <<'JS'
import { csvFormat } from "d3-dsv";

const times = ["2026-11-28T00:00:00.000Z", "2026-11-28T10:00:00.000Z", "2026-11-28T10:00:05.000Z", "2026-11-28T10:00:05.250Z"];
const written = csvFormat(times.map((time) => ({ updated_at: new Date(time) }))).split("\n").slice(1);
console.log(`written: ${written.join(" ")}\nsorted: ${written.sort().join(" ")}`);
JS
seen=$(node run.js)
echo "d3-dsv@3.0.1"
echo "seen: $seen"
[ "$seen" = 'written: 2026-11-28 2026-11-28T10:00Z 2026-11-28T10:00:05Z 2026-11-28T10:00:05.250Z
sorted: 2026-11-28 2026-11-28T10:00:05.250Z 2026-11-28T10:00:05Z 2026-11-28T10:00Z' ]
