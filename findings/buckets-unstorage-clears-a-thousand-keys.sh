#!/usr/bin/env bash
# unstorage's S3 driver reads the first page of a listing only: of 1,500 keys getKeys() gives 1,000, clear() deletes 1,000, and both succeed.
# One would guess all keys, as with its other drivers: the reply says IsTruncated true, and names the token to go on with.
# It is the store behind Nitro's and Nuxt's cached answers: after a clear() a third of them is still served, and nothing says so.
# Version: unstorage@1.17.6 with aws4fetch@1.0.20, seen on Node 24.21 and 20.20, with a bucket of 25 lines that lists 1,000 keys a page.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent unstorage@1.17.6 aws4fetch@1.0.20 > /dev/null 2>&1
cat > "$dir/run.mjs" <<'J'
import http from "node:http";
import { createStorage } from "unstorage";
import memory from "unstorage/drivers/memory";
import s3 from "unstorage/drivers/s3";
const objects = new Map(Array.from({ length: 1500 }, (_, at) => [`answers/${String(at).padStart(4, "0")}.json`, "{}"]));
let listings = 0;
const bucket = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part)).on("end", () => {
    const url = new URL(request.url, "http://bucket");
    response.setHeader("Content-Type", "application/xml");
    if (request.method === "POST" && url.searchParams.has("delete")) {
      for (const [, key] of body.matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(key);
      return response.end("<DeleteResult></DeleteResult>");
    }
    listings += 1;
    // The second version goes on after a token, the first one after a marker.
    const after = url.searchParams.get("continuation-token") ?? url.searchParams.get("marker") ?? "";
    const rest = [...objects.keys()].sort().filter((key) => key > after);
    const page = rest.slice(0, 1000);
    const isTruncated = rest.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken><NextMarker>${page.at(-1)}</NextMarker>` : "";
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>2</Size></Contents>`).join("");
    response.end(`<?xml version="1.0"?><ListBucketResult><Name>b</Name><MaxKeys>1000</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`);
  });
});
await new Promise((done) => bucket.listen(0, "127.0.0.1", done));
const endpoint = `http://127.0.0.1:${bucket.address().port}`;
const inBucket = createStorage({ driver: s3({ endpoint, bucket: "b", region: "us-east-1", accessKeyId: "a", secretAccessKey: "s" }) });
const keys = (await inBucket.getKeys()).length;
await inBucket.clear();
const inMemory = createStorage({ driver: memory() });
for (let at = 0; at < 1500; at++) await inMemory.setItem(`answers:${at}.json`, {});
const all = (await inMemory.getKeys()).length;
await inMemory.clear();
console.log(`S3: ${keys} of 1500 keys, ${objects.size} left after clear(), ${listings} listings; memory: ${all} of 1500, ${(await inMemory.getKeys()).length} left`);
bucket.close();
bucket.closeAllConnections();
J
seen=$(cd "$dir" && node run.mjs 2> "$dir/err") || { cat "$dir/err"; exit 1; }
echo "unstorage 1.17.6, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "S3: 1000 of 1500 keys, 500 left after clear(), 2 listings; memory: 1500 of 1500, 0 left" ]
