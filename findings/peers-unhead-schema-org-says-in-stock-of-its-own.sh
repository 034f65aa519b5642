#!/usr/bin/env bash
# defineProduct() of @unhead/schema-org (Nuxt's SEO modules use it), given an offer with a price and nothing else, writes availability "https://schema.org/InStock" and a priceValidUntil of 30 December of next year; an offer whose
# price is null gets both as well. One would guess that it writes what it was given and leaves out the rest.
# A shop whose API gives no stock tells search engines that everything is in stock, at today's price until next year, and the page is another one after each New Year. Of two products of a page only the last is written.
# Version: @unhead/schema-org 3.1.3, unhead 3.4.3, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @unhead/schema-org@3.1.3 unhead@3.4.3
cat > run.mjs <<'JS'
import { defineProduct, UnheadSchemaOrg, useSchemaOrg } from "@unhead/schema-org";
import { createHead, renderSSRHead } from "unhead/server";

const write = async (...nodes) => {
  const head = createHead();
  useSchemaOrg(head, nodes);
  head.use(UnheadSchemaOrg({ host: "https://shop.example", path: "/mug" }));
  const { bodyTags, headTags } = await renderSSRHead(head);
  return JSON.parse(`${bodyTags}${headTags}`.match(/>(\{[^]*?\})<\/script>/)[1])["@graph"];
};
const nextYear = new Date().getUTCFullYear() + 1;
const [product] = await write(defineProduct({ name: "Mug", offers: [{ price: 19.9 }, { price: null }] }));
const offers = product.offers.map((offer) => `${offer.price} ${offer.availability} ${offer.priceValidUntil.startsWith(nextYear) ? "valid into next year" : "other"}`);
const two = await write(defineProduct({ name: "Mug" }), defineProduct({ name: "Cup" }));
console.log(`${offers.join(", ")}; products ${two.map((node) => node.name)}`);
JS
seen=$(node run.mjs)
echo "@unhead/schema-org@3.1.3 unhead@3.4.3"
echo "seen: $seen"
[ "$seen" = "19.9 https://schema.org/InStock valid into next year, undefined https://schema.org/InStock valid into next year; products Cup" ]
