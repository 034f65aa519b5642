#!/usr/bin/env bash
# HAProxy's cache never keeps an answer with "Cache-Control: max-age=0, s-maxage=60", and keeps one with "max-age=60, s-maxage=60". RFC 9111 5.2.2.10 says that s-maxage overrides max-age for a shared cache, and HAProxy itself takes
# s-maxage before max-age for the lifetime; one would guess that max-age=0 is for browsers only.
# It is the usual header of lists that a CDN keeps and purges and browsers ask for each time. Behind HAProxy each request goes through to the origin, without a sign of it but the load.
# Version: HAProxy 2.6.12 (Debian's package haproxy), seen with an origin on Node 20.
set -euo pipefail
command -v haproxy > /dev/null || { echo "needs Debian's package haproxy"; exit 1; }
dir=$(mktemp -d); origin=; proxy=; trap '[ -z "$origin" ] || kill "$origin" 2> /dev/null || true; [ -z "$proxy" ] || kill "$proxy" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/origin.cjs" <<'JS'
let count = 0;
const server = require("node:http").createServer((request, response) => {
  count += 1;
  const body = String(count);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length, "cache-control": decodeURIComponent(request.url.slice(2)) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & origin=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '%s\n' "cache kept" " total-max-size 4" " max-age 600" defaults " mode http" " timeout connect 3s" " timeout client 5s" " timeout server 5s" \
  "frontend shop" " bind 127.0.0.1:$port" " http-request cache-use kept" " http-response cache-store kept" " default_backend origin" \
  "backend origin" " server origin 127.0.0.1:$(cat "$dir/port")" > "$dir/haproxy.cfg"
haproxy -f "$dir/haproxy.cfg" 2> "$dir/log" & proxy=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/?no-store" && break; sleep 0.1; done
seen=$(for directives in max-age=60,s-maxage=60 s-maxage=60 max-age=0,s-maxage=60 s-maxage=60,max-age=0 public,max-age=0,s-maxage=60 max-age=60; do
  first=$(curl -s "http://127.0.0.1:$port/?$directives"); second=$(curl -s "http://127.0.0.1:$port/?$directives")
  echo "$directives: $([ "$first" = "$second" ] && echo kept || echo asked again)"
done)
haproxy -v | head -n 1
echo "seen: $seen"
[ "$seen" = 'max-age=60,s-maxage=60: kept
s-maxage=60: kept
max-age=0,s-maxage=60: asked again
s-maxage=60,max-age=0: asked again
public,max-age=0,s-maxage=60: asked again
max-age=60: kept' ]
