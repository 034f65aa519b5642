#!/usr/bin/env bash
# `rclone sync --checksum` to S3 leaves a changed file as it is, says "There was nothing to transfer" and exits 0, if another program put the object in
# parts and the size is the same. Its ETag is no MD5 then; one would guess that a checksum that is missing counts as another one.
# rclone's manual recommends --checksum for buckets, and aws s3 puts what is larger than 8 MB in parts: a catalog's bulk file whose prices change
# from 19.90 to 18.90 stays old for ever, beside small answers that are new.
# Version: rclone 1.60.1 (Debian 12); the object is put by the requests that any client of S3 makes for parts.
set -euo pipefail
dir=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
cat > store.mjs <<'JS'
import { createServer } from "node:http";
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";

// The least of a store: objects in one piece or in parts, with S3's ETags.
const objects = new Map();
const parts = [];
const md5 = (bytes) => createHash("md5").update(bytes).digest();
const xml = (response, text) => response.setHeader("content-type", "application/xml").end(text);
createServer(async (request, response) => {
  const { pathname, searchParams: query } = new URL(request.url, "http://store");
  const body = await buffer(request);
  const put = (bytes, etag) => objects.set(pathname, { bytes, etag: `"${etag}"`, date: new Date() });
  if (query.has("uploads")) return xml(response, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>");
  if (query.has("partNumber")) {
    parts.push(body);
    return response.setHeader("etag", `"${md5(body).toString("hex")}"`).end();
  }
  if (query.has("uploadId")) {
    put(Buffer.concat(parts), `${md5(Buffer.concat(parts.map(md5))).toString("hex")}-${parts.length}`);
    return xml(response, "<CompleteMultipartUploadResult/>");
  }
  if (request.method === "PUT") {
    put(body, md5(body).toString("hex"));
    return response.setHeader("etag", objects.get(pathname).etag).end();
  }
  if (query.has("prefix")) {
    const listed = [...objects].map(
      ([path, { bytes, etag, date }]) =>
        `<Contents><Key>${path.slice("/shop/".length)}</Key><LastModified>${date.toISOString()}</LastModified><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`,
    );
    return xml(response, `<ListBucketResult><IsTruncated>false</IsTruncated>${listed.join("")}</ListBucketResult>`);
  }
  const found = objects.get(pathname);
  if (found === undefined) return response.writeHead(404).end();
  response.writeHead(200, { etag: found.etag, "last-modified": found.date.toUTCString(), "content-length": found.bytes.length });
  response.end(request.method === "HEAD" ? undefined : found.bytes);
}).listen(0, "127.0.0.1", function () {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
JS
node store.mjs > address & server=$!
for _ in $(seq 50); do [ -s address ] && break; sleep 0.1; done
store=$(cat address)
mkdir site; echo 'sku,price
A-1,19.90' > site/catalog.csv; echo '{"price":19.90}' > site/product.json
# Put by another program, in parts and in one piece.
curl -sf -o /dev/null -X POST "$store/shop/catalog.csv?uploads"
curl -sf -o /dev/null -T site/catalog.csv "$store/shop/catalog.csv?partNumber=1&uploadId=1"
curl -sf -o /dev/null -X POST "$store/shop/catalog.csv?uploadId=1"
curl -sf -o /dev/null -T site/product.json "$store/shop/product.json"
sed -i 's/19.90/18.90/' site/catalog.csv site/product.json
unset AWS_CA_BUNDLE
rclone --config /dev/null sync --checksum -v site ":s3,provider=Other,endpoint=\"$store\",region=us-east-1,access_key_id=key,secret_access_key=secret,no_check_bucket=true:shop" 2> said && code=$? || code=$?
seen="exit $code; $(curl -s "$store/shop/product.json"); $(curl -s "$store/shop/catalog.csv" | tail -1); rclone named $(grep -o '[a-z]*\.\(csv\|json\): Copied' said | tr '\n' ' ')"
rclone version | sed -n 1p
echo "seen: $seen"
[ "$seen" = 'exit 0; {"price":18.90}; A-1,19.90; rclone named product.json: Copied ' ]
