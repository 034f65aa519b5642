#!/usr/bin/env bash
# feed, which writes RSS, Atom and JSON Feed for Docusaurus and many sites, says type="html" of each title in Atom: "Screws <M4>, 20 mm" is markup there, of which a reader shows "Screws , 20 mm". In its JSON Feed of the same items title is plain text, as that format
# demands, and the feed's own title is plain text in Atom, too. One would guess text in both: whoever escapes titles for one shows "&lt;" in the other.
# A screw's size, an <i> tag of a manual or C++'s <vector> is gone from the title in a feed reader, and only from the Atom file.
# Version: feed 6.0.0, fast-xml-parser 5.3.0 and parse5 8.0.0 to read it, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund feed@6.0.0 fast-xml-parser@5.3.0 parse5@8.0.0
cat > run.js <<'JS'
import { XMLParser } from "fast-xml-parser";
import { Feed } from "feed";
import { parseFragment } from "parse5";

const feed = new Feed({ title: "Nuts <& bolts>", id: "https://shop.example/", link: "https://shop.example/", copyright: "" });
feed.addItem({ title: "Screws <M4>, 20 mm", id: "https://shop.example/1", link: "https://shop.example/1", date: new Date(0) });
const text = (node) => node.value ?? node.childNodes.map(text).join("");
const atom = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(feed.atom1()).feed;
const { title } = atom.entry;
console.log("atom:", atom.title, "|", title.type, title["#text"], "| shown:", text(parseFragment(title["#text"])));
console.log("json:", JSON.parse(feed.json1()).items[0].title);
JS
seen=$(node run.js)
echo "feed 6.0.0"
echo "seen: $seen"
[ "$seen" = 'atom: Nuts <& bolts> | html Screws <M4>, 20 mm | shown: Screws , 20 mm
json: Screws <M4>, 20 mm' ]
