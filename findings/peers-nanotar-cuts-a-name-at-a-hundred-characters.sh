#!/usr/bin/env bash
# nanotar, which makes and reads tar archives for Nuxt's tools, writes a path of 124 characters as its first 100: the ending .json is gone, and two pages of one list have one name, so that the archive, extracted, has one file less. One would guess the ustar prefix or
# a pax header, with which tar-stream and GNU tar keep the name, or an error. Exit code and size are as they should be.
# Filters written into a path (reviews/product_slug=…/sort=lowest/page=2.json) get that long, and a slug of 80 letters does alone.
# Version: nanotar 0.3.0, tar-stream 3.2.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund nanotar@0.3.0 tar-stream@3.2.0
cat > run.js <<'JS'
import { writeFileSync } from "node:fs";
import { createTar, parseTar } from "nanotar";
import { pack } from "tar-stream";

const folder = `api/v1/reviews/product_slug=${"a-long-name-".repeat(6)}`;
const files = [1, 2].map((page) => ({ name: `${folder}/sort=lowest/page=${page}.json`, data: `{"page":${page}}` }));
const archive = createTar(files);
writeFileSync("nanotar.tar", archive);
const other = pack();
for (const { name, data } of files) other.entry({ name }, data);
other.finalize();
const parts = [];
for await (const part of other) parts.push(part);
writeFileSync("tar-stream.tar", Buffer.concat(parts));
console.log(files.map(({ name }) => name.length).join(), parseTar(archive).map(({ name }) => `${name.length} …${name.slice(-9)}`).join(", "));
JS
seen=$(node run.js)
for name in nanotar tar-stream; do
  mkdir "$name"; tar -x -f "$name.tar" -C "$name"
  seen+="; $name: $(find "$name" -type f | wc -l), $(find "$name" -name '*.json' | wc -l) .json"
done
echo "nanotar 0.3.0"
echo "seen: $seen"
[ "$seen" = '124,124 100 …ong-name-, 100 …ong-name-; nanotar: 1, 0 .json; tar-stream: 2, 2 .json' ]
