#!/usr/bin/env bash
# contains("tags", ["mugs, blue", "sale"]) of postgrest-js, Supabase's client, asks for three tags: it joins the list with commas and quotes nothing, though in("title", ["mugs, blue"]) quotes. And gt("changed", date) sends the
# English text of a Date in the machine's zone. One would guess that both filters quote alike, and an ISO date, as in the JSON of the same client.
# A filter of a shop's page finds nothing for tags with a comma, and a sync by time asks for a text that only some databases read.
# Version: @supabase/postgrest-js 2.119.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @supabase/postgrest-js@2.119.1 node@24.21.0
cat > run.js <<'JS'
import { PostgrestClient } from "@supabase/postgrest-js";

const fetch = async (url) => {
  console.log(decodeURIComponent(new URL(url).search.replaceAll("+", " ")));
  return new Response("[]", { headers: { "content-type": "application/json" } });
};
const products = () => new PostgrestClient("https://shop.example", { fetch }).from("products").select("id");
await products().contains("tags", ["mugs, blue", "sale"]);
await products().in("title", ["mugs, blue", "sale"]);
await products().gt("changed", new Date("2026-11-28T10:00:00Z"));
JS
seen=$(TZ=Europe/Berlin LC_ALL=C node_modules/.bin/node run.js)
echo "@supabase/postgrest-js $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@supabase/postgrest-js/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '?select=id&tags=cs.{mugs, blue,sale}
?select=id&title=in.("mugs, blue",sale)
?select=id&changed=gt.Sat Nov 28 2026 11:00:00 GMT+0100 (Central European Standard Time)' ]
