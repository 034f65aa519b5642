#!/usr/bin/env bash
# Schema.NumberFromString of Effect 4 decodes the empty text and blanks to 0, and "1,5", "n/a" and "19.90 EUR" to NaN, each as a success. One would guess an error for all of these, as Effect 3 gave for "" and "1,5": a schema stands at the
# border so that what is behind it is a number. FiniteFromString refuses NaN and still takes "" for 0.
# A price list with an empty cell gives the product away for nothing, and ?min_price= in an address is a filter by 0. NaN is written as null by JSON.stringify.
# Version: effect 4.1.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund effect@4.1.0 three@npm:effect@3.17.13
cat > run.mjs <<'JS'
import { Schema } from "effect";
import { Schema as Three } from "three";

const read = (decode, text) => {
  try {
    return String(decode(text));
  } catch {
    return "refused";
  }
};
const texts = ["19.90", "", " ", "1,5", "n/a"];
const show = (name, decode) => `${name}: ${texts.map((text) => read(decode, text)).join(" ")}`;
console.log([
  show("NumberFromString", Schema.decodeUnknownSync(Schema.NumberFromString)),
  show("FiniteFromString", Schema.decodeUnknownSync(Schema.FiniteFromString)),
  show("of Effect 3", Three.decodeUnknownSync(Three.NumberFromString)),
].join("; "));
JS
seen=$(node run.mjs)
echo "effect@4.1.0 and 3.17.13"
echo "seen: $seen"
[ "$seen" = "NumberFromString: 19.9 0 0 NaN NaN; FiniteFromString: 19.9 0 0 refused refused; of Effect 3: 19.9 refused refused refused refused" ]
