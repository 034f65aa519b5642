#!/usr/bin/env bash
# @himenon/openapi-parameter-formatter, which writes the parameters of a request in the styles of OpenAPI, writes featured=false as "featured=" and min_price=0 as "min_price=", in every style; true and 1 are
# sent. One would guess "false" and "0": both are values, and OpenAPI's style "form" has no other spelling of them. Of 0 in a path it makes undefined.
# An API that takes an empty value for an absent one answers with the whole list where "not featured" was asked for; one that takes it for an error says 400 to a filter that its own document allows.
# Version: @himenon/openapi-parameter-formatter 2.1.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @himenon/openapi-parameter-formatter@2.1.0
cat > run.mjs <<'JS'
import formatter from "@himenon/openapi-parameter-formatter";

const { PathParameter, QueryParameter } = formatter;
const query = (value) => QueryParameter.generate("p", { value, style: "form", explode: true });
const path = (value) => PathParameter.generate("p", { value, style: "simple", explode: false });
console.log([true, false, 1, 0, "mug", [1, 0]].map(query).join(" "), "path:", [1, 0].map(path).map(String).join(" "));
JS
seen=$(node run.mjs)
echo "@himenon/openapi-parameter-formatter@2.1.0"
echo "seen: $seen"
[ "$seen" = "p=true p= p=1 p= p=mug p=1&p=0 path: 1 undefined" ]
