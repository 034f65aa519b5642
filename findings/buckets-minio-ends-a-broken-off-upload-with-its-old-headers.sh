#!/usr/bin/env bash
# minio-js: putObject of a stream without a size goes on with an upload of that key which was broken off, however old, and the object gets the
# headers of that attempt: its Content-Type, Cache-Control and Content-Encoding, not those that were just given. No error. One would guess that an
# object has the headers of the call that made it, as it has its bytes: a buffer put by the same call does.
# A nightly upload of a catalog that was killed while its settings said "max-age=31536000" leaves that to the first upload after the setting is
# right: readers keep that night's prices for a year, although the log says that it was put. The next upload has the right headers again, so
# nobody finds out why. Name the size (the second way, seen below), or removeIncompleteUpload first; S3 keeps broken-off uploads until a rule of
# the bucket ends them.
# Version: minio@8.0.7, seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent minio@8.0.7 > /dev/null 2>&1
cat > "$dir/run.mjs" <<'J'
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { Client } from "minio";
// A bucket that takes uploads in parts, as S3 does: the headers of an object are those with which its upload was begun.
let live;
let upload; // the one that is under way
let isBroken = true;
const said = [];
const headersOf = ({ "content-type": type, "cache-control": lifetime }) => `${type}, ${lifetime}`;
const bucket = createServer((request, response) => {
  request.resume().on("end", () => {
    const { searchParams } = new URL(request.url, "http://bucket");
    const has = (name) => searchParams.has(name);
    if (request.method === "GET" && has("uploads")) {
      const entry = upload ? `<Upload><Key>products.json</Key><UploadId>u1</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>` : "";
      return response.end(`<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entry}</ListMultipartUploadsResult>`);
    }
    if (request.method === "GET") return response.end("<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>");
    if (request.method === "POST" && has("uploads")) {
      upload = headersOf(request.headers);
      return response.end("<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>");
    }
    if (request.method === "PUT" && has("partNumber") && isBroken) return response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    if (request.method === "PUT" && has("partNumber")) return response.writeHead(200, { ETag: '"p"' }).end();
    live = request.method === "PUT" ? headersOf(request.headers) : upload;
    if (request.method === "POST") upload = undefined;
    response.writeHead(200, { ETag: '"o"' }).end(request.method === "PUT" ? "" : "<CompleteMultipartUploadResult><Location>l</Location><Bucket>shop</Bucket><Key>k</Key><ETag>o</ETag></CompleteMultipartUploadResult>");
  });
});
await new Promise((done) => bucket.listen(0, "127.0.0.1", done));
const client = new Client({ endPoint: "127.0.0.1", port: bucket.address().port, useSSL: false, accessKey: "a", secretKey: "s", region: "us-east-1" });
const put = (headers, ...size) => client.putObject("shop", "products.json", Readable.from([Buffer.from("[]")]), ...size, headers).then(() => live, ({ code }) => code);
const wrong = { "Content-Type": "text/plain", "Cache-Control": "max-age=31536000" };
const right = { "Content-Type": "application/json", "Cache-Control": "max-age=60" };
said.push(`broken off: ${await put(wrong, undefined)}`);
isBroken = false;
said.push(`then with a size: ${await put(right, 2)}`, `without: ${await put(right, undefined)}`, `again: ${await put(right, undefined)}`);
console.log(said.join("; "));
bucket.close();
bucket.closeAllConnections();
J
seen=$(cd "$dir" && node run.mjs)
echo "minio 8.0.7, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'broken off: AccessDenied; then with a size: application/json, max-age=60; without: text/plain, max-age=31536000; again: application/json, max-age=60' ]
