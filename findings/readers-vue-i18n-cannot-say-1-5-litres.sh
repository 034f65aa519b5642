#!/usr/bin/env bash
# vue-i18n's t("litres", 1.5) with the three forms "empty | one litre | {n} litres" throws a SyntaxError ("Unexpected return type in composer", in production "24"), and the component is not shown; so it is with 0.5 and all other fractions
# below 2. 2.5 is "2.5 litres", and with two forms 1.5 is "1.5 litres". The number itself, up to 2, is taken for the place of a form, and there is no form 1.5. One would guess the last form: three forms, for none, one and more, are
# what its documentation shows.
# A bottle of 1.5 l or an average of 1.5 stars takes its product page away; 2 and 4.3, which tests have, work.
# Version: vue-i18n 11.4.18 with vue 3.5.45.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund vue-i18n@11.4.18 vue@3.5.45
cat > run.js <<'JS'
import { createSSRApp, h } from "vue";
import { renderToString } from "vue/server-renderer";
import { createI18n } from "vue-i18n";

const messages = { en: { litres: "empty | one litre | {n} litres", stars: "{n} star | {n} stars" } };
const i18n = createI18n({ legacy: false, locale: "en", messages });
for (const [key, count] of [["litres", 1], ["litres", 2.5], ["litres", 1.5], ["litres", 0.5], ["stars", 1.5]]) {
  const app = createSSRApp({ render: () => h("p", i18n.global.t(key, count)) }).use(i18n);
  console.log(`${key} ${count}: ${await renderToString(app)}`);
}
JS
seen=$(NODE_ENV=production node run.js 2> errors)
echo "vue-i18n@11.4.18 vue@3.5.45"
echo "seen: $seen"
grep -cx "SyntaxError: 24" errors
[ "$seen" = 'litres 1: <p>one litre</p>
litres 2.5: <p>2.5 litres</p>
litres 1.5: <!---->
litres 0.5: <!---->
stars 1.5: <p>1.5 stars</p>' ]
