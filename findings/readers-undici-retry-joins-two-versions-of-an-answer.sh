#!/usr/bin/env bash
# undici's retry interceptor joins the first half of one version to the second half of another, if the ETag is weak or missing. One would guess that it asks for
# the whole answer again, or only joins what a validator says is the same. It asks for the missing bytes (Range) without If-Match, and compares only lengths.
# Express and its file server make only weak ETags, and a new price often has as many digits as the old one: a list that breaks off while the shop publishes
# arrives as valid JSON with prices of two moments, and with the later generated_at.
# Version: undici 8.13.1 on Node 24.21.0. With a strong ETag it sends If-Match, and the 412 is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund undici@8.13.1 node@24.21.0
export PATH="$dir/node_modules/.bin:$PATH"
cat > run.js <<'JS'
import { createServer } from "node:http";
import { Agent, interceptors, request } from "undici";

const before = '{"data":[{"id":1,"price":"19.90"},{"id":2,"price":"19.90"}],"at":"09:00"}';
const after = '{"data":[{"id":1,"price":"24.50"},{"id":2,"price":"24.50"}],"at":"09:05"}';

async function read(etagOf) {
  let requests = 0;
  const server = createServer(({ headers }, response) => {
    requests++;
    const [body, etag] = requests === 1 ? [before, etagOf("1")] : [after, etagOf("2")];
    const common = { "Content-Type": "application/json", ...(etag && { ETag: etag }) };
    if (headers["if-match"] && headers["if-match"] !== etag) return response.writeHead(412).end();
    const from = Number(/^bytes=(\d+)/.exec(headers.range ?? "")?.[1] ?? -1);
    if (from >= 0) {
      const range = `bytes ${from}-${body.length - 1}/${body.length}`;
      return response.writeHead(206, { ...common, "Content-Range": range, "Content-Length": body.length - from }).end(body.slice(from));
    }
    response.writeHead(200, { ...common, "Content-Length": body.length });
    // The connection breaks after the first product.
    response.write(body.slice(0, 40), () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const dispatcher = new Agent().compose(interceptors.retry({ minTimeout: 50 }));
  try {
    const { body } = await request(`http://127.0.0.1:${server.address().port}/`, { dispatcher });
    return await body.text();
  } catch (error) {
    return error.code;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

console.log("weak ETag:", await read((version) => `W/"${version}"`));
console.log("no ETag:", await read(() => undefined));
console.log("strong ETag:", await read((version) => `"${version}"`));
process.exit();
JS
seen=$(node run.js)
echo "undici@8.13.1, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'weak ETag: {"data":[{"id":1,"price":"19.90"},{"id":2,"price":"24.50"}],"at":"09:05"}
no ETag: {"data":[{"id":1,"price":"19.90"},{"id":2,"price":"24.50"}],"at":"09:05"}
strong ETag: UND_ERR_REQ_RETRY' ]
