#!/usr/bin/env bash
# s3mini puts and gets the objects "a!2cb.json" and "a(b).json" with the signature that AWS's own signer gives, but a list of the keys that begin with "a!2c" or "a(b" has another signature, which a store refuses.
# One would guess one rule for a path and a query (both are RFC 3986 in AWS's page): the query is encoded by encodeURIComponent alone, which leaves !'()* as they are. The prefix "a=b" is signed well.
# Keys with = and , are what one tries; a copy or a deletion below one such folder of a catalog fails with 403 while all single objects work, so rights are looked for where none lack.
# Version: s3mini@1.0.2, @smithy/signature-v4@5.7.5, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" s3mini@1.0.2 @smithy/signature-v4@5.7.5
cat > "$dir/lists.mjs" <<'JS'
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { SignatureV4 } from "@smithy/signature-v4";
import { S3mini } from "s3mini";

class Sha256 {
  constructor(secret) {
    this.hash = secret === undefined ? createHash("sha256") : createHmac("sha256", secret);
  }
  update(data) {
    this.hash.update(data);
  }
  async digest() {
    return this.hash.digest();
  }
}

let last;
const store = createServer((request, response) => {
  last = request;
  request.resume();
  const isList = request.url.includes("?");
  response.writeHead(200, { "content-type": isList ? "application/xml" : "application/json", etag: '"one"' });
  response.end(isList ? "<ListBucketResult><Name>shop</Name><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount></ListBucketResult>" : "{}");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => store.once("listening", resolve));
const keys = { accessKeyId: "some-key", secretAccessKey: "some-secret" };
const endpoint = `http://127.0.0.1:${store.address().port}/shop`;
const s3 = new S3mini({ ...keys, endpoint, region: "us-east-1" });

/** Whether the last request has the signature that AWS's signer gives for it. */
async function isAsAws() {
  const { url, method, headers } = last;
  const [path, query = ""] = url.split("?");
  const [, names] = /SignedHeaders=([^,]+)/.exec(headers.authorization);
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(headers["x-amz-date"]);
  const signer = new SignatureV4({ service: "s3", region: "us-east-1", credentials: keys, sha256: Sha256, uriEscapePath: false, applyChecksum: false });
  const request = {
    method,
    protocol: "http:",
    hostname: "127.0.0.1",
    path: path.split("/").map((part) => encodeURIComponent(decodeURIComponent(part)).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)).join("/"),
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries(names.split(";").map((name) => [name, headers[name]])),
  };
  const signed = await signer.sign(request, { signingDate: new Date(Date.UTC(year, month - 1, day, hour, minute, second)) });
  const signature = (text) => /Signature=(\w+)/.exec(text)[1];
  return signature(signed.headers.authorization) === signature(headers.authorization);
}

const seen = [];
for (const beginning of ["a=b", "a!2cb", "a(b)"]) {
  const results = [];
  for (const ask of [() => s3.putObject(`${beginning}.json`, "{}"), () => s3.getObject(`${beginning}.json`), () => s3.listObjects("/", beginning)]) {
    await ask();
    results.push((await isAsAws()) ? "same" : "other");
  }
  seen.push(`${beginning}: put ${results[0]}, get ${results[1]}, list ${results[2]}`);
}
store.close();
console.log(seen.join("; "));
JS
seen=$(timeout 60 node "$dir/lists.mjs")
echo "s3mini $(node -p "require('$dir/node_modules/s3mini/package.json').version")"
echo "seen: $seen"
[ "$seen" = "a=b: put same, get same, list same; a!2cb: put same, get same, list other; a(b): put same, get same, list other" ]
