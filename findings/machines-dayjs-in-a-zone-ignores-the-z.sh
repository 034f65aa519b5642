#!/usr/bin/env bash
# dayjs.tz("2026-06-01T10:00:00Z", "Europe/Berlin") is ten o'clock in Berlin: the Z is ignored, though an offset of a text is obeyed everywhere else. And the offset
# stays when a time is moved: half a year after June it is still +02:00, and on a machine in UTC the moment is an hour early too. One would guess 12:00 in Berlin, +01:00.
# A sale window of a catalog API, which is in UTC, begins two hours early in a shop front that shows it in the shop's zone.
# Version: dayjs 1.11.23 with its plugins utc and timezone.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dayjs@1.11.23
cat > run.js <<'JS'
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);
const start = "2026-06-01T10:00:00Z";
console.log(dayjs.tz(start, "Europe/Berlin").toISOString(), dayjs(start).tz("Europe/Berlin").toISOString());
const later = dayjs.tz("2026-06-01 10:00", "Europe/Berlin").add(6, "month");
console.log(later.format(), later.toISOString());
JS
seen=$(for zone in UTC America/New_York; do TZ=$zone node run.js; done)
echo "dayjs@1.11.23"
echo "seen: $seen"
[ "$seen" = '2026-06-01T08:00:00.000Z 2026-06-01T10:00:00.000Z
2026-12-01T10:00:00+02:00 2026-12-01T08:00:00.000Z
2026-06-01T08:00:00.000Z 2026-06-01T10:00:00.000Z
2026-12-01T10:00:00+02:00 2026-12-01T09:00:00.000Z' ]
