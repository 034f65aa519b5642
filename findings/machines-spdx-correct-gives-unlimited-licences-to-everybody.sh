#!/usr/bin/env bash
# spdx-correct, which guesses the SPDX name that somebody meant, reads "Unlimited license" and npm's own word for "nobody may use it", UNLICENSED, as the Unlicense: public domain.
# "Commercial, not MIT" is MIT, "Envato Split License" is SPL-1.0, "Eclipse plugin license" is EPL-1.0. One would guess null, which "Regular License", "Proprietary" and
# "Commercial" do give.
# A shop sells licences with such names: a catalog that corrects them before it puts them into JSON-LD or a software list gives the product away.
# Version: spdx-correct 3.2.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund spdx-correct@3.2.0
cat > run.js <<'JS'
import correct from "spdx-correct";

for (const name of ["Unlimited license", "UNLICENSED", "Commercial, not MIT", "Envato Split License", "Eclipse plugin license", "Regular License", "Proprietary"])
  console.log(`${name}: ${correct(name)}`);
JS
seen=$(node run.js)
echo "spdx-correct $(node -p 'require("./node_modules/spdx-correct/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'Unlimited license: Unlicense
UNLICENSED: Unlicense
Commercial, not MIT: MIT
Envato Split License: SPL-1.0
Eclipse plugin license: EPL-1.0
Regular License: null
Proprietary: null' ]
