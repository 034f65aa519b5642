#!/usr/bin/env bash
# any-date-parser reads 2026-11-29T23:30:00Z as 22:30 UTC in Berlin and as 04:30 UTC of the next day in New York: it takes the offset that the text names off, and then takes the result for a local time. What JSON.stringify writes
# comes back as another moment everywhere but in UTC; so does an RSS feed's "Sun, 29 Nov 2026 23:30:00 GMT". One would guess that a parser of any date reads this one, for its documentation lists zones and offsets among what it reads.
# An import of products or a feed reader is right in tests and containers, which run in UTC (the package's own tests set TZ=UTC), and wrong by hours on a shop's machine: a sale starts and ends early or late.
# Version: any-date-parser 2.2.4, on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund any-date-parser@2.2.4
cat > run.js <<'JS'
import parser from "any-date-parser";

for (const text of ["2026-11-29T23:30:00Z", "2026-11-29T23:30:00+02:00", "Sun, 29 Nov 2026 23:30:00 GMT"])
  console.log(`${process.env.TZ} ${text}: ${parser.fromString(text).toISOString()}`);
JS
seen=$(for zone in UTC Europe/Berlin America/New_York; do TZ=$zone node run.js; done)
echo "any-date-parser@2.2.4, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'UTC 2026-11-29T23:30:00Z: 2026-11-29T23:30:00.000Z
UTC 2026-11-29T23:30:00+02:00: 2026-11-29T21:30:00.000Z
UTC Sun, 29 Nov 2026 23:30:00 GMT: 2026-11-29T23:30:00.000Z
Europe/Berlin 2026-11-29T23:30:00Z: 2026-11-29T22:30:00.000Z
Europe/Berlin 2026-11-29T23:30:00+02:00: 2026-11-29T20:30:00.000Z
Europe/Berlin Sun, 29 Nov 2026 23:30:00 GMT: 2026-11-29T22:30:00.000Z
America/New_York 2026-11-29T23:30:00Z: 2026-11-30T04:30:00.000Z
America/New_York 2026-11-29T23:30:00+02:00: 2026-11-30T02:30:00.000Z
America/New_York Sun, 29 Nov 2026 23:30:00 GMT: 2026-11-30T04:30:00.000Z' ]
