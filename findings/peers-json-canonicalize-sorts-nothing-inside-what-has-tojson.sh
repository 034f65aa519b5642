#!/usr/bin/env bash
# json-canonicalize, an implementation of RFC 8785, sorts the keys of plain objects, but what a toJSON gives is written in the order it has: a Money with toJSON() { return { currency, amount } }, a Buffer,
# or a whole record of an ORM (each document of Mongoose has a toJSON) stays unsorted at every depth, without an error. Its sister canonicalize sorts it. One would guess that toJSON comes first and
# sorting after, as RFC 8785 builds on JSON.stringify.
# Two records with the same fields have two "canonical" texts, so an ETag or a signature that a reader computes again from the JSON that it got does not match.
# What to do: canonicalize(JSON.parse(JSON.stringify(record))).
# Versions: json-canonicalize 3.0.1, canonicalize 5.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-canonicalize@3.0.1 canonicalize@5.1.0
cat > run.js <<'JS'
import sister from "canonicalize";
import { canonicalize } from "json-canonicalize";

class Money {
  constructor(amount, currency) {
    this.amount = amount;
    this.currency = currency;
  }
  toJSON() {
    return { currency: this.currency, amount: this.amount };
  }
}
const product = { title: "Mug", price: new Money(1990, "EUR") };
console.log(`json-canonicalize ${canonicalize(product)}`);
console.log(`of its own JSON   ${canonicalize(JSON.parse(JSON.stringify(product)))}`);
console.log(`canonicalize      ${sister(product)}`);
console.log(`a record of an ORM ${canonicalize({ toJSON: () => ({ title: "Mug", price: { currency: "EUR", amount: 1990 } }) })}`);
JS
seen=$(node run.js)
echo "json-canonicalize 3.0.1, canonicalize 5.1.0"
echo "seen: $seen"
[ "$seen" = 'json-canonicalize {"price":{"currency":"EUR","amount":1990},"title":"Mug"}
of its own JSON   {"price":{"amount":1990,"currency":"EUR"},"title":"Mug"}
canonicalize      {"price":{"amount":1990,"currency":"EUR"},"title":"Mug"}
a record of an ORM {"title":"Mug","price":{"currency":"EUR","amount":1990}}' ]
