#!/usr/bin/env bash
# nginx with "slice" (a big file is cached in pieces) has the first piece of a file, and the file changes: whoever asks for all of it gets an empty reply, the connection is closed without a status, each time until the piece's time is over. One
# would guess that it fetches the pieces anew: it notices that the ETag is another. Without an ETag it notices nothing, Last-Modified or not, and sends the beginning of the old file with the rest of the new one as 200.
# A catalog's bulk file of one name is gone for an hour after each publish, or is one that nobody wrote. Files with a digest in their name, and an ETag, are safe.
# Version: nginx 1.22.1 (Debian's package nginx), seen with an origin on Node 20.
set -euo pipefail
command -v nginx > /dev/null || { echo "needs Debian's package nginx"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; origin=; trap '[ -z "$origin" ] || kill "$origin" 2> /dev/null || true; [ ! -s "$dir/pid" ] || kill "$(cat "$dir/pid")" 2> /dev/null || true; sleep 1; rm -rf "$dir"' EXIT
mkdir -m 777 "$dir/cache"
cat > "$dir/origin.cjs" <<'JS'
let version = 1;
const server = require("node:http").createServer((request, response) => {
  if (request.url === "/publish") {
    version += 1;
    return response.end();
  }
  const body = String(version).repeat(30);
  const dated = { "content-type": "application/x-ndjson", "last-modified": `Fri, 02 Jan 2026 03:04:0${version} GMT` };
  const headers = request.url === "/tagged" ? { ...dated, etag: `"${version}"` } : dated;
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  if (!range) return response.writeHead(200, headers).end(body);
  const [start, end] = [Number(range[1]), Math.min(Number(range[2]), body.length - 1)];
  response.writeHead(206, { ...headers, "content-range": `bytes ${start}-${end}/${body.length}` }).end(body.slice(start, end + 1));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & origin=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$dir/nginx.conf" <<CONF
pid $dir/pid; error_log $dir/log; events {}
http {
  access_log off; proxy_cache_path $dir/cache keys_zone=shop:1m; proxy_temp_path $dir/temp; client_body_temp_path $dir/body;
  server {
    listen 127.0.0.1:$port;
    location / {
      slice 10; proxy_cache shop; proxy_cache_key \$uri\$slice_range; proxy_set_header Range \$slice_range; proxy_cache_valid 200 206 1h;
      proxy_http_version 1.1; proxy_pass http://127.0.0.1:$(cat "$dir/port");
    }
  }
}
CONF
nginx -c "$dir/nginx.conf" 2> /dev/null
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/warm" && break; sleep 0.1; done
ask() { curl -s -w ' %{http_code} %{exitcode}; ' "$@" || true; }
first=$(for name in tagged dated; do ask -r 0-4 "http://127.0.0.1:$port/$name"; done)
curl -s "http://127.0.0.1:$(cat "$dir/port")/publish"
then=$(for name in tagged tagged dated; do ask "http://127.0.0.1:$port/$name"; done)
nginx -v 2>&1
echo "seen: $first$then"
[ "$first$then" = "11111 206 0; 11111 206 0;  000 52;  000 52; 111111111122222222222222222222 200 0; " ]
