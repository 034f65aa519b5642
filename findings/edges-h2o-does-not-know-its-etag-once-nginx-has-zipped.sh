#!/usr/bin/env bash
# h2o compares If-None-Match as text with the one strong ETag of a file: W/"…" of the same value, a list and "*" get 200 and the whole body. RFC 9110 13.1.2 asks for the weak comparison, in which W/ does not count. One would guess that a file server with ETags gives a 304 to them through any proxy.
# nginx makes ETags weak when it compresses, as Varnish and some CDNs do, and passes the reader's W/"…" on: each reader that asks again for a list loads all of it, though nothing has changed, and the same server without the proxy looks right.
# Version: h2o 2.2.5, nginx 1.22.1 (Debian's packages h2o and nginx).
set -euo pipefail
for tool in h2o nginx; do command -v $tool > /dev/null || { echo "needs Debian's packages h2o nginx"; exit 1; }; done
dir=$(mktemp -d); running=; trap '[ -z "$running" ] || { kill $running 2> /dev/null; wait $running 2> /dev/null; } || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/site"
python3 -c 'import json; print(json.dumps([{"id": number, "price": 5} for number in range(500)]))' > "$dir/site/list.json"
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
origin=$(free); proxy=$(free)
printf '%s\n' "listen: {host: 127.0.0.1, port: $origin}" "hosts: {default: {paths: {/: {file.dir: $dir/site}}}}" > "$dir/h2o.conf"
h2o -c "$dir/h2o.conf" > "$dir/h2o.log" 2>&1 & running=$!
printf '%s\n' "daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; events {}" "http { access_log off; gzip on; gzip_proxied any; gzip_types application/json;" \
  "server { listen 127.0.0.1:$proxy; location / { proxy_pass http://127.0.0.1:$origin; proxy_http_version 1.1; } } }" > "$dir/nginx.conf"
nginx -c "$dir/nginx.conf" > "$dir/out" 2>&1 & running="$running $!"
for port in "$origin" "$proxy"; do for _ in $(seq 200); do curl -sf -o /dev/null "http://127.0.0.1:$port/list.json" && break; sleep 0.1; done; done
tag() { curl -s -o /dev/null -D - -H 'Accept-Encoding: gzip' "http://127.0.0.1:$1/list.json" | tr -d '\r' | sed -n 's/^etag: //Ip'; }
known() { curl -s -o /dev/null -w '%{http_code}' -H 'Accept-Encoding: gzip' -H "If-None-Match: $2" "http://127.0.0.1:$1/list.json"; }
strong=$(tag "$origin"); behind=$(tag "$proxy")
seen="its ETag: $(known "$origin" "$strong"); as a list: $(known "$origin" "\"z\", $strong"); *: $(known "$origin" '*'); nginx's ETag: ${behind%%\"*}, $(known "$proxy" "$behind")"
dpkg-query -W -f '${Package} ${Version}\n' h2o nginx
echo "seen: $seen"
[ "$seen" = "its ETag: 304; as a list: 200; *: 200; nginx's ETag: W/, 200" ]
