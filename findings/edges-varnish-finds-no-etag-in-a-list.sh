#!/usr/bin/env bash
# Varnish answers 304 to If-None-Match with the one ETag of its copy, and 200 with the whole body to a list that has it, and to "*". RFC 9110 13.1.2 defines the field as a list or "*"; one would guess that Varnish reads it as such. nginx in front of the same origin answers all four with 304.
# A cache that keeps several versions of a list (one a language or encoding) asks with all their ETags, as RFC 9111 4.3.1 tells it: behind Varnish it never learns that one is still good, and loads the body each time.
# Version: Varnish 7.1.1, nginx 1.22.1 (Debian's packages varnish and nginx), seen with an origin on Node 20.
set -euo pipefail
for tool in varnishd nginx; do command -v $tool > /dev/null || { echo "needs Debian's packages varnish nginx"; exit 1; }; done
dir=$(mktemp -d); running=; trap '[ -z "$running" ] || { kill $running 2> /dev/null; wait $running 2> /dev/null; } || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/cache"; chmod 777 "$dir/cache"
cat > "$dir/origin.cjs" <<'JS'
const server = require("node:http").createServer((request, response) => {
  const headers = { "content-type": "application/json", "cache-control": "max-age=60", etag: '"a"', "content-length": 2 };
  response.writeHead(200, headers).end("[]");
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
nginx -c "$dir/nginx.conf" > "$dir/nginx.out" 2>&1 & running="$running $!"
for port in "$varnish" "$nginx"; do for _ in $(seq 200); do curl -sf -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done; done
seen=$(for server in varnish nginx; do
  for known in '"a"' '"z", "a"' '"a", "z"' '*'; do
    echo "$server $known $(curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $known" "http://127.0.0.1:${!server}/")"
  done
done)
dpkg-query -W -f '${Package} ${Version}\n' varnish nginx
echo "seen: $seen"
[ "$seen" = 'varnish "a" 304
varnish "z", "a" 200
varnish "a", "z" 200
varnish * 200
nginx "a" 304
nginx "z", "a" 304
nginx "a", "z" 304
nginx * 304' ]
