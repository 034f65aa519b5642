#!/usr/bin/env bash
# json-source-map's stringify, which writes JSON and says at which line each field stands, writes {,"title":"Mug"} of { sale: undefined, title: "Mug" }; if the undefined field is behind another, it is left out without a comma. One would guess
# {"title":"Mug"} for both, as JSON.stringify has it, whose three parameters it takes. NaN and Infinity are written as such, not as null, and a vertical tab of a text as it is.
# A checker that points at the wrong line of a catalog's record works with it until the first record whose optional first field is undefined, or whose average rating is 0 / 0: then its own JSON is read by nobody.
# Version: json-source-map 0.6.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund json-source-map@0.6.1
cat > run.js <<'JS'
const { stringify } = require("json-source-map");

const isRead = (json) => {
  try {
    return typeof JSON.parse(json);
  } catch (error) {
    return error.name;
  }
};
for (const record of [
  { title: "Mug", sale: undefined },
  { sale: undefined, title: "Mug" },
  { title: "Mug", rating: { average: 0 / 0 } },
  { note: "Mug\vblue" },
]) {
  const { json } = stringify(record);
  console.log(JSON.stringify(record), json.replace("\v", "<VT>"), isRead(json));
}
JS
seen=$(node run.js)
echo "json-source-map@$(node -p 'JSON.parse(fs.readFileSync("node_modules/json-source-map/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{"title":"Mug"} {"title":"Mug"} object
{"title":"Mug"} {,"title":"Mug"} SyntaxError
{"title":"Mug","rating":{"average":null}} {"title":"Mug","rating":{"average":NaN}} SyntaxError
{"note":"Mug\u000bblue"} {"note":"Mug<VT>blue"} SyntaxError' ]
