#!/usr/bin/env bash
# Qwik City puts the values that onStaticGenerate names into the address as they are: the page of { slug: "c#" } is the file of "c", of { slug: "who?" } that of "who", whose text is that of "c" and "who", and
# { slug: "a/b" } has no file; exit 0, and not one line of the log says so. One would guess that a value in an object is encoded on its way into an address, as the names of fields in a form are, or refused.
# A catalog of categories (C, C#) or tags has two entries and one page, and the link to the second shows the first. encodeURIComponent around each value gives each its page.
# Version: @builder.io/qwik and qwik-city 1.20.1 with vite 7.3.8, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module","name":"shop","version":"0.0.0"}' > package.json
npm install --silent --no-audit --no-fund @builder.io/qwik@1.20.1 @builder.io/qwik-city@1.20.1 vite@7.3.8
mkdir -p 'src/routes/category/[slug]' adapters
cat > vite.config.ts <<'TS'
import { qwikVite } from "@builder.io/qwik/optimizer";
import { qwikCity } from "@builder.io/qwik-city/vite";
import { defineConfig } from "vite";
export default defineConfig(() => ({ plugins: [qwikCity(), qwikVite()] }));
TS
cat > adapters/vite.config.ts <<'TS'
import { staticAdapter } from "@builder.io/qwik-city/adapters/static/vite";
import { extendConfig } from "@builder.io/qwik-city/vite";
import base from "../vite.config";
export default extendConfig(base, () => ({
  build: { ssr: true, rollupOptions: { input: ["@qwik-city-plan"] } },
  plugins: [staticAdapter({ origin: "https://shop.example" })],
}));
TS
cat > src/root.tsx <<'TSX'
import { component$ } from "@builder.io/qwik";
import { QwikCityProvider, RouterOutlet } from "@builder.io/qwik-city";
export default component$(() => <QwikCityProvider><head></head><body><RouterOutlet /></body></QwikCityProvider>);
TSX
cat > src/entry.ssr.tsx <<'TSX'
import { renderToStream } from "@builder.io/qwik/server";
import { manifest } from "@qwik-client-manifest";
import Root from "./root";
export default (options) => renderToStream(<Root />, { manifest, ...options });
TSX
page() {
  cat > 'src/routes/category/[slug]/index.tsx' <<TSX
import { component\$ } from "@builder.io/qwik";
import { useLocation } from "@builder.io/qwik-city";
export default component\$(() => <h1>{useLocation().params.slug}</h1>);
export const onStaticGenerate = () => ({ params: ["mugs", "c", "c#", "who?", "a/b"].map((slug) => ({ slug: $1 })) });
TSX
}
build() {
  rm -rf dist server
  timeout 120 node_modules/.bin/vite build > log 2>&1 < /dev/null && timeout 120 node_modules/.bin/vite build -c adapters/vite.config.ts >> log 2>&1 < /dev/null || echo "exit code $? "
  (cd dist/category; find . -name index.html | LC_ALL=C sort | while read -r file; do
    printf '%s (%s) ' "$(dirname "$file" | cut -c3-)" "$(sed 's/<!--[^>]*-->//g' "$file" | grep -o '<h1[^<]*' | sed 's/.*>//')"
  done)
}
page slug; seen="$(build)"
named=$(grep -cF -e '/a/b' -e 'c#' log || true)
page 'encodeURIComponent(slug)'; seen="$seen; encoded: $(build)"
echo "@builder.io/qwik-city 1.20.1"
echo "seen: $seen; lines of the log about them: $named"
[ "$seen" = 'c (c) mugs (mugs) who (who) ; encoded: a/b (a/b) c# (c#) c (c) mugs (mugs) who? (who?) ' ] && [ "$named" = 0 ]
