#!/usr/bin/env bash
# fromJSON of Arquero makes a Date of each JSON text that looks like an ISO date, one by one: the title "2026-11" is midnight UTC of the first of November, "2026-13" beside it stays a text, and a list of records, [{…}, {…}], is a table without
# rows, without an error. One would guess that JSON says what is a text, or that a column is one type, and that the usual form of a list is read or refused.
# Issues of a month, model numbers and sizes of a catalog become days, in one column with texts: sorting and joining by them go wrong. autoType: false leaves them.
# Version: arquero 7.2.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund arquero@7.2.1
cat > run.js <<'JS'
import { fromJSON } from "arquero";

const titles = fromJSON('{"title":["2026-11","2026-13","Mug"]}').array("title");
const records = fromJSON('[{"title":"Mug"},{"title":"Cup"}]');
console.log(titles.map((title) => (title instanceof Date ? title.toISOString() : title)).join(" "), records.objects().length);
JS
seen=$(node run.js)
echo "arquero@7.2.1"
echo "seen: $seen"
[ "$seen" = '2026-11-01T00:00:00.000Z 2026-13 Mug 0' ]
