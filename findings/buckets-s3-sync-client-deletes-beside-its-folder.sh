#!/usr/bin/env bash
# s3-sync-client syncs a folder to s3://b/shop with del: true and deletes shop.json and shop-archive/2025.json as well: it compares every key that
# begins with "shop". One would guess the keys below shop/, as `aws s3 sync --delete` does. To s3://b/shop/ it puts shop//index.json instead.
# A catalog that is published into a folder of a bucket takes away its neighbours: an older version's, another language's, the shop's pictures.
# Version: s3-sync-client@4.3.1 with @aws-sdk/client-s3@3.1175.0, seen on Node 24.21 and 20.20, with a bucket of 15 lines.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent s3-sync-client@4.3.1 @aws-sdk/client-s3@3.1175.0 > /dev/null 2>&1
mkdir "$dir/site"; echo '{}' > "$dir/site/index.json"
cat > "$dir/run.cjs" <<'J'
const http = require("node:http");
const { S3Client } = require("@aws-sdk/client-s3");
const { S3SyncClient } = require("s3-sync-client");
let keys;
const bucket = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part)).on("end", () => {
    const url = new URL(request.url, "http://bucket");
    response.setHeader("Content-Type", "application/xml");
    if (request.method === "PUT") keys.add(decodeURIComponent(url.pathname.slice("/b/".length)));
    if (request.method === "PUT") return response.setHeader("ETag", '"a"').end();
    for (const [, key] of body.matchAll(/<Key>(.*?)<\/Key>/g)) keys.delete(key);
    if (request.method === "POST") return response.end("<DeleteResult></DeleteResult>");
    const found = [...keys].sort().filter((key) => key.startsWith(url.searchParams.get("prefix") ?? ""));
    const contents = found.map((key) => `<Contents><Key>${key}</Key><Size>9</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`).join("");
    response.end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`);
  });
});
bucket.listen(0, "127.0.0.1", async () => {
  const endpoint = `http://127.0.0.1:${bucket.address().port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "s" };
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials, requestChecksumCalculation: "WHEN_REQUIRED" });
  const { sync } = new S3SyncClient({ client });
  for (const place of ["s3://b/shop", "s3://b/shop/"]) {
    keys = new Set(["shop/gone.json", "shop.json", "shop-archive/2025.json", "other.json"]);
    await sync("site", place, { del: true });
    console.log(`${place} leaves ${[...keys].sort().join(" ")}`);
  }
  bucket.close();
  bucket.closeAllConnections();
});
J
seen=$(cd "$dir" && node --no-warnings run.cjs 2> "$dir/err") || { cat "$dir/err"; exit 1; }
echo "s3-sync-client 4.3.1, Node $(node --version)"
echo "seen: $seen"
grep -qx 's3://b/shop leaves other.json shop/index.json' <<< "$seen" && grep -qx 's3://b/shop/ leaves other.json shop-archive/2025.json shop.json shop//index.json' <<< "$seen"
