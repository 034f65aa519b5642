#!/usr/bin/env bash
# @auth0/s3 (the client of serverless-s3-sync and other deployers): uploadDir with deleteRemoved deletes a file from the bucket that is in the folder
# and has not changed, if the folder has one name with a letter of U+10000 and up (𠮷, common in Japanese names) and one with a letter from U+E000 to
# U+FFFF (the full-width ＬＥＤ, half-width kana). One would guess that what is on both sides is left alone: the digests are equal.
# It walks along two sorted lists. The bucket's is sorted by the bytes of UTF-8, the folder's by JavaScript's <, by units of UTF-16: there 𠮷 comes
# before Ｌ. So 𠮷 is once "only here" and is put again, and once "only there" and is deleted, at the same time: where the deletion comes last
# (in two of three runs here) the picture of a product is a 404 after a deploy that changed nothing, and the next deploy may bring it back. Other
# letters sort alike in both, so it never shows until a shop has both. Name files of a catalog in ASCII.
# Version: @auth0/s3@1.0.1, with its aws-sdk 2, seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent @auth0/s3@1.0.1 > /dev/null 2>&1
cat > "$dir/run.mjs" <<'J'
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import aws from "aws-sdk";
import s3 from "@auth0/s3";
// A bucket that lists its keys as S3 does, by the bytes of UTF-8.
const objects = new Map();
let said = [];
const bucket = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part)).on("end", () => {
    const body = Buffer.concat(parts);
    const key = decodeURIComponent(new URL(request.url, "http://bucket").pathname).replace(/^\/shop\/?/, "");
    const tag = (bytes) => `"${createHash("md5").update(bytes).digest("hex")}"`;
    if (request.method === "PUT") {
      said.push(`put ${key}`);
      objects.set(key, body);
      return response.writeHead(200, { ETag: tag(body) }).end();
    }
    if (request.method === "POST") {
      for (const [, gone] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) said.push(`delete ${gone}`), objects.delete(gone);
      return response.end("<DeleteResult></DeleteResult>");
    }
    const keys = [...objects.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const contents = keys.map((name) => `<Contents><Key>${name}</Key><ETag>${tag(objects.get(name))}</ETag><Size>${objects.get(name).length}</Size></Contents>`);
    response.end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`);
  });
});
await new Promise((done) => bucket.listen(0, "127.0.0.1", done));
const endpoint = `http://127.0.0.1:${bucket.address().port}`;
const s3Client = new aws.S3({ endpoint, s3ForcePathStyle: true, region: "us-east-1", accessKeyId: "a", secretAccessKey: "s", signatureVersion: "s3" });
const client = s3.createClient({ s3Client });
async function deploy() {
  said = [];
  await new Promise((done, failed) => {
    client.uploadDir({ localDir: "media", deleteRemoved: true, s3Params: { Bucket: "shop" } }).on("end", done).on("error", failed);
  });
  return said.sort().join(", ") || "nothing";
}
mkdirSync("media");
for (const name of ["mug.webp", "𠮷田の包丁.webp", "カップ.webp"]) writeFileSync(`media/${name}`, name);
const seen = [`first: ${await deploy()}`, `unchanged: ${await deploy()}`];
writeFileSync("media/ＬＥＤ電球.webp", "led");
seen.push(`with ＬＥＤ: ${await deploy()}`, `unchanged: ${await deploy()}`);
console.log(seen.join("; "));
bucket.close();
bucket.closeAllConnections();
J
seen=$(cd "$dir" && node run.mjs 2> "$dir/err") || { cat "$dir/err"; exit 1; }
echo "@auth0/s3 1.0.1, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'first: put mug.webp, put カップ.webp, put 𠮷田の包丁.webp; unchanged: nothing; with ＬＥＤ: put ＬＥＤ電球.webp; unchanged: delete 𠮷田の包丁.webp, put 𠮷田の包丁.webp' ]
