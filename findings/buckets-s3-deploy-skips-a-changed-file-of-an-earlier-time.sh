#!/usr/bin/env bash
# s3-deploy says "File Matches, skipped" of a file whose bytes differ from the object's, if the file's time is before the object's last upload. One
# would guess that the MD5 decides, which it makes of every file and sends as If-None-Match. But it sends the file's time as If-Unmodified-Since
# as well, and takes the 412 of an object that was uploaded since for "the same": no error, exit 0.
# A catalog that is put back from yesterday's backup or from `cp -a`, `rsync -a` or tar keeps yesterday's times: going back after a wrong price
# uploads nothing, and the log says that all files match. So does each build that sets one time for all files to be reproducible: its second
# deploy never uploads a change. `touch` the files first (seen below), or take a program that compares ETags only.
# Version: s3-deploy@1.4.0, with its aws-sdk 2, seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent s3-deploy@1.4.0 > /dev/null 2>&1
cd "$dir"
mkdir -p site
cat > bucket.mjs <<'J'
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { execFile } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
// A bucket of one key, as the endpoint of aws-sdk. HEAD heeds both conditions (RFC 9110, 13.2.2: If-Unmodified-Since comes first).
let held;
const bucket = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part)).on("end", () => {
    if (request.method === "PUT") held = { body, time: Math.floor(Date.now() / 1000) * 1000 };
    if (held === undefined) return response.writeHead(404).end();
    const { "if-unmodified-since": since, "if-none-match": tag } = request.headers;
    const md5 = createHash("md5").update(held.body).digest("hex");
    const status = since !== undefined && held.time > Date.parse(since) ? 412 : tag?.includes(md5) ? 304 : 200;
    response.writeHead(status, { ETag: `"${md5}"`, "Last-Modified": new Date(held.time).toUTCString() }).end();
  });
});
await new Promise((done) => bucket.listen(0, "127.0.0.1", done));
const env = { ...process.env, BUCKET: `http://127.0.0.1:${bucket.address().port}`, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
const program = ["-r", "./endpoint.cjs", "node_modules/s3-deploy/bin/s3-deploy", "site/**", "--cwd", "site/", "--region", "us-east-1", "--bucket", "shop"];
async function deploy(price, hours) {
  writeFileSync("site/mug.json", JSON.stringify({ price }));
  const time = new Date(Date.now() + hours * 3_600_000);
  utimesSync("site/mug.json", time, time);
  const said = await new Promise((done) => execFile("node", program, { env }, (error, out, err) => done(error ? "failed" : /Uploaded|File Matches/.exec(out + err)?.[0])));
  return `${price}: ${said}, live ${JSON.parse(held.body).price}`;
}
// Yesterday's build, today's wrong price, then yesterday's build again: with its own time, and with that of now (an hour ahead of the upload).
const seen = [await deploy("19.90", -24), await deploy("1.99", 1), await deploy("19.90", -24), await deploy("19.90", 1)];
console.log(seen.join("; "));
bucket.close();
bucket.closeAllConnections();
J
echo 'require("aws-sdk").config.update({ s3: { endpoint: process.env.BUCKET, s3ForcePathStyle: true } });' > endpoint.cjs
seen=$(node bucket.mjs)
echo "s3-deploy 1.4.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '19.90: Uploaded, live 19.90; 1.99: Uploaded, live 1.99; 19.90: File Matches, live 1.99; 19.90: Uploaded, live 19.90' ]
