#!/usr/bin/env bash
# doT's {{! }}, the form that escapes a value for HTML, writes nothing for the price 0 and for false; {{= }} of the same values writes 0 and false. One would guess that escaping changes &, < and quotes: mustache, handlebars, ejs and eta, whose usual forms
# escape, all write 0. The function of doT that escapes begins with "code ? … : ''". Vento does the same with
# its filter escape and, for all values, with autoescape: it writes 0 and false as long as nothing is escaped.
# Pages made of a catalog show "EUR " for the free product and no stock where it is 0, once somebody puts the safe form in. {{!String(it.price)}}.
# Version: doT 1.1.3, mustache 4.2.0, handlebars 4.7.8, ejs 3.1.10, seen on Node 20; ventojs 2.4.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund dot@1.1.3 mustache@4.2.0 handlebars@4.7.8 ejs@3.1.10 ventojs@2.4.0
cat > run.js <<'JS'
const product = { price: 0, stock: 0, featured: false, title: "5\" & more" };
console.log("doT =", require("dot").template("{{=it.price}}|{{=it.stock}}|{{=it.featured}}|{{=it.title}}")(product));
console.log("doT !", require("dot").template("{{!it.price}}|{{!it.stock}}|{{!it.featured}}|{{!it.title}}")(product));
const double = "{{price}}|{{stock}}|{{featured}}|{{title}}";
console.log("mustache", require("mustache").render(double, product));
console.log("handlebars", require("handlebars").compile(double)(product));
console.log("ejs", require("ejs").render("<%= price %>|<%= stock %>|<%= featured %>|<%= title %>", product));
import("ventojs").then(async ({ default: vento }) => {
  const text = "{{ price }}|{{ stock }}|{{ featured }}|{{ title }}";
  for (const autoescape of [false, true]) console.log("vento", autoescape ? "escaping" : "plain", (await vento({ autoescape }).runString(text, product)).content);
});
JS
seen=$(node run.js)
echo "dot 1.1.3, ventojs 2.4.0"
echo "seen: $seen"
[ "$seen" = 'doT = 0|0|false|5" & more
doT ! |||5&#34; &#38; more
mustache 0|0|false|5&quot; &amp; more
handlebars 0|0|false|5&quot; &amp; more
ejs 0|0|false|5&#34; &amp; more
vento plain 0|0|false|5" & more
vento escaping |||5&quot; &amp; more' ]
