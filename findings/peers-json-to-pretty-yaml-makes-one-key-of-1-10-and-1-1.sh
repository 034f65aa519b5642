#!/usr/bin/env bash
# json-to-pretty-yaml puts every text value into quotes, and no key: {"1.10": …, "1.1": …} becomes one key for PyYAML and an error for js-yaml, {"#1 seller": true} a comment, and a JSON-LD document, whose keys are @type and @context, is not YAML at all.
# One would guess that a program that quotes "mug" quotes what needs it more. (js-yaml's dump and yaml do.)
# A catalog's objects have data in their keys: versions, sizes, order numbers, names of attributes. The product with version 1.10 loses 1.10 or 1.1, in silence where the reader takes duplicate keys.
# Version: json-to-pretty-yaml 1.2.2, js-yaml 5.5.0, PyYAML 6.0 (Debian's package python3-yaml), seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-to-pretty-yaml@1.2.2 js-yaml@5.5.0
cat > run.js <<'JS'
import pretty from "json-to-pretty-yaml";
import { load } from "js-yaml";

const attempt = (read, text) => { try { return JSON.stringify(read(text)); } catch (error) { return error.message.split("\n")[0]; } };
for (const document of [{ "1.10": "May", "1.1": "April" }, { "#1 seller": true, price: "19.90" }, { "@type": "Product" }]) console.log(attempt(load, pretty.stringify(document)));
JS
cat > run.py <<'PY'
import sys, yaml
print(yaml.safe_load(sys.stdin))
PY
echo 'console.log(require("json-to-pretty-yaml").stringify({ "1.10": "May", "1.1": "April" }))' > yaml.cjs
seen="$(node run.js) $(node yaml.cjs | /usr/bin/python3 run.py)"
echo "json-to-pretty-yaml 1.2.2, PyYAML $(/usr/bin/python3 -c 'import yaml; print(yaml.__version__)')"
echo "seen: $seen"
[ "$seen" = 'duplicated mapping key (2:1)
{"price":"19.90"}
end of the stream or a document separator is expected (1:1) {1.1: '"'April'"'}' ]
