#!/usr/bin/env bash
# `s3cmd sync` uploads no file whose bytes are in the bucket already under another name: it copies that object, with its Cache-Control. One would
# guess that a file which is put without --add-header has no Cache-Control, as a file of other bytes gets from the same command.
# The usual deploy has two steps: names with a digest first, "immutable" for a year, then everything else. The widget script reviews.js has the
# bytes of reviews.3f2a.js, so it gets the year too: browsers on all sites that embed it keep today's script for a year, and no purge reaches them. Its
# neighbour in the same upload is as it should be. Say --add-header in each step (a given header wins, seen below), or order the steps otherwise.
# Version: s3cmd 2.3.0 (Debian 12).
set -euo pipefail
dir=$(mktemp -d)
bucket=
trap '[ -z "$bucket" ] || kill "$bucket" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
cat > bucket.mjs <<'J'
import { createHash } from "node:crypto";
import { createServer } from "node:http";
// What s3cmd asks of a bucket: its region, a listing, rights, HEAD, PUT, and PUT with x-amz-copy-source, for which it sends all headers itself.
const objects = new Map();
const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part)).on("end", () => {
    const { pathname, searchParams } = new URL(request.url, "http://bucket");
    const key = decodeURIComponent(pathname).replace(/^\/shop\/?/, "");
    const { "cache-control": lifetime, "x-amz-copy-source": source } = request.headers;
    if (searchParams.has("location")) return response.end("<LocationConstraint/>");
    if (searchParams.has("acl")) return response.end(request.method === "GET" ? "<AccessControlPolicy><Owner><ID>a</ID></Owner><AccessControlList/></AccessControlPolicy>" : "");
    if (request.method === "PUT") {
      const body = source === undefined ? Buffer.concat(parts) : objects.get(decodeURIComponent(source).replace(/^\/?shop\//, "")).body;
      objects.set(key, { body, lifetime, tag: `"${createHash("md5").update(body).digest("hex")}"`, how: source === undefined ? "put" : "copied" });
      if (source !== undefined) return response.end(`<CopyObjectResult><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${objects.get(key).tag}</ETag></CopyObjectResult>`);
    }
    const object = objects.get(key);
    if (key === "said") return response.end([...objects].map(([name, { how, lifetime: of }]) => `${name} ${how} ${of ?? "-"}`).join("; "));
    if (key !== "") return response.writeHead(200, { ETag: object.tag, "Content-Type": "text/javascript", ...(object.lifetime ? { "Cache-Control": object.lifetime } : {}), "Content-Length": request.method === "HEAD" ? object.body.length : 0 }).end();
    const contents = [...objects].map(([name, { body, tag }]) => `<Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${tag}</ETag><Size>${body.length}</Size></Contents>`);
    response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
J
node bucket.mjs > port & bucket=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
at=127.0.0.1:$(cat port)
mkdir site
echo 'show("reviews");' | tee site/reviews.3f2a.js > site/reviews.js; echo 'show("card");' > site/card.js
sync() { s3cmd --config /dev/null --access_key a --secret_key s --no-ssl --host "$at" --host-bucket "$at" --no-progress --quiet sync site/ s3://shop/ "$@" < /dev/null > log 2>&1 || { cat log; exit 1; }; }
sync --exclude '*' --include '*.3f2a.js' --add-header 'Cache-Control: max-age=31536000, immutable'
sync
cp site/reviews.js site/reviews.latest.js
sync --add-header 'Cache-Control: max-age=60'
seen=$(curl -s "http://$at/shop/said")
s3cmd --version
echo "seen: $seen"
[ "$seen" = 'reviews.3f2a.js put max-age=31536000, immutable; card.js put -; reviews.js copied max-age=31536000, immutable; reviews.latest.js copied max-age=60' ]
