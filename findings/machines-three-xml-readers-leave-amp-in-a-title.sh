#!/usr/bin/env bash
# convert() of xmlbuilder2 gives the title "Mug & Cup" of an XML feed as "Mug &amp; Cup" and makes even &#38; into &amp;, but decodes &#8364; to a euro sign; pixl-xml decodes &amp; and leaves &#38; and &#8364; as they are;
# txml decodes nothing. One would guess that reading XML includes its references, as xml2js, xml-js and x2js do: which of them a shop writes is its own business. xmlbuilder2's own textContent has "Mug & Cup".
# The titles of a feed that are right in one shop have "&amp;" or "&#38;" in the next, and are escaped once more on the page.
# Version: xmlbuilder2 4.0.3, pixl-xml 1.0.13, txml 6.0.3, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund xmlbuilder2@4.0.3 pixl-xml@1.0.13 txml@6.0.3
cat > run.mjs <<'JS'
import pixl from "pixl-xml";
import { parse, simplify } from "txml";
import { convert, create } from "xmlbuilder2";

const feed = "<p><t>Mug &amp; Cup &#38; &#8364; 5</t></p>";
console.log(`xmlbuilder2: ${convert(feed, { format: "object" }).p.t}, its textContent: ${create(feed).root().node.textContent}`);
console.log(`pixl-xml: ${pixl.parse(feed).t}, txml: ${simplify(parse(feed)).p.t}`);
JS
seen=$(node run.mjs)
echo "xmlbuilder2@4.0.3, pixl-xml@1.0.13, txml@6.0.3"
echo "seen: $seen"
[ "$seen" = 'xmlbuilder2: Mug &amp; Cup &amp; € 5, its textContent: Mug & Cup & € 5
pixl-xml: Mug & Cup &#38; &#8364; 5, txml: Mug &amp; Cup &#38; &#8364; 5' ]
