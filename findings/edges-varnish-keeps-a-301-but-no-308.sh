#!/usr/bin/env bash
# Varnish never keeps a 308, even with "max-age=60", and keeps 301, 302 and 307 with it. Both 301 and 308 are permanent redirects, which RFC 9110 15.1 calls cacheable even without a lifetime; one would guess that they are treated alike.
# Addresses of a catalog that moved (an old version, a slash too many) are answered by the origin each time, also with return code 308 only because POST should stay POST; a line for it in vcl_backend_response is needed.
# Version: Varnish 7.1.1 (Debian's package varnish), seen with an origin on Node 20.
set -euo pipefail
command -v varnishd > /dev/null || { echo "needs Debian's package varnish"; exit 1; }
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
varnish=$(free)
varnishd -F -n "$dir/varnish" -a "127.0.0.1:$varnish" -b "$origin" -s malloc,20m > "$dir/varnish.log" 2>&1 & running="$running $!"
for port in "$varnish"; do for _ in $(seq 200); do [[ "$(ask "$port" '{"cache-control":"no-store"}')" =~ ^[0-9]+$ ]] && break; sleep 0.1; done; done
seen=$(while read -r answer; do
  for server in varnish; do
    first=$(ask "${!server}" "$answer"); second=$(ask "${!server}" "$answer")
    echo "$server $answer $([[ "$first" =~ ^[0-9]+$ ]] && [ "$first" = "$second" ] && echo kept || echo asked again)"
  done
done <<'LIST'
{"status":301,"location":"/","cache-control":"max-age=60"}
{"status":302,"location":"/","cache-control":"max-age=60"}
{"status":307,"location":"/","cache-control":"max-age=60"}
{"status":308,"location":"/","cache-control":"max-age=60"}
LIST
)
dpkg-query -W -f '${Package} ${Version}\n' varnish
echo "seen: $seen"
[ "$seen" = 'varnish {"status":301,"location":"/","cache-control":"max-age=60"} kept
varnish {"status":302,"location":"/","cache-control":"max-age=60"} kept
varnish {"status":307,"location":"/","cache-control":"max-age=60"} kept
varnish {"status":308,"location":"/","cache-control":"max-age=60"} asked again' ]
