#!/usr/bin/env bash
# fflate's gunzipSync(), decompressSync() and gunzip() give "one" for the two gzip files "one" and "two" put one behind the other, without an error; its streaming Gunzip gives both, and so do node:zlib and zcat. One would guess all of it, since RFC 1952 says that a gzip
# file is a series of members and the same package reads them as a stream.
# Lists of a catalog in parts (0.ndjson.gz, 1.ndjson.gz) are joined with cat; a log of changes gets a member with each append. The reader has the products of the first part.
# Version: fflate 0.8.3, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fflate@0.8.3
cat > run.js <<'JS'
import { gunzipSync as whole, gzipSync } from "node:zlib";
import { decompressSync, Gunzip, gunzip, gunzipSync } from "fflate";

const text = (bytes) => JSON.stringify(Buffer.from(bytes).toString());
const both = Buffer.concat([gzipSync("one\n"), gzipSync("two\n")]);
const parts = [];
new Gunzip((part) => parts.push(part)).push(both, true);
const later = await new Promise((done, failed) => gunzip(both, (error, bytes) => (error ? failed(error) : done(bytes))));
console.log("zlib", text(whole(both)), "stream", text(Buffer.concat(parts)), "sync", text(gunzipSync(both)), text(decompressSync(both)), "later", text(later));
JS
seen=$(node run.js)
echo "fflate 0.8.3"
echo "seen: $seen"
[ "$seen" = 'zlib "one\ntwo\n" stream "one\ntwo\n" sync "one\n" "one\n" later "one\n"' ]
