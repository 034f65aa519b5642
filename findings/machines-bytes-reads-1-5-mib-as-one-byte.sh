#!/usr/bin/env bash
# bytes, by which Express and many servers read their limits, takes the size "1.5MiB" and "1,5 MB" for one byte and "5 M" for five: what it does not know it cuts off behind the first digits. human-format does so with "1,5 MB". One would guess null,
# as bytes gives for "MB" alone, or 1.5 MiB. filesize-parser reads all three.
# The size of a download that a shop keeper typed with a comma, or with the unit's exact name, becomes a file of one byte in the catalog: sorted first, and "smaller than 1 MB".
# Version: bytes 3.1.2, human-format 1.2.1, filesize-parser 1.5.2, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund bytes@3.1.2 human-format@1.2.1 filesize-parser@1.5.2
cat > run.js <<'JS'
const bytes = require("bytes");
const human = require("human-format");
const filesize = require("filesize-parser");

for (const text of ["1.5MiB", "1,5 MB", "5 M"]) console.log(text, bytes.parse(text), human.parse(text, { unit: "B" }), filesize(text));
JS
seen=$(node run.js | tr '\n' ';')
echo "bytes@3.1.2 human-format@1.2.1"
echo "seen: $seen"
[ "$seen" = '1.5MiB 1 1500000 1572864;1,5 MB 1 1 1572864;5 M 5 5000000 5242880;' ]
