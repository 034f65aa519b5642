#!/usr/bin/env bash
# The Deserializer of jsonapi-serializer renames the keys inside an attribute's value: of a product's specs {"USB-C": …, "RAM": …, "max_load": …} it makes usb-c, ram and
# max-load, and of "max_load" and "max-load" in one value only the later is left. Its Serializer sends them as they are, so a value does not survive the way there and back. One
# would guess that the setting is about attributes' names, as at the Serializer.
# Specs, sizes and translations of a catalog are data with keys that a shop has chosen.
# Version: jsonapi-serializer 3.6.9.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund jsonapi-serializer@3.6.9
cat > run.js <<'JS'
import jsonapi from "jsonapi-serializer";

const specs = { "USB-C": 1, RAM: 2, max_load: 3, "max-load": 4 };
const sent = new jsonapi.Serializer("products", { attributes: ["specs"] }).serialize({ id: "5", specs });
console.log(JSON.stringify(sent.data.attributes.specs));
console.log(JSON.stringify((await new jsonapi.Deserializer().deserialize(sent)).specs));
JS
seen=$(node run.js)
echo "jsonapi-serializer $(node -p 'require("./node_modules/jsonapi-serializer/package.json").version')"
echo "seen: $seen"
[ "$seen" = '{"USB-C":1,"RAM":2,"max_load":3,"max-load":4}
{"usb-c":1,"ram":2,"max-load":4}' ]
