#!/usr/bin/env bash
# luxon reads "2026-10-25 02:30", zone Europe/Berlin, as 00:30 UTC in a program that runs in July and as 01:30 UTC in one that runs in December: of an hour that comes twice it takes the
# one with the offset of the moment of reading. One would guess one answer for one text; moment-timezone always gives the
# earlier.
# A sale or a post with such a time changes by an hour between two builds of the same data, and the files of a catalog are no longer a function of the data.
# Version: luxon 3.7.2, moment-timezone 0.6.6.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund luxon@3.7.2 moment-timezone@0.6.6
cat > run.js <<'JS'
import { DateTime, Settings } from "luxon";
import moment from "moment-timezone";

const clock = Date.now;
for (const [text, zone] of [["2026-10-25 02:30:00", "Europe/Berlin"], ["2026-11-01 01:30:00", "America/New_York"], ["2026-04-05 02:30:00", "Australia/Sydney"]])
  for (const now of ["2026-07-01", "2026-12-01"]) {
    // The libraries' clock says that it is this day.
    Date.now = Settings.now = () => Date.parse(now);
    const moments = [DateTime.fromSQL(text, { zone }).toJSDate(), moment.tz(text, zone).toDate()];
    console.log(`${text} in ${zone}, read on ${now}:`, ...moments.map((each) => each.toISOString().slice(5, 16)));
  }
Date.now = clock;
JS
seen=$(node run.js)
echo "luxon $(node -p 'require("./node_modules/luxon/package.json").version'), then moment-timezone"
echo "seen: $seen"
[ "$seen" = '2026-10-25 02:30:00 in Europe/Berlin, read on 2026-07-01: 10-25T00:30 10-25T00:30
2026-10-25 02:30:00 in Europe/Berlin, read on 2026-12-01: 10-25T01:30 10-25T00:30
2026-11-01 01:30:00 in America/New_York, read on 2026-07-01: 11-01T05:30 11-01T05:30
2026-11-01 01:30:00 in America/New_York, read on 2026-12-01: 11-01T06:30 11-01T05:30
2026-04-05 02:30:00 in Australia/Sydney, read on 2026-07-01: 04-04T16:30 04-04T15:30
2026-04-05 02:30:00 in Australia/Sydney, read on 2026-12-01: 04-04T15:30 04-04T15:30' ]
