#!/usr/bin/env bash
# PyMongo's bson, which reads what MongoDB holds, makes a DBRef, a reference to another collection, of each {"$ref": "#/components/schemas/Product"} in an OpenAPI document or JSON Schema, though a DBRef must have an $id, too; json.dumps then
# raises an error for it. The bson of Node gives the same bytes back as the object that was stored. One would guess that of Python as well: a reference has $ref and $id in MongoDB's own specification.
# A shop that keeps the documents of the APIs it reads, or the schemas of its products, in MongoDB can read them in one language and not in the other, and a change of a description in between is written back as a DBRef.
# Store such documents as texts.
# Version: PyMongo's bson 3.11.0 (Debian's package python3-bson), bson 7.3.4 on Node 24.
set -euo pipefail
/usr/bin/python3 -c 'import bson.dbref' 2> /dev/null || { echo "needs Debian's package python3-bson"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund bson@7.3.4
cat > write.cjs <<'JS'
const { serialize } = require("bson");
const schema = { $ref: "#/components/schemas/Product", description: "One product" };
require("node:fs").writeFileSync("answer.bson", serialize({ status: 200, schema }));
JS
cat > read.cjs <<'JS'
const { deserialize } = require("bson");
console.log(`bson ${JSON.stringify(deserialize(require("node:fs").readFileSync("answer.bson")))}`);
JS
cat > read.py <<'PY'
import json
import bson

answer = bson.BSON(open("answer.bson", "rb").read()).decode()
print("PyMongo", answer)
try:
    print(json.dumps(answer))
except TypeError as error:
    print(error)
PY
seen=$(node write.cjs; node read.cjs; /usr/bin/python3 read.py)
echo "bson@7.3.4, $(dpkg-query -W -f '${Package} ${Version}' python3-bson)"
echo "seen: $seen"
[ "$seen" = 'bson {"status":200,"schema":{"$ref":"#/components/schemas/Product","description":"One product"}}
PyMongo {'"'status': 200, 'schema': DBRef('#/components/schemas/Product', None, description='One product')"'}
Object of type DBRef is not JSON serializable' ]
