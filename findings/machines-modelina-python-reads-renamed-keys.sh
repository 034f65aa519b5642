#!/usr/bin/env bash
# Modelina's Python classes, made of a JSON Schema, look in the JSON for the names that Python's attributes got: a product's "class" and "usb-c" are looked for as "reserved_class" and "usb_c", and are missing without an error.
# A size of "S" or null becomes an enum with the text "null", so that null itself is a ValueError. One would guess that an attribute is renamed, as a reserved word must be, and the key that it is read from is not.
# A client of a catalog API made so has no "class" and no "usb-c" of any product, and cannot read the one without a size.
# Version: @asyncapi/modelina 5.10.1, seen on Node 20 and Python 3.11.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @asyncapi/modelina@5.10.1
cat > run.mjs <<'JS'
import { PythonGenerator } from "@asyncapi/modelina";

const text = { type: "string" };
const models = await new PythonGenerator().generate({
  $id: "Product",
  type: "object",
  required: ["title"],
  additionalProperties: false,
  properties: { title: text, class: text, "usb-c": text, usb: text, size: { enum: ["S", null] } },
});
const code = models.map((model) => model.result).reverse().join("\n");
console.log(`from enum import Enum\nfrom typing import *\n${code}`);
JS
node run.mjs > product.py
cat >> product.py <<'PY'

product = Product({"title": "Cable", "class": "A", "usb-c": "yes", "usb": "3"})
print(sorted(vars(product)), end=" ")
try:
    print(Product({"title": "Cable", "size": None}).size)
except ValueError as error:
    print(error)
PY
seen=$(python3 product.py)
echo "@asyncapi/modelina@5.10.1, $(python3 --version)"
echo "seen: $seen"
[ "$seen" = "['_title', '_usb'] None is not a valid Size" ]
