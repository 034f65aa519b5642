#!/usr/bin/env bash
# borc, a CBOR library, writes the time 12:00:59.700 as 12:01:00: a Date is rounded to whole seconds, up as well as down. cbor and cbor-x keep the milliseconds; CBOR's tag 1 takes seconds with a fraction. Who knows that a format drops fractions would guess that they are cut.
# Of a catalog's records passed through it, half changed "later" than they did, up to half a second in the future of the one who writes: a reader that asks for what changed since the latest time it has seen leaves out what changed in that half second.
# Version: borc 3.0.0, cbor 10.0.11, cbor-x 1.6.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts borc@3.0.0 cbor@10.0.11 cbor-x@1.6.0
cat > run.js <<'JS'
for (const name of ["borc", "cbor", "cbor-x"]) {
  const { decode, decodeFirstSync = decode, encode } = require(name);
  const times = ["2026-11-29T12:00:59.300Z", "2026-11-29T12:00:59.700Z"].map((time) => decodeFirstSync(encode(new Date(time))).toISOString());
  console.log(name, times.join(" "));
}
JS
seen=$(node run.js)
echo "borc 3.0.0"
echo "seen: $seen"
[ "$seen" = 'borc 2026-11-29T12:00:59.000Z 2026-11-29T12:01:00.000Z
cbor 2026-11-29T12:00:59.300Z 2026-11-29T12:00:59.700Z
cbor-x 2026-11-29T12:00:59.300Z 2026-11-29T12:00:59.700Z' ]
