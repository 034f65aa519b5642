#!/usr/bin/env bash
# class-validator-jsonschema writes @IsNumberString() as a pattern of digits only, so the price "19.90", which class-validator takes, is refused by the document that is made of the class; and @IsDateString() as a pattern that needs parts of a
# second, so "2026-01-31T10:30:00Z" is refused, and a day alone, while "2026-01-31T10:30:00.000Z" passes. One would guess no pattern where the rule is hard to say, as it does for @IsDecimal(), which it leaves open.
# Prices as texts and moments to the second are what a catalog has: the gateway or client that believes the document refuses answers that the server checked.
# Version: class-validator-jsonschema 5.2.0 with class-validator 0.15.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --legacy-peer-deps class-validator-jsonschema@5.2.0 class-validator@0.15.1 class-transformer@0.5.1 reflect-metadata@0.2.2
cat > run.js <<'JS'
const { getMetadataStorage, IsDateString, IsNumberString, validateSync } = require("class-validator");
const { validationMetadatasToSchemas } = require("class-validator-jsonschema");

class Product {}
IsNumberString()(Product.prototype, "price");
IsDateString()(Product.prototype, "since");
const { properties } = validationMetadatasToSchemas({ classValidatorMetadataStorage: getMetadataStorage() }).Product;
const right = { price: "20", since: "2026-01-31T10:30:00.000Z" };
for (const other of [{}, { price: "19.90" }, { since: "2026-01-31T10:30:00Z" }]) {
  const record = { ...right, ...other };
  const taken = Object.entries(record).every(([name, value]) => new RegExp(properties[name].pattern, "u").test(value));
  console.log(`${record.price} ${record.since}: class-validator ${validateSync(Object.assign(new Product(), record)).length === 0}, schema ${taken}`);
}
JS
seen=$(node run.js)
echo "class-validator-jsonschema 5.2.0"
echo "seen: $seen"
[ "$seen" = '20 2026-01-31T10:30:00.000Z: class-validator true, schema true
19.90 2026-01-31T10:30:00.000Z: class-validator true, schema false
20 2026-01-31T10:30:00Z: class-validator true, schema false' ]
