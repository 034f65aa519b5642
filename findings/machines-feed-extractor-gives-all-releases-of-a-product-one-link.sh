#!/usr/bin/env bash
# @extractus/feed-extractor takes the anchor off each link: of …/changelog#release-79 and …/changelog#release-78 it gives the link …/changelog twice, for Atom, RSS and JSON Feed alike. utm_source it takes away, too, as its page says; of anchors that says nothing.
# One would guess that a link is given as the feed has it, or only without what follows visitors. With normalization: false the anchors are there.
# The entries of a change log, of a page of questions or of prices by month differ in their anchors alone. Who stores or shows entries by their link has the newest release of each product and no other.
# Version: @extractus/feed-extractor 8.0.3, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @extractus/feed-extractor@8.0.3
cat > run.js <<'JS'
import { extractFromJson, extractFromXml } from "@extractus/feed-extractor";

const links = [79, 78].map((id) => `https://shop.example/kit/changelog#release-${id}`);
const entries = links.map((link, index) => `<entry><id>tag:shop.example,2026:${index}</id><title>Kit</title><link href="${link}"/><updated>2026-11-17T12:31:00Z</updated></entry>`);
const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:shop.example,2026:feed</id><title>Releases</title><updated>2026-11-17T12:31:00Z</updated>${entries.join("")}</feed>`;
const items = links.map((url, id) => ({ id: String(id), url, content_text: "Kit" }));
const json = JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Releases", items });
for (const feed of [extractFromXml(atom), extractFromJson(json)]) console.log(feed.entries.map(({ link }) => link.slice(21)).join(" "));
JS
seen=$(node run.js)
echo "@extractus/feed-extractor 8.0.3"
echo "seen: $seen"
[ "$seen" = 'kit/changelog kit/changelog
kit/changelog kit/changelog' ]
