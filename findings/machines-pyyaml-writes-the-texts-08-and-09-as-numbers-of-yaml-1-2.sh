#!/usr/bin/env bash
# PyYAML puts the texts "01" to "07" in quotes, because YAML 1.1 reads octal numbers there, and leaves "08", "09" and "12e3" plain, which are no numbers for it. js-yaml, yaml and ruamel.yaml, which follow YAML 1.2, read 8, 9 and 12000.
# One would guess that a list of codes from 01 to 12 is texts for everybody or numbers for everybody, and that a text in YAML stays one: of these twelve months, sizes or article numbers two change their type.
# A filter or a key "08" finds nothing, JSON has a list of texts and numbers, and a schema refuses two of twelve products. Write with default_style='"', or JSON.
# Version: PyYAML 6.0 and ruamel.yaml 0.17.21 (Debian's packages python3-yaml and python3-ruamel.yaml), js-yaml 5.5.0, yaml 2.9.1, seen on Node 24.
set -euo pipefail
/usr/bin/python3 -c 'import ruamel.yaml, yaml' 2> /dev/null || { echo "needs Debian's packages python3-yaml and python3-ruamel.yaml"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund js-yaml@5.5.0 yaml@2.9.1
cat > write.py <<'PY'
import json
import ruamel.yaml
import yaml

codes = ["06", "07", "08", "09", "10", "12e3"]
with open("codes.yaml", "w") as file:
    yaml.safe_dump(codes, file, default_flow_style=True)
print("written", open("codes.yaml").read().strip())
print("PyYAML", json.dumps(yaml.safe_load(open("codes.yaml"))))
print("ruamel.yaml", json.dumps(ruamel.yaml.YAML(typ="safe").load(open("codes.yaml"))))
PY
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { parse } from "yaml";

const text = readFileSync("codes.yaml", "utf8");
console.log(`js-yaml ${JSON.stringify(load(text))}\nyaml ${JSON.stringify(parse(text))}`);
JS
seen=$(/usr/bin/python3 write.py; node read.mjs)
echo "$(dpkg-query -W -f '${Package} ${Version}, ' python3-yaml python3-ruamel.yaml)js-yaml@5.5.0, yaml@2.9.1"
echo "seen: $seen"
[ "$seen" = "written ['06', '07', 08, 09, '10', 12e3]
PyYAML [\"06\", \"07\", \"08\", \"09\", \"10\", \"12e3\"]
ruamel.yaml [\"06\", \"07\", 8, 9, \"10\", 12000.0]
js-yaml [\"06\",\"07\",8,9,\"10\",12000]
yaml [\"06\",\"07\",8,9,\"10\",12000]" ]
