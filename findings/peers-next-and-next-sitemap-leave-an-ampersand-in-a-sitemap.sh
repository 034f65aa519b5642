#!/usr/bin/env bash
# Next writes what app/sitemap.js returns into the XML as it is: an address, a picture or a video's title with an ampersand, /products?tag=mugs&page=2, makes a document that no XML parser reads, and the build ends with 0. The function
# getServerSideSitemap of next-sitemap does the same. One would guess that a program that is given objects and writes XML escapes them, as the package sitemap, which makes Astro's, does. Neither documentation says that it does not.
# One picture with ?w=600&h=400 loses the whole sitemap, with every product in it, and whoever escapes by hand writes "&amp;amp;" with the next program.
# Version: next 16.4.6, next-sitemap 4.2.3, react 19.3.1, saxes 6.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps next@16.4.6 next-sitemap@4.2.3 react@19.3.1 react-dom@19.3.1 saxes@6.0.0
mkdir app
echo 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;' > app/layout.js
echo 'export default () => <h1>shop</h1>;' > app/page.js
cat > app/sitemap.js <<'JS'
export default () => [{ url: "https://shop.example/products?tag=mugs&page=2", images: ["https://shop.example/mug.jpg?w=600&h=400"] }];
JS
code=0; NEXT_TELEMETRY_DISABLED=1 node_modules/.bin/next build > log 2>&1 < /dev/null || code=$?
cat > run.mjs <<'JS'
import { readFileSync } from "node:fs";
import { getServerSideSitemap } from "next-sitemap";
import { SaxesParser } from "saxes";

function report(name, xml) {
  let errors = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", () => { errors += 1; });
  parser.write(xml).close();
  const escaped = (pattern) => (pattern.exec(xml)[1].includes("&amp;") ? "escaped" : "as it is");
  return `${name}: page ${escaped(/<loc>(.*?)<\/loc>/)}, picture ${escaped(/<image:loc>(.*?)<\/image:loc>/)}, ${errors > 0 ? "no XML" : "XML"}`;
}
console.log(report("next", readFileSync(".next/server/app/sitemap.xml.body", "utf8")));
const images = [{ loc: new URL("https://shop.example/mug.jpg?w=600&h=400") }];
const answer = await getServerSideSitemap([{ loc: "https://shop.example/products?tag=mugs&page=2", images }]);
console.log(report("next-sitemap", await answer.text()));
JS
seen="exit code $code; $(node run.mjs | paste -sd';')"
echo "next@16.4.6 next-sitemap@4.2.3"
echo "seen: $seen"
[ "$seen" = 'exit code 0; next: page as it is, picture as it is, no XML;next-sitemap: page as it is, picture as it is, no XML' ]
