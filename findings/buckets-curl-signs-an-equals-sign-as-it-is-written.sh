#!/usr/bin/env bash
# `curl --aws-sigv4` of /shop/products/category=scripts/page=2.json has another signature than AWS's own signer gives, so a store answers 403; written category%3Dscripts it is the same one. ?prefix=a&list-type=2 is signed wrong, too, and right as ?list-type=2&prefix=a.
# One would guess that curl makes the canonical form that the signature is about: = is a plain letter of a path, and the order of a query's parameters means nothing to a store. curl signs what was typed.
# A folder like category=scripts is the usual name of a partition (Hive's), and plain names work, so one looks for a right that lacks. Encode all but letters, digits and -._~/ and sort the query.
# Version: curl 7.88.1 (Debian's package curl), @smithy/signature-v4@5.7.5, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); store=; trap '[ -z "$store" ] || kill "$store" 2> /dev/null || true; rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @smithy/signature-v4@5.7.5
cat > "$dir/store.mjs" <<'JS'
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { SignatureV4 } from "@smithy/signature-v4";

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
const credentials = { accessKeyId: "some-key", secretAccessKey: "some-secret" };
const signer = new SignatureV4({ service: "s3", region: "us-east-1", credentials, sha256: Sha256, uriEscapePath: false, applyChecksum: false });
const signature = (text) => /Signature=(\w+)/.exec(text)[1];

/** Answers whether a request has the signature that AWS's signer gives for it. */
createServer(async ({ url, method, headers }, response) => {
  const [path, query = ""] = url.split("?");
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization)[1].split(";");
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(headers["x-amz-date"]);
  const request = {
    method,
    protocol: "http:",
    hostname: "127.0.0.1",
    path: path.split("/").map((part) => encodeURIComponent(decodeURIComponent(part))).join("/"),
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
  };
  const signed = await signer.sign(request, { signingDate: new Date(Date.UTC(year, month - 1, day, hour, minute, second)) });
  response.end(signature(signed.headers.authorization) === signature(headers.authorization) ? "same" : "other");
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
JS
node "$dir/store.mjs" > "$dir/port" & store=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
empty=$(printf '' | sha256sum | cut -d' ' -f1)
seen=
for target in products/page.json products/category=scripts/page=2.json products/category%3Dscripts/page%3D2.json '?list-type=2&prefix=a' '?prefix=a&list-type=2'; do
  answer=$(curl -s --aws-sigv4 aws:amz:us-east-1:s3 --user some-key:some-secret -H "x-amz-content-sha256: $empty" "http://127.0.0.1:$(cat "$dir/port")/shop/$target")
  seen="$seen$target $answer, "
done
curl --version | head -n 1 | cut -d' ' -f1,2
echo "seen: $seen"
[ "$seen" = "products/page.json same, products/category=scripts/page=2.json other, products/category%3Dscripts/page%3D2.json same, ?list-type=2&prefix=a same, ?prefix=a&list-type=2 other, " ]
