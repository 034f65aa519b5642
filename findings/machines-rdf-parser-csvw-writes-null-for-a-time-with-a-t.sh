#!/usr/bin/env bash
# rdf-parser-csvw makes the literal "null" of type xsd:dateTime of 2026-01-02T03:04:05, if the description of the table gives the format "yyyy-MM-ddTHH:mm:ss", which CSV on the Web says must be recognized: the format goes to
# Luxon as it is, to which T is a time of day. With a space instead of the T, or without a format, the time is right. One would guess that a format of the standard is understood, or that a time that was not understood is an error.
# And with decimalChar "," and groupChar "." the price 1.990,50 stays as it is, as an xsd:decimal, which it cannot be. All changes and prices of a described catalog are lost to who asks for them by time or amount.
# Leave the format out where times are ISO 8601, and write prices with a point.
# Version: rdf-parser-csvw 1.1.0 with rdf-ext 2.6.0 and n3 2.13.12, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund rdf-parser-csvw@1.1.0 rdf-ext@2.6.0 n3@2.13.12
cat > run.mjs <<'JS'
import { Readable } from "node:stream";
import { Parser } from "n3";
import rdf from "rdf-ext";
import CsvwParser from "rdf-parser-csvw";

async function read(datatype, value) {
  const description = `@prefix csvw: <http://www.w3.org/ns/csvw#>.
    [] csvw:url <products.csv>; csvw:tableSchema [ csvw:aboutUrl "https://shop.example/{id}"; csvw:column (
      [ csvw:title "id"; csvw:suppressOutput true ]
      [ csvw:title "value"; csvw:propertyUrl "https://schema.org/value"; csvw:datatype [ ${datatype} ] ]) ].`;
  const metadata = rdf.dataset(new Parser({ baseIRI: "https://shop.example/" }).parse(description));
  const parser = new CsvwParser({ metadata, baseIRI: "https://shop.example/products.csv", factory: rdf, timezone: "UTC" });
  for await (const { predicate, object } of parser.import(Readable.from([`id,value\n1,"${value}"\n`]))) {
    if (predicate.value === "https://schema.org/value") return `${object.value} (${object.datatype.value.split("#")[1]})`;
  }
}

const time = 'csvw:base "dateTime"';
console.log(`no format: ${await read(time, "2026-01-02T03:04:05")}`);
console.log(`with a space: ${await read(`${time}; csvw:format "yyyy-MM-dd HH:mm:ss"`, "2026-01-02 03:04:05")}`);
console.log(`with a T: ${await read(`${time}; csvw:format "yyyy-MM-ddTHH:mm:ss"`, "2026-01-02T03:04:05")}`);
console.log(`price: ${await read('csvw:base "decimal"; csvw:format [ csvw:decimalChar ","; csvw:groupChar "." ]', "1.990,50")}`);
JS
seen=$(node run.mjs)
echo "rdf-parser-csvw@1.1.0, rdf-ext@2.6.0, n3@2.13.12"
echo "seen: $seen"
[ "$seen" = 'no format: 2026-01-02T03:04:05.000Z (dateTime)
with a space: 2026-01-02T03:04:05.000Z (dateTime)
with a T: null (dateTime)
price: 1.990,50 (decimal)' ]
