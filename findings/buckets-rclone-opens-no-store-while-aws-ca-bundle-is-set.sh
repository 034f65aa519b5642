#!/usr/bin/env bash
# rclone opens no S3 store while AWS_CA_BUNDLE is set, not even one over plain http, and sends no request: "unsupported transport". One would guess that
# the file's authorities are trusted besides, as in every other program on Amazon's SDKs, or that rclone, which has --ca-cert, does not look at it.
# A job that publishes a catalog behind a company's proxy has the variable set for all programs: a backup of the bucket by rclone beside it stops at
# its first line, with a message that does not name the variable.
# Version: rclone 1.60.1 (Debian 12).
set -euo pipefail
dir=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
cat > store.mjs <<'JS'
import { createServer } from "node:http";
import { appendFileSync } from "node:fs";

createServer((request, response) => {
  appendFileSync("asked", `${request.method}\n`);
  const key = "<Contents><Key>product.json</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>1</ETag><Size>1</Size></Contents>";
  response.setHeader("content-type", "application/xml").end(`<ListBucketResult><IsTruncated>false</IsTruncated>${key}</ListBucketResult>`);
}).listen(0, "127.0.0.1", function () {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
JS
node store.mjs > address & server=$!
for _ in $(seq 50); do [ -s address ] && break; sleep 0.1; done
place=":s3,provider=Other,endpoint=\"$(cat address)\",region=us-east-1,access_key_id=key,secret_access_key=secret:shop"
# What rclone says, and the requests that the store got meanwhile. `lsf` only lists.
list() {
  rm -f asked said
  env -u AWS_CA_BUNDLE "$@" rclone --config /dev/null --retries 1 lsf "$place" 2> said || grep -o 'unsupported transport.*' said
  echo "$(wc -l < asked 2> /dev/null || echo 0) asked;"
}
authorities=/etc/ssl/certs/ca-certificates.crt
seen=$(echo $(list) $(list SSL_CERT_FILE=$authorities) $(list AWS_CA_BUNDLE=$authorities))
rclone version | sed -n 1p
echo "seen: $seen"
[ "$seen" = 'product.json 1 asked; product.json 1 asked; unsupported transport, *fshttp.Transport 0 asked;' ]
