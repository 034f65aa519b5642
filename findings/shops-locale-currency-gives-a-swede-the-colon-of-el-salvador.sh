#!/usr/bin/env bash
# locale-currency takes languages and countries through one door and does not mind their case: "sv", which browsers send for Swedish, is El Salvador and its colón, "ar" (Arabic) Argentina's peso, "et" (Estonian) Ethiopia's birr, "ca" (Catalan)
# Canada's dollar, "sl" (Slovene) Sierra Leone's leone. "de", "fr" and "pl" come out right, as their countries happen to have the same letters, and "da", "cs", "ja" and "en" are null.
# One would guess that a language alone is null, or means the place where most speak it, as Intl.Locale's maximize() says (shown beside it).
# A shop that picks the currency of a price list by the reader's language asks for one that it has not, or shows an Argentine price, for some languages only, and not for those that its developers speak.
# Version: locale-currency 1.0.0, Node 24.21.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund locale-currency@1.0.0 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.cjs <<'JS'
const { getCurrency } = require("locale-currency");
const languages = ["de", "pl", "da", "sv", "ar", "et", "ca", "sl"];
console.log(languages.map((language) => `${language} ${getCurrency(language)} (${new Intl.Locale(language).maximize().region} ${getCurrency(new Intl.Locale(language).maximize().region)})`).join(", "));
JS
seen=$(node run.cjs)
echo "locale-currency $(node -p 'require("./node_modules/locale-currency/package.json").version'), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'de EUR (DE EUR), pl PLN (PL PLN), da null (DK DKK), sv SVC (SE SEK), ar ARS (EG EGP), et ETB (EE EUR), ca CAD (ES EUR), sl SLE (SI EUR)' ]
