#!/usr/bin/env bash
# s3-deploy with --filePrefix catalog and --deleteRemoved uploads the files below catalog/, then deletes them, with everything else in the bucket,
# and ends with exit 0. One would guess that it deletes below catalog/ what is no longer in the folder: its page offers --filePrefix for keeping
# several versions side by side, and --deleteRemoved for cleaning up. But the bucket is listed without a prefix, and its keys are compared with
# local names that have none.
# A shop that puts its catalog's new prices below a prefix of the bucket of its site has neither catalog nor site afterwards, and the log ends
# with a list that looks like any cleaning up. Give a catalog a bucket of its own, and s3-deploy no right to delete.
# Version: s3-deploy@1.4.0, with its aws-sdk 2, seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent s3-deploy@1.4.0 > /dev/null 2>&1
cd "$dir"
mkdir -p site/product; echo '{"price":"18.90"}' > site/product/mug.json
cat > bucket.cjs <<'J'
// A bucket with the shop's pages, as the endpoint of aws-sdk; HEAD, PUT, list and delete as S3 does them.
const objects = new Map([["index.html", "<h1>Shop</h1>"], ["catalog/product/cup.json", "{}"]]);
const said = [];
const bucket = require("node:http").createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part)).on("end", () => {
    const url = new URL(request.url, "http://bucket");
    const key = decodeURIComponent(url.pathname).replace(/^\/shop\/?/, "");
    if (request.method === "POST") for (const [, gone] of body.matchAll(/<Key>(.*?)<\/Key>/g)) said.push(`delete ${gone}`), objects.delete(gone);
    if (request.method === "POST") return response.end("<DeleteResult></DeleteResult>");
    if (request.method === "PUT") said.push(`put ${key}`), objects.set(key, body);
    if (key !== "") return response.writeHead(objects.has(key) ? 200 : 404).end();
    said.push(`list ${url.searchParams.get("prefix")}`);
    const contents = [...objects.keys()].map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join("");
    response.end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`);
  });
});
bucket.listen(0, "127.0.0.1", () => {
  const env = { ...process.env, BUCKET: `http://127.0.0.1:${bucket.address().port}`, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
  const program = ["-r", "./endpoint.cjs", "node_modules/s3-deploy/bin/s3-deploy", "site/**", "--cwd", "site/", "--region", "us-east-1", "--bucket", "shop"];
  require("node:child_process").execFile("node", [...program, "--filePrefix", "catalog", "--deleteRemoved"], { env }, (error) => {
    console.log(`${error === null ? "exit 0" : error.message}: ${said.join(", ")}; left: ${[...objects.keys()].join(", ") || "nothing"}`);
    bucket.close();
    bucket.closeAllConnections();
  });
});
J
echo 'require("aws-sdk").config.update({ s3: { endpoint: process.env.BUCKET, s3ForcePathStyle: true } });' > endpoint.cjs
seen=$(node bucket.cjs)
echo "s3-deploy 1.4.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'exit 0: put catalog/product/mug.json, list null, delete index.html, delete catalog/product/cup.json, delete catalog/product/mug.json; left: nothing' ]
