#!/usr/bin/env bash
# csso keeps a declaration for older browsers before overflow: clip, 100dvh and light-dark(), so one would guess that it does before every newer value; before subgrid and width: stretch it removes it.
# A shop's list of products whose columns come from the API's cards is then one column in browsers without subgrid, although its author wrote columns for them.
# Version: csso 5.0.5, seen on Node 20.20 and 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund csso@5.0.5
cat > run.js <<'JS'
import { minify } from "csso";

const rules = [
  "overflow:hidden;overflow:clip",
  "height:100vh;height:100dvh",
  "color:red;color:light-dark(red,navy)",
  "grid-template-columns:1fr 1fr;grid-template-columns:subgrid",
  "width:100%;width:stretch",
];
for (const rule of rules) {
  const { css } = minify(`.card{${rule}}`);
  console.log(css === `.card{${rule}}` ? "both stay:" : "one is left:", css);
}
JS
seen=$(node run.js)
echo "csso $(node -p 'require("./node_modules/csso/package.json").version')"
echo "seen: $seen"
[ "$(cut -d: -f1 <<< "$seen" | tr '\n' ,)" = 'both stay,both stay,both stay,one is left,one is left,' ]
grep -q 'one is left: .card{grid-template-columns:subgrid}' <<< "$seen"
