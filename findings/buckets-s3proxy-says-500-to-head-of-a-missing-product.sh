#!/usr/bin/env bash
# A product that the bucket does not have is 404 by GET through s3proxy, and 500 by HEAD: by pipe(), and by staticSite(), whose page for errors is not sent then. A store's answer to HEAD has no body and so no code, and the AWS SDK calls it NotFound; s3proxy knows NoSuchKey.
# One would guess that HEAD is GET without the body, as in each web server, since it is the same line of code for the caller. Objects that exist have equal answers to both.
# Those who ask by HEAD are link checkers, monitors, feed validators and CDNs that look whether an address is alive: a withdrawn product is an outage to them, is asked for again and again, and raises an alarm, while a 404 would end it. Use fetch() and take err.statusCode ?? err.$metadata?.httpStatusCode.
# Version: s3proxy@4.2.1 with @aws-sdk/client-s3@3.1175.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" s3proxy@4.2.1 @aws-sdk/client-s3@3.1175.0
cat > "$dir/head.mjs" <<'JS'
import { createServer } from "node:http";
import { S3Proxy } from "s3proxy";

const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
const objects = { "/shop/": "", "/shop/mug.json": '{"title":"Mug"}', "/shop/404.html": "<h1>Not here</h1>" };
/** As S3 answers: an error has its code in a body, which an answer to HEAD cannot have. */
const store = await listen((request, response) => {
  const body = objects[request.url.split("?")[0]];
  const status = body === undefined ? 404 : 200;
  response.writeHead(status, { "content-type": status === 404 ? "application/xml" : "application/json", etag: '"1"' });
  response.end(request.method === "HEAD" ? undefined : (body ?? "<Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>"));
});
const proxy = new S3Proxy({ bucket: "shop", endpoint: `http://127.0.0.1:${store}`, region: "us-east-1", forcePathStyle: true, credentials: { accessKeyId: "some-key", secretAccessKey: "some-secret" } });
await proxy.init();
const fronts = { pipe: await listen((request, response) => proxy.pipe(request, response)), staticSite: await listen(proxy.staticSite({ errorDocument: "404.html" })) };
for (const [name, port] of Object.entries(fronts))
  for (const path of ["mug.json", "gone.json"]) {
    const statuses = [];
    for (const method of ["GET", "HEAD"]) statuses.push(`${method} ${(await fetch(`http://127.0.0.1:${port}/${path}`, { method })).status}`);
    console.log(`${name} of ${path}: ${statuses.join(", ")}`);
  }
process.exit();
JS
seen=$(timeout 60 node "$dir/head.mjs")
echo "s3proxy $(node -p "require('$dir/node_modules/s3proxy/package.json').version")"
echo "seen: $seen"
[ "$seen" = "pipe of mug.json: GET 200, HEAD 200
pipe of gone.json: GET 404, HEAD 500
staticSite of mug.json: GET 200, HEAD 200
staticSite of gone.json: GET 404, HEAD 500" ]
