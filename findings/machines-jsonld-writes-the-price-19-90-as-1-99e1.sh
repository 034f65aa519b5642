#!/usr/bin/env bash
# jsonld turns a price that is a JSON number into the RDF text "1.99E1" of type xsd:double, and a whole one, 20.00, into "20" of type xsd:integer: the
# prices of one shop have two types and two spellings. One would guess "19.9" and a decimal. A knowledge graph or SPARQL filter over the JSON-LD of a
# catalog compares texts or misses one of the types; prices belong in it as text.
# Version: jsonld 9.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund jsonld@9.0.0
cat > run.js <<'JS'
import jsonld from "jsonld";

for (const price of ["19.90", "20.00", '"19.90"']) {
  const text = `{"@context": {"@vocab": "https://schema.org/"}, "@id": "https://shop.example/1#offer", "price": ${price}}`;
  const triples = await jsonld.toRDF(JSON.parse(text), { format: "application/n-quads" });
  console.log(`${price} -> ${/"\S*/.exec(triples)[0].replace("^^<http://www.w3.org/2001/XMLSchema#", " ").replace(">", "")}`);
}
JS
seen=$(node run.js)
echo "jsonld@9.0.0"
echo "seen: $seen"
[ "$seen" = '19.90 -> "1.99E1" double
20.00 -> "20" integer
"19.90" -> "19.90"' ]
