#!/usr/bin/env bash
# s3-sync-client, asked to make s3://shop/v1 like a folder and to delete what the folder lacks (`del: true`), also deletes the objects of v10/ and
# v1-before/: it lists by the bare prefix "v1". One would guess that it stays below v1/, as aws s3 sync, rclone and @auth0/s3 do.
# A catalog that has a place for each version or channel (v1, v10; shop, shop-b2b) loses the neighbour's answers at the next deploy, and the result
# lists them among the deleted as if they were its own.
# Version: s3-sync-client 4.3.1 with @aws-sdk/client-s3 3.1169.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund s3-sync-client@4.3.1 @aws-sdk/client-s3@3.1169.0
mkdir site; echo '{"price":19.9}' > site/product.json
cat > run.js <<'JS'
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { S3Client } from "@aws-sdk/client-s3";
import { S3SyncClient } from "s3-sync-client";

// The least of a store: keys, a listing by prefix, deletion.
const keys = new Set(["v1/withdrawn.json", "v10/product.json", "v1-before/product.json"]);
const answer = async (request) => {
  const { pathname, searchParams } = new URL(request.url, "http://store");
  const body = await text(request);
  if (request.method === "PUT") keys.add(pathname.slice("/shop/".length));
  if (searchParams.has("delete")) {
    for (const [, key] of body.matchAll(/<Key>(.*?)<\/Key>/g)) keys.delete(key);
    return "<DeleteResult/>";
  }
  if (request.method !== "GET") return "";
  const found = [...keys].filter((key) => key.startsWith(searchParams.get("prefix") ?? ""));
  const contents = found.map((key) => `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>1</Size></Contents>`);
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`;
};
const server = createServer(async (request, response) => response.setHeader("etag", '"1"').end(await answer(request)));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const client = new S3Client({
  endpoint: `http://127.0.0.1:${server.address().port}`,
  region: "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
});
const { sync } = new S3SyncClient({ client });
const { deleted } = await sync("site", "s3://shop/v1", { del: true });
console.log(`deleted ${deleted.map(({ id }) => id).sort().join(" ")}; left ${[...keys].sort().join(" ")}`);
process.exit();
JS
seen=$(node run.js)
echo "s3-sync-client $(node -p 'JSON.parse(require("node:fs").readFileSync("node_modules/s3-sync-client/package.json", "utf8")).version')"
echo "seen: $seen"
[ "$seen" = 'deleted v1-before/product.json v1/withdrawn.json v10/product.json; left v1/product.json' ]
