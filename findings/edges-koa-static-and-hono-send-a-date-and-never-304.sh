#!/usr/bin/env bash
# koa-static and serveStatic of @hono/node-server send Last-Modified and no ETag, and answer If-Modified-Since with that date, or a later one, with 200 and the whole file. One would guess
# 304, as express.static and Fastify do: nothing else is gained by the date. Behind them every reload of a catalog's files is a full one, and a CDN that
# asks them again after its time gets all bytes again; conditional requests are a middleware of their own in both (koa-conditional-get, hono/etag).
# Version: koa 3.3.0 with koa-static 5.0.0, hono 4.13.19 with @hono/node-server 2.1.9, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json; mkdir site; echo '{}' > site/store.json
npm install --silent --no-audit --no-fund koa@3.3.0 koa-static@5.0.0 hono@4.13.19 @hono/node-server@2.1.9
cat > serve.js <<'JS'
const [name, port] = process.argv.slice(2);
if (name === "koa") {
  const Koa = (await import("koa")).default;
  new Koa().use((await import("koa-static")).default("site")).listen(Number(port), "127.0.0.1");
} else {
  const { Hono } = await import("hono");
  const { serve } = await import("@hono/node-server");
  const { serveStatic } = await import("@hono/node-server/serve-static");
  serve({ fetch: new Hono().use("/*", serveStatic({ root: "site" })).fetch, port: Number(port), hostname: "127.0.0.1" });
}
JS
seen=
for name in koa hono; do
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  node serve.js "$name" "$port" > log 2>&1 & pid=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
  url="http://127.0.0.1:$port/store.json"
  date=$(curl -s -D - -o /dev/null "$url" | tr -d '\r' | sed -n 's/^last-modified: //Ip')
  seen+="$name: a date $([ -n "$date" ] && echo yes), ETag $(curl -s -D - -o /dev/null "$url" | grep -ci '^etag' || true), $(curl -s -o /dev/null -w '%{http_code}' -H "If-Modified-Since: $date" "$url"); "
  kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
done
echo "seen: $seen"
[ "$seen" = "koa: a date yes, ETag 0, 200; hono: a date yes, ETag 0, 200; " ]
