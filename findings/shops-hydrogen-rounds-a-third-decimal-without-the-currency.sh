#!/usr/bin/env bash
# useMoney of Shopify's Hydrogen React shows 19.999 Kuwaiti dinars as "KWD 19.999" and, in withoutTrailingZerosAndCurrency of the same object, as "20.00". One would guess that
# leaving the currency out changes no digit. A currency brings its own number of decimals, and this form is made without it, with two.
# A shop that sets its own symbol beside the number shows another price than the one that is paid, in Kuwait, Bahrain, Jordan, Oman and Tunisia.
# Version: @shopify/hydrogen-react 2026.4.4 with react 19.3.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @shopify/hydrogen-react@2026.4.4 react@19.3.1 react-dom@19.3.1
cat > run.js <<'JS'
import { ShopifyProvider, useMoney } from "@shopify/hydrogen-react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

function Price({ amount, currencyCode }) {
  const money = useMoney({ amount, currencyCode });
  return `${money.localizedString.replace("\u00a0", " ")} or ${money.withoutTrailingZerosAndCurrency}; `;
}
const shop = { storeDomain: "https://shop.example", storefrontToken: "t", storefrontApiVersion: "2026-04", countryIsoCode: "US", languageIsoCode: "EN" };
const prices = [["19.999", "KWD"], ["19.50", "USD"]];
console.log(renderToString(createElement(ShopifyProvider, shop, prices.map(([amount, currencyCode]) => createElement(Price, { key: amount, amount, currencyCode })))).replaceAll("<!-- -->", ""));
JS
seen=$(node run.js)
echo "@shopify/hydrogen-react $(node -p 'require("./node_modules/@shopify/hydrogen-react/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'KWD 19.999 or 20.00; $19.50 or 19.50; ' ]
