#!/usr/bin/env bash
# unhead, which writes the <head> of Nuxt and of Vue apps, has one place for each hreflang: of <link rel="alternate" hreflang="de" href="/de/kit"> and <link rel="alternate" hreflang="de" type="application/rss+xml" href="/de/feed.xml">, which
# HTML lets stand together, it writes the one that comes last. Without hreflang two feeds stay, and so do two feeds of one type. One would guess that what is different in type and address is not a double.
# A shop in two languages whose layout names the feeds, or the product's JSON, of each language loses the links that tell search engines which page is the German one, in all pages, with no warning; or the feeds, if the page's links come later.
# Version: unhead 3.4.3.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund unhead@3.4.3
cat > run.js <<'JS'
import { createHead, renderSSRHead } from "unhead/server";

const page = (hreflang) => ({ rel: "alternate", hreflang, href: `/${hreflang}/kit` });
const feed = (hreflang) => ({ rel: "alternate", hreflang, type: "application/rss+xml", href: `/${hreflang ?? "all"}/feed.xml` });
const heads = {
  "pages, then feeds": [page("de"), page("fr"), feed("de"), feed("fr")],
  "feeds, then pages": [feed("de"), feed("fr"), page("de"), page("fr")],
  "feeds without hreflang": [page("de"), page("fr"), feed(), { ...feed(), href: "/all/blog.xml" }],
};
for (const [name, link] of Object.entries(heads)) {
  const head = createHead({ disableDefaults: true });
  head.push({ link });
  const { headTags } = await renderSSRHead(head);
  console.log(`${name}: ${[...headTags.matchAll(/href="(.*?)"/g)].map(([, href]) => href).join(" ")}`);
}
JS
seen=$(node run.js 2>&1)
echo "unhead@3.4.3"
echo "seen: $seen"
[ "$seen" = 'pages, then feeds: /de/feed.xml /fr/feed.xml
feeds, then pages: /de/kit /fr/kit
feeds without hreflang: /de/kit /fr/kit /all/feed.xml /all/blog.xml' ]
