#!/usr/bin/env bash
# microdata-node and Python's extruct give "" for <time itemprop="releaseDate">2026-01-02</time>: they look at the attribute datetime only. HTML says that without it the text of the element is its time, and that is
# what one would guess.
# A product page that is right by the book, and short, has no release date and no priceValidUntil for these readers, and the review no day. Write the attribute always: <time datetime="2026-01-02">2 January</time> is read by both.
# Version: microdata-node 2.0.0 on Node 24; extruct (Debian's package python3-extruct).
set -euo pipefail
/usr/bin/python3 -c 'import extruct' 2> /dev/null || { echo "needs Debian's package python3-extruct"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund microdata-node@2.0.0
cat > page.html <<'HTML'
<!DOCTYPE html>
<html lang="en"><title>Mug</title>
<div itemscope itemtype="https://schema.org/Product">
  <span itemprop="name">Mug</span>
  <time itemprop="releaseDate">2026-01-02</time>
  <time itemprop="productionDate" datetime="2026-01-02">2 January</time>
</div>
HTML
cat > read.cjs <<'JS'
const { toJson } = require("microdata-node");
const html = require("node:fs").readFileSync("page.html", "utf8");
console.log(`microdata-node ${JSON.stringify(toJson(html, { base: "https://shop.example/" }).items[0].properties)}`);
JS
cat > read.py <<'PY'
import json
import extruct

item = extruct.extract(open("page.html").read(), syntaxes=["microdata"])["microdata"][0]
print("extruct", json.dumps(item["properties"]))
PY
seen=$(node read.cjs; /usr/bin/python3 read.py)
echo "microdata-node@2.0.0, $(dpkg-query -W -f '${Package} ${Version}' python3-extruct)"
echo "seen: $seen"
[ "$seen" = 'microdata-node {"name":["Mug"],"releaseDate":[""],"productionDate":["2026-01-02"]}
extruct {"name": "Mug", "releaseDate": "", "productionDate": "2026-01-02"}' ]
