#!/usr/bin/env bash
# unfurl.js, which reads a page's title and picture for a link's preview, decodes entities twice: the picture "a.jpg?width=600&amp;section=2&amp;reg=eu", written as HTML wants it, comes out as "a.jpg?width=600%C2%A7ion=2%C2%AE=eu", and
# the product "The &amp;lt;b&amp;gt; tag", which a browser shows as "The &lt;b&gt; tag", is called "The <b> tag". One would guess once: attributes come decoded from its HTML parser. open-graph-scraper and link-preview-js do it once.
# A shared link of a product has no picture, since &sect, &reg, &copy, &not and &times begin the names of everyday parameters, and titles of programming books get markup that whoever shows the preview has not asked for.
# Version: unfurl.js 6.4.0, open-graph-scraper 6.12.0, link-preview-js 4.0.4, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund unfurl.js@6.4.0 open-graph-scraper@6.12.0 link-preview-js@4.0.4
cat > run.mjs <<'JS'
import { createServer } from "node:http";
import { getPreviewFromContent } from "link-preview-js";
import scrape from "open-graph-scraper";
import { unfurl } from "unfurl.js";

const title = "The &amp;lt;b&amp;gt; tag";
const html = `<!doctype html><meta charset="utf-8"><title>${title}</title><meta property="og:title" content="${title}">
<meta property="og:image" content="https://shop.example/a.jpg?width=600&amp;section=2&amp;reg=eu">`;
const headers = { "content-type": "text/html; charset=utf-8" };
const server = createServer((_request, response) => response.writeHead(200, headers).end(html));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;
const { open_graph } = await unfurl(url);
const { result } = await scrape({ html });
const preview = await getPreviewFromContent({ url, headers, data: html });
console.log(`unfurl.js: ${open_graph.title} ${open_graph.images[0].url}`);
console.log(`the others: ${result.ogTitle} ${result.ogImage[0].url}, ${preview.title} ${preview.images[0]}`);
server.close();
server.closeAllConnections();
JS
seen=$(node run.mjs)
echo "unfurl.js@6.4.0 open-graph-scraper@6.12.0 link-preview-js@4.0.4"
echo "seen: $seen"
[ "$seen" = "unfurl.js: The <b> tag https://shop.example/a.jpg?width=600%C2%A7ion=2%C2%AE=eu
the others: The &lt;b&gt; tag https://shop.example/a.jpg?width=600&section=2&reg=eu, The &lt;b&gt; tag https://shop.example/a.jpg?width=600&section=2&reg=eu" ]
