#!/usr/bin/env bash
# A filter on a string in Orama, where: { brand: "Acme Tools" }, is a search for its words: it lets products of the brand Acme, and of the brand Tools, through, and { brand: "Acme" } those of Acme Tools. One would guess
# that "where" compares, as it does with numbers, and that only "term" searches. The type "enum" compares; "string" is what the examples declare.
# The page of one brand shows the products of others, and its count counts them.
# Version: @orama/orama 3.1.18.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @orama/orama@3.1.18
cat > run.js <<'JS'
import { create, insertMultiple, search } from "@orama/orama";

const brands = ["Acme", "Acme Tools", "Tools", "Other"];
async function found(type, where) {
  const db = await create({ schema: { title: "string", brand: type } });
  await insertMultiple(db, brands.map((brand) => ({ title: "Mug", brand })));
  const { hits } = await search(db, { term: "mug", where });
  return hits.map(({ document }) => document.brand).join(" + ");
}
console.log(`"Acme Tools": ${await found("string", { brand: "Acme Tools" })}`);
console.log(`"Acme": ${await found("string", { brand: "Acme" })}`);
console.log(`an enum: ${await found("enum", { brand: { eq: "Acme Tools" } })}`);
JS
seen=$(node run.js | paste -sd';')
echo "@orama/orama@3.1.18"
echo "seen: $seen"
[ "$seen" = '"Acme Tools": Acme + Acme Tools + Tools;"Acme": Acme + Acme Tools;an enum: Acme Tools' ]
