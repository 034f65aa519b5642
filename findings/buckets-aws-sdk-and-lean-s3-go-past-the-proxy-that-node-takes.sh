#!/usr/bin/env bash
# With NODE_USE_ENV_PROXY=1 and HTTP_PROXY, Node's fetch and http.get go through the proxy, and with them minio, aws4fetch and s3mini. The AWS SDK for JavaScript and lean-s3 go past it, to the store itself: each makes agents of its own, which do not take the setting.
# One would guess that a setting of the whole process reaches all that it sends: on a machine whose only way out is a proxy, a deployment tests its public addresses and purges its CDN by fetch, and the upload says ENOTFOUND of the store's host.
# Where both ways are open, nothing fails: a catalog's upload leaves past the proxy that was to log or limit it. Give the SDK an agent with proxyEnv: process.env (Node 24.5 or newer): new NodeHttpHandler({ httpAgent, httpsAgent }).
# Version: @aws-sdk/client-s3@3.1175.0, lean-s3@0.6.3, minio@8.0.7, aws4fetch@1.0.20 and s3mini@1.0.2, seen on Node 24.
set -euo pipefail
case "$(node --version)" in v2[0-3].*) echo "needs Node 24.5 or newer"; exit 1 ;; esac
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @aws-sdk/client-s3@3.1175.0 lean-s3@0.6.3 minio@8.0.7 aws4fetch@1.0.20 s3mini@1.0.2
cat > "$dir/ask.mjs" <<'JS'
import { createServer, get, Agent } from "node:http";
import { connect } from "node:net";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { AwsClient } from "aws4fetch";
import { S3Client as LeanClient } from "lean-s3";
import { Client as Minio } from "minio";
import { S3mini } from "s3mini";

const [proxyPort, client] = process.argv.slice(2);
let way = null;
const store = createServer((_, response) => {
  way ??= "past the proxy";
  response.end("{}");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => store.once("listening", resolve));
const { port } = store.address();
const proxy = createServer((_, response) => {
  way = "through the proxy";
  response.end("{}");
});
proxy.on("connect", (_, socket) => {
  way = "through the proxy";
  socket.write("HTTP/1.1 200 OK\r\n\r\n");
  socket.pipe(connect(port, "127.0.0.1")).pipe(socket);
});
proxy.listen(Number(proxyPort), "127.0.0.1");
await new Promise((resolve) => proxy.once("listening", resolve));
const endpoint = `http://127.0.0.1:${port}`;
const keys = { accessKeyId: "some-key", secretAccessKey: "some-secret" };
const aws = { endpoint, region: "us-east-1", credentials: keys, forcePathStyle: true };
const object = new GetObjectCommand({ Bucket: "shop", Key: "products.json" });
const clients = {
  fetch: () => fetch(`${endpoint}/shop/products.json`),
  "http.get": () => new Promise((resolve) => get(`${endpoint}/shop/products.json`, (response) => resolve(response.resume()))),
  minio: () => new Minio({ endPoint: "127.0.0.1", port, useSSL: false, accessKey: "some-key", secretKey: "some-secret", region: "us-east-1" }).getObject("shop", "products.json"),
  aws4fetch: () => new AwsClient({ ...keys, service: "s3", region: "us-east-1" }).fetch(`${endpoint}/shop/products.json`),
  s3mini: () => new S3mini({ ...keys, endpoint: `${endpoint}/shop`, region: "us-east-1" }).getObject("products.json"),
  "lean-s3": () => new LeanClient({ ...keys, endpoint, region: "us-east-1", bucket: "shop" }).file("products.json").text(),
  "AWS SDK": () => new S3Client(aws).send(object),
  "AWS SDK with proxyEnv": () => new S3Client({ ...aws, requestHandler: { httpAgent: new Agent({ proxyEnv: process.env }) } }).send(object),
};
await clients[client]();
console.log(`${client}: ${way}`);
process.exit();
JS
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
seen=$(for client in fetch http.get minio aws4fetch s3mini lean-s3 "AWS SDK" "AWS SDK with proxyEnv"; do
  env -u http_proxy -u no_proxy -u NO_PROXY HTTP_PROXY="http://127.0.0.1:$port" NODE_USE_ENV_PROXY=1 timeout 60 node "$dir/ask.mjs" "$port" "$client"
done)
echo "@aws-sdk/client-s3 $(node -p "require('$dir/node_modules/@aws-sdk/client-s3/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "fetch: through the proxy
http.get: through the proxy
minio: through the proxy
aws4fetch: through the proxy
s3mini: through the proxy
lean-s3: past the proxy
AWS SDK: past the proxy
AWS SDK with proxyEnv: through the proxy" ]
