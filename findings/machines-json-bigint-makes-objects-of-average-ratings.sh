#!/usr/bin/env bash
# json-bigint, which is there for whole numbers beyond 2^53, makes a BigNumber object of each number that is written with more than 15 characters, decimals too: 4.3333333333333333 and 19.9000000000000000, as PostgreSQL's AVG writes them in
# JSON, are objects, so rating + 1 is the text "4.33333333333333331" and typeof is "object", while 4.5 beside it is a number. With useNativeBigInt the whole document is refused. One would guess that only whole numbers are concerned.
# A catalog reader that took the package for its long ids has ratings of two types, depending on whether three people rated or two, and one that wants bigint reads no such page at all.
# Version: json-bigint 1.0.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-bigint@1.0.0
cat > run.mjs <<'JS'
import JsonBigint from "json-bigint";

const text = '{"id":12345678901234567,"rating":4.3333333333333333,"price":19.9000000000000000,"other":4.5}';
const read = JsonBigint.parse(text);
console.log(Object.entries(read).map(([name, value]) => `${name} ${typeof value}`).join(", "), read.rating + 1);
try {
  console.log(typeof JsonBigint({ useNativeBigInt: true }).parse(text).id);
} catch (error) {
  console.log(error.message);
}
JS
seen=$(node run.mjs)
echo "json-bigint@1.0.0"
echo "seen: $seen"
[ "$seen" = "id object, rating object, price object, other number 4.33333333333333331
Cannot convert 4.3333333333333333 to a BigInt" ]
