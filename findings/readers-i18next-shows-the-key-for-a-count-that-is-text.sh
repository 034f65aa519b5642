#!/usr/bin/env bash
# i18next's t("reviews", { count: "5" }) gives the key, "reviews", where reviews_one and reviews_other are defined; with the number 5 it gives "5 reviews". intl-messageformat and messageformat write "5 reviews" and "1 review" for both, and one would guess that i18next does: it writes a text
# into any other place of a sentence, and its {{count, number}} formats one. A count that is a text skips the plural forms, without a message unless debug is on.
# Counts come as texts from an attribute (data-count), a query or a table of a catalog: a page says "reviews" beside each product, and where a translator left the old key, its singular for all.
# Version: i18next 26.7.2, intl-messageformat 12.1.5, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund i18next@26.7.2 intl-messageformat@12.1.5
cat > run.js <<'JS'
import i18next from "i18next";
import { IntlMessageFormat } from "intl-messageformat";

const translation = { reviews_one: "{{count}} review", reviews_other: "{{count}} reviews" };
await i18next.init({ lng: "en", resources: { en: { translation } } });
const message = new IntlMessageFormat("{count, plural, one {# review} other {# reviews}}", "en");
for (const count of [1, "1", 5, "5"]) console.log(typeof count, count, i18next.t("reviews", { count }), "|", message.format({ count }));
JS
seen=$(node run.js)
echo "i18next 26.7.2"
echo "seen: $seen"
[ "$seen" = 'number 1 1 review | 1 review
string 1 reviews | 1 review
number 5 5 reviews | 5 reviews
string 5 reviews | 5 reviews' ]
