#!/usr/bin/env bash
# nginx's proxy_cache keeps "Cache-Control: max-age=60" followed by an Expires in the past, and does not keep the same two headers in the other order: whichever comes first decides. RFC 9111 5.3 says that max-age overrides Expires, and an order of
# headers with different names has no meaning. PHP's session_start() sends "Expires: Thu, 19 Nov 1981 08:52:00 GMT" before what the program sets later, so a shop's list with a good max-age is never kept, with no word about it in the log.
# Version: nginx 1.22.1 (Debian's package nginx), seen with an origin on Node 20.
set -euo pipefail
command -v nginx > /dev/null || { echo "needs Debian's package nginx"; exit 1; }
dir=$(mktemp -d); running=; trap '[ -z "$running" ] || { kill $running 2> /dev/null; wait $running 2> /dev/null; } || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"
cat > "$dir/origin.cjs" <<'JS'
let count = 0;
const server = require("node:http").createServer((request, response) => {
  count += 1;
  const body = String(count);
  const { status, ...headers } = JSON.parse(decodeURIComponent(request.url.slice(2)));
  response.writeHead(status ?? 200, { "content-type": "application/json", "content-length": body.length, ...headers });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & running=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
origin=127.0.0.1:$(cat "$dir/port")
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
encoded() { python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe=""))' "$1"; }
ask() { curl -s -o - "http://127.0.0.1:$1/?$(encoded "$2")"; }
nginx=$(free); mkdir "$dir/nginx"; chmod 777 "$dir/nginx"
printf '%s\n' "daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; events {}" "http { access_log off; proxy_cache_path $dir/nginx keys_zone=kept:1m;" \
  "server { listen 127.0.0.1:$nginx; location / { proxy_pass http://$origin; proxy_cache kept; } } }" > "$dir/nginx.conf"
nginx -c "$dir/nginx.conf" > "$dir/nginx.out" 2>&1 & running="$running $!"
for port in "$nginx"; do for _ in $(seq 200); do [[ "$(ask "$port" '{"cache-control":"no-store"}')" =~ ^[0-9]+$ ]] && break; sleep 0.1; done; done
seen=$(while read -r answer; do
  for server in nginx; do
    first=$(ask "${!server}" "$answer"); second=$(ask "${!server}" "$answer")
    echo "$server $answer $([[ "$first" =~ ^[0-9]+$ ]] && [ "$first" = "$second" ] && echo kept || echo asked again)"
  done
done <<'LIST'
{"cache-control":"max-age=60"}
{"cache-control":"max-age=60","expires":"Thu, 19 Nov 1981 08:52:00 GMT"}
{"expires":"Thu, 19 Nov 1981 08:52:00 GMT","cache-control":"max-age=60"}
{"expires":"0","cache-control":"public, s-maxage=60"}
LIST
)
dpkg-query -W -f '${Package} ${Version}\n' nginx
echo "seen: $seen"
[ "$seen" = 'nginx {"cache-control":"max-age=60"} kept
nginx {"cache-control":"max-age=60","expires":"Thu, 19 Nov 1981 08:52:00 GMT"} kept
nginx {"expires":"Thu, 19 Nov 1981 08:52:00 GMT","cache-control":"max-age=60"} asked again
nginx {"expires":"0","cache-control":"public, s-maxage=60"} asked again' ]
