#!/usr/bin/env bash
# Apache's mod_cache has a fresh answer, and a reader sends If-None-Match with the ETag of an older one (or If-Range): Apache asks the origin, each time, though it gives the same answer from its copy to a reader that sends nothing. One would
# guess 200 from the copy: If-None-Match with the ETag of the copy is answered with 304 from it.
# After each publish of a catalog, every poller that kept its answer comes through to the origin once, all at the moment of the change, which is what the cache was to take; readers without a copy are served by it.
# Version: Apache 2.4.71 (Debian's package apache2-bin), seen with an origin on Node 20.
set -euo pipefail
modules=/usr/lib/apache2/modules
command -v apache2 > /dev/null && [ -f "$modules/mod_cache_disk.so" ] || { echo "needs Debian's package apache2-bin"; exit 1; }
dir=$(mktemp -d); origin=; trap '[ -z "$origin" ] || kill "$origin" 2> /dev/null || true; [ ! -s "$dir/pid" ] || kill "$(cat "$dir/pid")" 2> /dev/null || true; sleep 1; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir -m 777 "$dir/cache"
cat > "$dir/origin.cjs" <<'JS'
let count = 0;
const server = require("node:http").createServer((_, response) => {
  count += 1;
  response.writeHead(200, { "content-type": "application/json", "cache-control": "public, max-age=600", etag: '"new"' });
  response.end(String(count));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & origin=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
{
  for module in mpm_event authz_core proxy proxy_http cache cache_disk; do echo "LoadModule ${module}_module $modules/mod_$module.so"; done
  printf '%s\n' "ServerRoot $dir" "ServerName shop.example" "Listen 127.0.0.1:$port" "PidFile $dir/pid" "ErrorLog $dir/log" "User www-data" "Group www-data" \
    "CacheRoot $dir/cache" "CacheEnable disk /" "CacheHeader on" "ProxyPass / http://127.0.0.1:$(cat "$dir/port")/"
} > "$dir/httpd.conf"
apache2 -f "$dir/httpd.conf"
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/warm.json" && break; sleep 0.1; done
ask() { curl -s -D - -o /dev/null "$@" "http://127.0.0.1:$port/products.json" | tr -d '\r' | sed -nE 's/^HTTP[^ ]* ([0-9]+).*/\1/p; s/^X-Cache: ([A-Z]+).*/\1/p' | tr '\n' ' '; }
ask > /dev/null
seen="$(ask)/ $(ask -H 'If-None-Match: "new"')/ $(ask -H 'If-None-Match: "old"')/ $(ask -H 'If-None-Match: "old"')/ $(ask -H 'Range: bytes=0-0' -H 'If-Range: "old"')/ $(ask)"
apache2 -v | head -n 1
echo "seen: $seen"
[ "$seen" = "200 HIT / 304 HIT / 200 MISS / 200 MISS / 200 MISS / 200 HIT " ]
