#!/usr/bin/env bash
# JSONStream leaves null out of a list that it streams, so everything behind it moves up, and gives an integer beyond 2^53 as text while the others are numbers. One would
# guess what JSON.parse gives: null, and a rounded number. A reader of a big catalog file that counts records or joins them by id gets
# other counts and two types of id.
# Version: JSONStream 1.3.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund JSONStream@1.3.5
cat > run.js <<'JS'
import { Readable } from "node:stream";
import JSONStream from "JSONStream";

const text = '{"ratings":[5,null,0,3],"ids":[1,12345678901234567890]}';
const read = (path) =>
  new Promise((resolve) => {
    const seen = [];
    const stream = Readable.from([Buffer.from(text)]).pipe(JSONStream.parse(path));
    stream.on("data", (value) => seen.push(value)).on("end", () => resolve(JSON.stringify(seen)));
  });
console.log(await read("ratings.*"), await read("ids.*"));
JS
seen=$(node run.js)
echo "JSONStream@1.3.5"
echo "seen: $seen"
[ "$seen" = '[5,0,3] [1,"12345678901234567890"]' ]
