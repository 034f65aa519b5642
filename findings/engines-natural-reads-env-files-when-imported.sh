#!/usr/bin/env bash
# Importing natural (stemmers, tokenizers, tf-idf for a search index) reads .env of the working directory into the process, five times, and prints
# advertising lines to standard output. One would guess that a language library has no effect at import. An index builder that prints JSON is no longer
# JSON, and the shop's database password, which lies in such a file, is in the environment of every program that the builder starts.
# Version: natural 8.1.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund natural@8.1.1
cat > run.js <<'JS'
import { writeFileSync } from "node:fs";

writeFileSync(".env", "SHOP_WORD=from-the-file\n");
const lines = [];
const write = process.stdout.write;
process.stdout.write = (text) => lines.push(text) > 0;
await import("natural");
process.stdout.write = write;
console.log(`${lines.length} lines printed, SHOP_WORD=${process.env.SHOP_WORD}`);
JS
seen=$(node run.js)
echo "natural@8.1.1"
echo "seen: $seen"
[ "$seen" = '5 lines printed, SHOP_WORD=from-the-file' ]
