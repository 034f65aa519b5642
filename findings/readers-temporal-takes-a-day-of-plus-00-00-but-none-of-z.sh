#!/usr/bin/env bash
# Temporal.PlainDate.from("2026-11-29T23:30:00+00:00") is 2026-11-29, that of …-05:00 too, and that of "2026-11-29T23:30:00Z", the same moment as the first, is a RangeError; so it is with PlainDateTime and PlainYearMonth. Chromium's own
# Temporal and both polyfills agree, for the proposal wants it so: with a numeric offset it takes the local day and ignores the offset, Z says that no local day is known. One would guess that Z and +00:00 are two spellings
# of one time, as in RFC 3339 and for Temporal.Instant, and that a parser which can ignore an offset can ignore this one.
# An API whose times end in Z, as JSON.stringify writes them, breaks each page that takes the day of a release with PlainDate; another that writes +00:00, as PHP and Python do, works, and so do its test data.
# Version: temporal-polyfill 1.0.8, @js-temporal/polyfill 0.5.1, playwright-core 1.65.1 with Debian's chromium-headless-shell 156.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund temporal-polyfill@1.0.8 @js-temporal/polyfill@0.5.1 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { Temporal as js } from "@js-temporal/polyfill";
import { chromium } from "playwright-core";
import { Temporal as small } from "temporal-polyfill";

function read(Temporal) {
  const lines = [];
  for (const zone of ["+00:00", "-05:00", "Z"])
    for (const kind of ["PlainDate", "PlainDateTime", "Instant"]) {
      let value;
      try {
        value = Temporal[kind].from(`2026-11-29T23:30:00${zone}`).toString();
      } catch ({ name }) {
        value = name;
      }
      lines.push(`${zone} ${kind}: ${value}`);
    }
  return lines.join("\n");
}

const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
const chromiums = await page.evaluate(`(${read})(Temporal)`);
await browser.close();
console.log(chromiums);
console.log(`polyfills agree: ${read(js) === chromiums} ${read(small) === chromiums}`);
JS
seen=$(node run.js)
echo "temporal-polyfill@1.0.8 @js-temporal/polyfill@0.5.1, $(chromium-headless-shell --version 2> /dev/null || true)"
echo "seen: $seen"
[ "$seen" = '+00:00 PlainDate: 2026-11-29
+00:00 PlainDateTime: 2026-11-29T23:30:00
+00:00 Instant: 2026-11-29T23:30:00Z
-05:00 PlainDate: 2026-11-29
-05:00 PlainDateTime: 2026-11-29T23:30:00
-05:00 Instant: 2026-11-30T04:30:00Z
Z PlainDate: RangeError
Z PlainDateTime: RangeError
Z Instant: 2026-11-29T23:30:00Z
polyfills agree: true true' ]
