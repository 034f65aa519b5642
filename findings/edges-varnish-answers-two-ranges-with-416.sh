#!/usr/bin/env bash
# Varnish answers a request for two ranges, "Range: bytes=0-0,5-9", with 416 and no body, and one for an unknown unit, "items=0-9", too. RFC 9110 14.2 lets a server ignore the field, and a proxy drop a unit which it does not know; 416 says that none of the ranges lies in the file.
# One would guess the whole file with 200, as Traffic Server and nginx's cache in front of the same origin give it, or both parts as Apache does.
# Programs that load the changed blocks of a bulk file (zsync) take 416 for the end of the file or for a file that got shorter, behind a cache that answers each of the ranges alone with 206.
# Version: Varnish 7.1.1, nginx 1.22.1 (Debian's packages varnish and nginx), seen with an origin on Node 20.
set -euo pipefail
for tool in varnishd nginx; do command -v $tool > /dev/null || { echo "needs Debian's packages varnish nginx"; exit 1; }; done
dir=$(mktemp -d); running=; trap '[ -z "$running" ] || { kill $running 2> /dev/null; wait $running 2> /dev/null; } || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/cache"; chmod 777 "$dir/cache"
cat > "$dir/origin.cjs" <<'JS'
const body = "0123456789".repeat(100);
const server = require("node:http").createServer((request, response) => {
  const headers = { "content-type": "application/x-ndjson", "cache-control": "max-age=60", etag: '"a"', "content-length": body.length };
  response.writeHead(200, headers).end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & running=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
origin=127.0.0.1:$(cat "$dir/port")
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
varnish=$(free); nginx=$(free)
varnishd -F -n "$dir/varnish" -a "127.0.0.1:$varnish" -b "$origin" -s malloc,20m > "$dir/varnish.log" 2>&1 & running="$running $!"
printf '%s\n' "daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; events {}" "http { access_log off; proxy_cache_path $dir/cache keys_zone=kept:1m;" \
  "server { listen 127.0.0.1:$nginx; location / { proxy_pass http://$origin; proxy_cache kept; } } }" > "$dir/nginx.conf"
nginx -c "$dir/nginx.conf" > "$dir/out" 2>&1 & running="$running $!"
for port in "$varnish" "$nginx"; do for _ in $(seq 200); do curl -sf -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done; done
seen=$(for server in varnish nginx; do
  for range in bytes=0-0 bytes=5-9 bytes=0-0,5-9 items=0-9; do
    echo "$server $range $(curl -s -o /dev/null -w '%{http_code} %{size_download}' -H "Range: $range" "http://127.0.0.1:${!server}/")"
  done
done)
dpkg-query -W -f '${Package} ${Version}\n' varnish nginx
echo "seen: $seen"
[ "$(grep '^varnish' <<< "$seen")" = 'varnish bytes=0-0 206 1
varnish bytes=5-9 206 5
varnish bytes=0-0,5-9 416 0
varnish items=0-9 416 0' ] && grep -q '^nginx bytes=0-0,5-9 200 1000$' <<< "$seen" && grep -q '^nginx items=0-9 200 1000$' <<< "$seen"
