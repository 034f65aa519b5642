#!/usr/bin/env bash
# Ghost's filter language NQL has no decimals: in filter=price:>=19.90 the number is cut to 19, version:1.10 asks for 1, and sku:00123 for 123, without
# an error; in quotes they stay texts, which a number is never equal to. And tag:-sale finds a row without a tag when it filters JSON, but not as
# SQL, where it is tag != 'sale'. One would guess a number and one answer. A front end that filters by price gets more products than asked for.
# Version: @tryghost/nql 0.13.4, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tryghost/nql@0.13.4 knex@3.1.0
cat > run.cjs <<'JS'
const { default: knex } = require("knex");
const nql = require("@tryghost/nql").default ?? require("@tryghost/nql");

const sql = (filter) => nql(filter).querySQL(knex({ client: "sqlite3", useNullAsDefault: true })("p")).toString().replace(/.* where /, "").replaceAll("`", "");
for (const filter of ["price:>=19.90", "version:1.10", "sku:00123", "sku:'00123'", "tag:-sale"]) console.log(`${filter} -> ${sql(filter)}`);
console.log(`19.50 by price:>=19.90: ${nql("price:>=19.90").queryJSON({ price: 19.5 })}`);
console.log(`no tag by tag:-sale: ${nql("tag:-sale").queryJSON({ tag: null })}`);
JS
seen=$(node run.cjs)
echo "@tryghost/nql@0.13.4"
echo "seen: $seen"
[ "$seen" = "price:>=19.90 -> p.price >= 19
version:1.10 -> p.version = 1
sku:00123 -> p.sku = 123
sku:'00123' -> p.sku = '00123'
tag:-sale -> p.tag != 'sale'
19.50 by price:>=19.90: true
no tag by tag:-sale: true" ]
