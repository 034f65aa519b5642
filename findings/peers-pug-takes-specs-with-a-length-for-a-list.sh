#!/usr/bin/env bash
# Pug's "each value, name in specs" writes the specs of a table, { length: 3, width: 80, colour: "oak" }, as three rows 0, 1 and 2 without a value, and { length: 0, … } as "else": an object with a number
# called length counts as a list. With "3 m" as a text, or without a length, all is well. Underscore's each, in its templates, does the same; Squirrelly, art-template and Vento write the three specs. One would guess that
# each looks whether it is a list, as Array.isArray does.
# A shop with one cable among its products writes a page of wrong rows for it, without an error, and a page that is longer the longer the cable is.
# What to do: each pair in Object.entries(specs).
# Versions: pug 3.0.4, underscore 1.13.8, squirrelly 9.1.1, art-template 4.13.4, ventojs 2.4.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund pug@3.0.4 underscore@1.13.8 squirrelly@9.1.1 art-template@4.13.4 ventojs@2.4.0
cat > run.js <<'JS'
import art from "art-template";
import pug from "pug";
import * as squirrelly from "squirrelly";
import underscore from "underscore";
import vento from "ventojs";

const table = { length: 3, width: 80, colour: "oak" };
const row = "each value, name in specs\n  | #{name}=#{value}, \nelse\n  | none";
console.log(`pug         ${pug.render(row, { specs: table })}`);
console.log(`length 0    ${pug.render(row, { specs: { ...table, length: 0 } })}`);
console.log(`length 3 m  ${pug.render(row, { specs: { ...table, length: "3 m" } })}`);
const each = underscore.template("<% _.each(specs, (value, name) => { %><%- name %>=<%- value %>, <% }) %>");
console.log(`underscore  ${each({ specs: table, _: underscore })}`);
console.log(`squirrelly  ${squirrelly.render("{{@foreach(it.specs) => name, value}}{{name}}={{value}}, {{/foreach}}", { specs: table })}`);
console.log(`art         ${art.render("{{each specs}}{{$index}}={{$value}}, {{/each}}", { specs: table })}`);
console.log(`vento       ${(await vento().runString("{{ for name, value of specs }}{{ name }}={{ value }}, {{ /for }}", { specs: table })).content}`);
JS
seen=$(node run.js | sed 's/[ ,]*$//')
echo "pug 3.0.4, underscore 1.13.8, squirrelly 9.1.1, art-template 4.13.4, ventojs 2.4.0"
echo "seen: $seen"
[ "$seen" = 'pug         0=, 1=, 2=
length 0    none
length 3 m  length=3 m, width=80, colour=oak
underscore  0=, 1=, 2=
squirrelly  length=3, width=80, colour=oak
art         length=3, width=80, colour=oak
vento       length=3, width=80, colour=oak' ]
