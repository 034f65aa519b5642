#!/usr/bin/env bash
# @iarna/toml writes the number 0.0000005 as "5e-7.undefined", a text that no TOML reader takes, itself included; 1.5e-7 and 0.000001 are as they should be. One would guess 5e-7, which TOML 1.0 allows and smol-toml writes.
# It splits the digits at their point, to group thousands, and a number in the exponent form with one digit has none.
# Catalogs of metered products have such prices, per token or request: stringify() raises nothing, and the site that reads the file as data or front matter does not build.
# Version: @iarna/toml 3.0.0, smol-toml 1.9.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @iarna/toml@3.0.0 smol-toml@1.9.1
cat > run.js <<'JS'
import iarna from "@iarna/toml";
import * as smol from "smol-toml";

for (const price of [0.0000005, 0.00000015, 0.000001]) {
  const text = iarna.stringify({ price });
  let read;
  try {
    read = iarna.parse(text).price;
  } catch (error) {
    read = error.name;
  }
  console.log(text.trim(), read, smol.stringify({ price }).trim());
}
JS
seen=$(node run.js)
echo "@iarna/toml 3.0.0"
echo "seen: $seen"
[ "$seen" = 'price = 5e-7.undefined TomlError price = 5e-7
price = 1.5e-7 1.5e-7 price = 1.5e-7
price = 0.000001 0.000001 price = 0.000001' ]
