#!/usr/bin/env bash
# parse-duration and timestring read the period P1M, a month in ISO 8601, as one minute, and P1Y2M as a year and two minutes; of PT1H30M parse-duration makes the hour and a half that it is. One would guess that a parser that reads one ISO duration reads the others,
# or gives null as it does for words it does not know. iso8601-duration reads the month.
# Subscriptions, licences and trials have P1M, P3M and P1Y in catalogs (Google Play, RevenueCat and schema.org write them so): a licence of a month is over after a minute.
# Version: parse-duration 2.1.9, timestring 7.0.0, iso8601-duration 2.1.4, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund parse-duration@2.1.9 timestring@7.0.0 iso8601-duration@2.1.4
cat > run.js <<'JS'
import parseDuration from "parse-duration";
import timestring from "timestring";
import { parse, toSeconds } from "iso8601-duration";

for (const period of ["P1M", "P3M", "PT1H30M"]) console.log(period, parseDuration(period, "s"), timestring(period, "s"), toSeconds(parse(period), new Date("2026-11-01T00:00:00Z")));
JS
seen=$(node run.js)
echo "parse-duration 2.1.9, timestring 7.0.0"
echo "seen: $seen"
[ "$seen" = 'P1M 60 60 2592000
P3M 180 180 7948800
PT1H30M 5400 5400 5400' ]
