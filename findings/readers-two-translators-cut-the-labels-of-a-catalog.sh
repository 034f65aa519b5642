#!/usr/bin/env bash
# A label without a translation comes back cut: i18next gives "M" for "Size:M", "//shop.example" for "https://shop.example" and " fixed" for "v1.10: fixed",
# though "Colour: Red" stays whole, and vue-i18n's core shows M for the message "S | M | L", because a bar separates plural forms. One would guess the label
# itself. Names of facets and titles that come from a catalog must not be used as keys or messages, or only after nsSeparator and keySeparator are false.
# Version: i18next 27.1.5, @intlify/core 11.4.16, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund i18next@27.1.5 @intlify/core@11.4.16
cat > run.js <<'JS'
import { compile, createCoreContext, translate } from "@intlify/core";
import i18next from "i18next";

await i18next.init({ lng: "de", resources: { de: { translation: { Mug: "Tasse" } } }, showSupportNotice: false });
for (const label of ["Colour: Red", "Size:M", "https://shop.example", "v1.10: fixed"]) console.log(`i18next: "${label}" -> "${i18next.t(label)}"`);
const messages = { de: { sizes: "S | M | L" } };
console.log(`intlify: "${messages.de.sizes}" -> "${translate(createCoreContext({ locale: "de", messages, messageCompiler: compile }), "sizes")}"`);
JS
seen=$(node run.js 2> /dev/null)
echo "i18next@27.1.5 @intlify/core@11.4.16"
echo "seen: $seen"
[ "$seen" = 'i18next: "Colour: Red" -> "Colour: Red"
i18next: "Size:M" -> "M"
i18next: "https://shop.example" -> "//shop.example"
i18next: "v1.10: fixed" -> " fixed"
intlify: "S | M | L" -> "M"' ]
