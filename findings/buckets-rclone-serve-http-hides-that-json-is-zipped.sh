#!/usr/bin/env bash
# rclone serve http over an S3 bucket answers an object that is stored with Content-Encoding: gzip by its compressed bytes, and sends its
# Content-Type, but no Content-Encoding. One would guess the header, as S3 itself sends it, or the plain bytes: rclone knows both.
# JSON that is kept compressed is then "application/json" that no reader can parse; ETag and Cache-Control are missing, too.
# Version: rclone 1.60.1 (Debian's package rclone), with s3rver@3.7.1 as the bucket, seen on Node 24.21 and 20.20.
set -euo pipefail
command -v rclone > /dev/null || { echo "needs Debian's package rclone"; exit 1; }
dir=$(mktemp -d); bucket=; web=
trap '[ -z "$bucket" ] || kill "$bucket" 2> /dev/null || true; [ -z "$web" ] || kill "$web" 2> /dev/null || true; rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent s3rver@3.7.1 @aws-sdk/client-s3@3.1175.0 > /dev/null 2>&1
cat > "$dir/bucket.cjs" <<'J'
const { gzipSync } = require("node:zlib");
const { S3Client, PutObjectCommand } = require("@aws-sdk/client-s3");
const S3rver = require("s3rver");
(async () => {
  const server = new S3rver({ port: 0, address: "127.0.0.1", silent: true, directory: `${__dirname}/data`, configureBuckets: [{ name: "b" }] });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }, requestChecksumCalculation: "WHEN_REQUIRED" });
  const headers = { Bucket: "b", ContentType: "application/json", CacheControl: "public, max-age=60" };
  await client.send(new PutObjectCommand({ ...headers, Key: "product.json", Body: gzipSync('{"price":19.9}'), ContentEncoding: "gzip" }));
  console.log(endpoint);
})();
J
(cd "$dir" && exec node --no-warnings bucket.cjs) > "$dir/endpoint" 2> "$dir/err" & bucket=$!
for _ in $(seq 100); do [ -s "$dir/endpoint" ] && break; sleep 0.1; done
unset AWS_CA_BUNDLE
printf '[b]\ntype = s3\nprovider = Other\naccess_key_id = S3RVER\nsecret_access_key = S3RVER\nregion = us-east-1\nendpoint = %s\n' "$(cat "$dir/endpoint")" > "$dir/rclone.conf"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
rclone --config "$dir/rclone.conf" serve http b:b --addr "127.0.0.1:$port" > "$dir/log" 2>&1 & web=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
curl -s -D "$dir/headers" -o "$dir/body" "http://127.0.0.1:$port/product.json"
headers=$(tr -d '\r' < "$dir/headers" | grep -iE '^(HTTP|content-|etag|cache-control)' | paste -sd '|')
first=$(od -An -tx1 -N2 "$dir/body" | tr -d ' ')
rclone version | sed -n 1p
echo "seen: $headers; the body begins with $first, unzipped it is $(gunzip < "$dir/body")"
[[ $headers == *200* && $headers == *application/json* && $first == 1f8b ]] && ! grep -qiE '^(content-encoding|etag|cache-control)' "$dir/headers"
