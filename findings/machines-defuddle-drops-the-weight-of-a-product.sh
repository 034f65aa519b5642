#!/usr/bin/env bash
# Defuddle, which takes the text out of a page for Obsidian's clipper and for language models, drops a list of short facts between two paragraphs: <dl><dt>Weight</dt><dd>300 g</dd></dl> or <ul><li>Weight: 300 g</li></ul>. It keeps the
# same facts in a table, under a heading, and with a full stop. One would guess that a list in the midst of the text is text, as Readability has it.
# A product's weight, size and stock are in such lists on most pages of shops: an assistant that reads the page answers that its weight is not given.
# Version: defuddle 0.19.4, @mozilla/readability 0.6.0, jsdom 26.1.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund defuddle@0.19.4 @mozilla/readability@0.6.0 jsdom@26.1.0
cat > run.mjs <<'JS'
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM } from "jsdom";

const url = "https://shop.example/product/mug";
const text = `<p>${"This mug is made of stone, and holds tea, coffee or soup; people like it since it is heavy, round and blue. ".repeat(3)}</p>`;
const kept = (html) => (/300 g/.test(html) ? "kept" : "dropped");
const facts = {
  dl: "<dl><dt>Weight</dt><dd>300 g</dd><dt>Height</dt><dd>9 cm</dd></dl>",
  ul: "<ul><li>Weight: 300 g</li><li>Height: 9 cm</li></ul>",
  table: "<table><tr><th>Weight</th><td>300 g</td></tr><tr><th>Height</th><td>9 cm</td></tr></table>",
  heading: "<h2>Facts</h2><ul><li>Weight: 300 g</li><li>Height: 9 cm</li></ul>",
  stop: "<ul><li>Weight: 300 g.</li><li>Height: 9 cm.</li></ul>",
};
for (const [name, html] of Object.entries(facts)) {
  const page = () => new JSDOM(`<!doctype html><title>Mug</title><article><h1>Mug</h1>${text}${html}${text}</article>`, { url });
  const { content } = await Defuddle(page(), url);
  console.log(`${name}: Defuddle ${kept(content)}, Readability ${kept(new Readability(page().window.document).parse().content)}`);
}
process.exit(0);
JS
seen=$(node run.mjs)
echo "defuddle@0.19.4 @mozilla/readability@0.6.0 jsdom@26.1.0"
echo "seen: $seen"
[ "$seen" = 'dl: Defuddle dropped, Readability kept
ul: Defuddle dropped, Readability kept
table: Defuddle kept, Readability kept
heading: Defuddle kept, Readability kept
stop: Defuddle kept, Readability kept' ]
