#!/usr/bin/env bash
# "string.date.iso.parse" of ArkType takes every spelling of ISO 8601 and gives the Date that new Date() makes of it: 2026-W01, 20260102, 2026-01-02T03 and 2026-01-02T03:04:05+02 pass, as an Invalid Date, and 2026-02-31 is 3 March. It
# refuses 2026-01-02T24:00:00Z, which is ISO. One would guess that what passes a parser is a moment, or an error: "string.date.parse" refuses the first ones.
# Many exports write a day as 20260102. An import of a catalog's times that is checked by this type stores NaN and fails later, at toISOString().
# Version: arktype 2.2.10, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund arktype@2.2.10
cat > run.mjs <<'JS'
import { type } from "arktype";

const show = (name, text) => {
  const value = type(name)(text);
  if (value instanceof type.errors) return "refused";
  return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
};
const iso = ["2026-W01", "20260102", "2026-01-02T03:04:05+02", "2026-01-02T03:04:05+02:00", "2026-02-31", "2026-01-02T24:00:00Z"];
console.log(`${iso.map((text) => `${text} ${show("string.date.iso.parse", text)}`).join(", ")}; without iso: ${show("string.date.parse", "2026-W01")}`);
JS
seen=$(TZ=UTC node run.mjs)
echo "arktype@2.2.10"
echo "seen: $seen"
[ "$seen" = "2026-W01 Invalid Date, 20260102 Invalid Date, 2026-01-02T03:04:05+02 Invalid Date, 2026-01-02T03:04:05+02:00 2026-01-02T01:04:05.000Z, 2026-02-31 2026-03-03T00:00:00.000Z, 2026-01-02T24:00:00Z refused; without iso: refused" ]
