#!/usr/bin/env bash
# @plist/binary.parse, which reads Apple's binary property lists also in a browser, takes the whole numbers of 1, 2 and 4 bytes as signed: a stock of 200 is -56, 40000 is -25536 and 3000000000 is -1294967296. Those of 8 bytes, barcodes and each
# number below zero, are BigInts, so JSON.stringify raises an error for them. One would guess what bplist-parser and Python's plistlib say: only 8 bytes have a sign, and all of these fit a number.
# An app's catalog in a property list is right up to 127 pieces or cents; dearer products have prices below zero, without an error. Read it with bplist-parser.
# Version: @plist/binary.parse 1.1.0 (as @plist/plist 1.0.0 and @plist/parse have it), bplist-creator 0.3.0, bplist-parser 0.5.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund @plist/binary.parse@1.1.0 bplist-creator@0.3.0 bplist-parser@0.5.0
cat > run.mjs <<'JS'
import { createRequire } from "node:module";
import { inspect } from "node:util";

const require = createRequire(import.meta.url);
const create = require("bplist-creator");
const { parseBuffer } = require("bplist-parser");
const { parse } = require("@plist/binary.parse");

const product = { stock: 100, sold: 200, cents: 40_000, views: 3_000_000_000, gtin: 4_006_381_333_931, price: 19.9 };
const bytes = create(product);
const show = (value) => inspect(value, { breakLength: Number.POSITIVE_INFINITY });
console.log(`bplist-parser: ${show(parseBuffer(bytes)[0])}`);
console.log(`@plist/binary.parse: ${show(parse(new Uint8Array(bytes).buffer))}`);
JS
seen=$(node run.mjs)
echo "@plist/binary.parse@1.1.0, bplist-creator@0.3.0, bplist-parser@0.5.0"
echo "seen: $seen"
[ "$seen" = 'bplist-parser: { stock: 100, sold: 200, cents: 40000, views: 3000000000, gtin: 4006381333931, price: 19.9 }
@plist/binary.parse: { stock: 100, sold: -56, cents: -25536, views: -1294967296, gtin: 4006381333931n, price: 19.9 }' ]
