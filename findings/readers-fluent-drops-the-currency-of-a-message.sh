#!/usr/bin/env bash
# Fluent's NUMBER($price, style: "currency", currency: "EUR") in a message gives "19.9" for the number 19.9, without an error: a message may not set style and currency, only the program that passes a FluentNumber may.
# One would guess "€19.90", as the function takes the options of Intl.NumberFormat, or an error in the list that formatPattern fills. minimumFractionDigits beside them works.
# And the count "1" as a text, as many APIs give a decimal, is "1 items": a text is never a plural category, where MessageFormat reads "1" as one.
# A translated price loses its currency, and nothing is reported. Pass new FluentNumber(19.9, { style: "currency", currency: "EUR" }).
# Version: @fluent/bundle 0.19.1, beside intl-messageformat 11.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @fluent/bundle@0.19.1 intl-messageformat@11.1.0
cat > run.js <<'JS'
import { FluentBundle, FluentNumber, FluentResource } from "@fluent/bundle";
import { IntlMessageFormat } from "intl-messageformat";

const messages = `
price = { NUMBER($price, style: "currency", currency: "EUR") }
digits = { NUMBER($price, currency: "EUR", minimumFractionDigits: 2) }
plain = { $price }
items = { $count ->
    [one] one item
   *[other] { $count } items
 }
`;
const bundle = new FluentBundle("en", { useIsolating: false });
bundle.addResource(new FluentResource(messages));
function show(name, values) {
  const errors = [];
  return `${name}: ${bundle.formatPattern(bundle.getMessage(name).value, values, errors)}, errors ${errors.length}`;
}
console.log(show("price", { price: 19.9 }));
console.log(show("digits", { price: 19.9 }));
console.log(show("plain", { price: new FluentNumber(19.9, { style: "currency", currency: "EUR" }) }));
console.log(show("items", { count: "1" }));
console.log(`MessageFormat: ${new IntlMessageFormat("{count, plural, one {one item} other {# items}}", "en").format({ count: "1" })}`);
JS
seen=$(node run.js | paste -sd';')
echo "@fluent/bundle@0.19.1"
echo "seen: $seen"
[ "$seen" = 'price: 19.9, errors 0;digits: 19.90, errors 0;plain: €19.90, errors 0;items: 1 items, errors 0;MessageFormat: one item' ]
