#!/usr/bin/env bash
# {{#price}}EUR {{price}}{{/price}}{{^price}}ask us{{/price}} is one Mustache template. For the price 0 Ruby's mustache writes "EUR 0", Handlebars too (with compat: true, its option for Mustache's templates), while
# mustache.js, Hogan and Python's pystache write "ask us"; for a subtitle "" the first two write empty brackets. The specification leaves to the language what is false, and in Ruby 0 and "" are true. In Handlebars only
# false, null and undefined are false for a section, though its {{#if price}} is false for 0. A price that is null is the same in all. One would guess that one template gives one page in every language.
# The site is rendered by one, the mail or the widget by another: the free product is free in one of them and "ask us" in the other.
# What to do: give the template a field that is true or false, such as has_price.
# Versions: mustache 4.2.0, hogan.js 3.0.2, handlebars 4.7.10, seen on Node 24; Debian's packages ruby-mustache and python3-pystache.
set -euo pipefail
ruby -rmustache -e 1 2> /dev/null && /usr/bin/python3 -c 'import pystache' 2> /dev/null || { echo "needs Debian's packages ruby-mustache and python3-pystache"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund mustache@4.2.0 hogan.js@3.0.2 handlebars@4.7.10
cat > template.mustache <<'TEMPLATE'
{{#products}}{{#price}}EUR {{price}}{{/price}}{{^price}}ask us{{/price}}{{#subtitle}} ({{subtitle}}){{/subtitle}}; {{/products}}
TEMPLATE
echo '{ "products": [{ "price": 5, "subtitle": "new" }, { "price": 0, "subtitle": "" }, { "price": null, "subtitle": null }] }' > data.json
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import Hogan from "hogan.js";
import Mustache from "mustache";

const [template, data] = [readFileSync("template.mustache", "utf8"), JSON.parse(readFileSync("data.json", "utf8"))];
console.log(`mustache.js ${Mustache.render(template, data)}hogan ${Hogan.compile(template).render(data)}handlebars ${Handlebars.compile(template, { compat: true })(data)}`.trim());
JS
seen="$(node run.js)
ruby $(ruby -rmustache -rjson -e 'print Mustache.render(File.read("template.mustache"), JSON.parse(File.read("data.json")))')
pystache $(/usr/bin/python3 -c 'import json, pystache; print(pystache.render(open("template.mustache").read(), json.load(open("data.json"))), end="")')"
seen=$(sed 's/ *$//' <<< "$seen")
echo "mustache 4.2.0, hogan.js 3.0.2, handlebars 4.7.10, ruby-mustache $(dpkg-query -W -f '${Version}' ruby-mustache), python3-pystache $(dpkg-query -W -f '${Version}' python3-pystache)"
echo "seen: $seen"
[ "$seen" = 'mustache.js EUR 5 (new); ask us; ask us;
hogan EUR 5 (new); ask us; ask us;
handlebars EUR 5 (new); EUR 0 (); ask us;
ruby EUR 5 (new); EUR 0 (); ask us;
pystache EUR 5 (new); ask us; ask us;' ]
