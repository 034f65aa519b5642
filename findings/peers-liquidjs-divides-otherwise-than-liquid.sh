#!/usr/bin/env bash
# LiquidJS and Ruby's Liquid give one template two answers: "1999 | divided_by: 100" is 19.99 in LiquidJS and 19 in Ruby, "uniq" ignores its argument in
# LiquidJS, so every product stays where Ruby keeps one of each brand, and a date in UTC is printed in the machine's zone by LiquidJS only. One would
# guess the same, as its documentation says "compatible". A theme that moves from Jekyll to Eleventy shows other prices, lists and days.
# Version: liquidjs 10.30.1 on Node 24; Debian's ruby-liquid 5.4.0.
set -euo pipefail
ruby -e 'require "liquid"' 2> /dev/null || { echo "Liquid is missing: apt-get install ruby-liquid"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund liquidjs@10.30.1
cat > data.json <<'JSON'
{ "minor": 1999, "since": "2026-11-28T23:30:00Z", "products": [{ "id": 1, "brand": "Ox" }, { "id": 2, "brand": "Ox" }] }
JSON
cat > template.liquid <<'LIQUID'
{{ minor | divided_by: 100 }} {{ since | date: "%d.%m." }} {{ products | uniq: "brand" | map: "id" | join: "+" }}
LIQUID
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import { Liquid } from "liquidjs";

const data = JSON.parse(readFileSync("data.json", "utf8"));
process.stdout.write(`LiquidJS: ${await new Liquid().parseAndRender(readFileSync("template.liquid", "utf8"), data)}`);
JS
cat > run.rb <<'RUBY'
require "json"
require "liquid"

data = JSON.parse(File.read("data.json"))
puts "Ruby: #{Liquid::Template.parse(File.read("template.liquid")).render(data)}"
RUBY
export TZ=Europe/Berlin
seen=$(node run.js; ruby run.rb)
echo "liquidjs@10.30.1 ruby-liquid $(ruby -e 'require "liquid"; print Liquid::VERSION')"
echo "seen: $seen"
[ "$seen" = 'LiquidJS: 19.99 29.11. 1+2
Ruby: 19 28.11. 1' ]
