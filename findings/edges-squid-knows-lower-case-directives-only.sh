#!/usr/bin/env bash
# Squid takes no notice of "Max-Age=60", "S-MaxAge=60" and "MAX-AGE=60": only directives in small letters count, and the answer is asked for each time. RFC 9111 5.2 says that names of directives are case-insensitive; Varnish, nginx and Traffic Server read them so.
# Some frameworks and hand-written rules say "Public, Max-Age=60". The same holds for the words that forbid: "No-Cache, max-age=60" is kept as if it said max-age=60 alone.
# Version: Squid 5.7 (Debian's package squid), seen with an origin on Node 20.
set -euo pipefail
command -v squid > /dev/null || { echo "needs Debian's package squid"; exit 1; }
dir=$(mktemp -d); origin=; proxy=; trap '[ -z "$origin" ] || kill "$origin" 2> /dev/null || true; [ -z "$proxy" ] || kill "$proxy" 2> /dev/null || true; [ -z "$proxy" ] || wait "$proxy" 2> /dev/null || true; rm -rf "$dir"' EXIT
chmod 777 "$dir"
cat > "$dir/origin.cjs" <<'JS'
let count = 0;
const server = require("node:http").createServer((request, response) => {
  count += 1;
  const body = String(count);
  const { status, ...headers } = JSON.parse(decodeURIComponent(request.url.slice(2).replaceAll("+", "%20")));
  response.writeHead(status ?? 200, { "content-type": "application/json", "content-length": body.length, ...headers });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & origin=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '%s\n' "http_port 127.0.0.1:$port accel defaultsite=shop.example no-vhost" "cache_peer 127.0.0.1 parent $(cat "$dir/port") 0 no-query no-digest no-netdb-exchange originserver" \
  "http_access allow all" "never_direct allow all" "pid_filename $dir/pid" "access_log none" "cache_log $dir/log" "coredump_dir $dir" \
  "visible_hostname shop.example" "shutdown_lifetime 0 seconds" "netdb_filename none" "pinger_enable off" > "$dir/squid.conf"
squid -N -f "$dir/squid.conf" > "$dir/out" 2>&1 & proxy=$!
ask() { curl -s -G --data-urlencode "=$1" "http://127.0.0.1:$port/" | tr -d '\n'; }
for _ in $(seq 200); do [[ "$(ask '{"cache-control":"no-store"}')" =~ ^[0-9]+$ ]] && break; sleep 0.1; done
seen=$(while read -r answer; do
  first=$(ask "$answer"); second=$(ask "$answer")
  echo "$answer $([[ "$first" =~ ^[0-9]+$ ]] && [ "$first" = "$second" ] && echo kept || echo asked again)"
done <<'LIST'
{"cache-control":"public, max-age=60"}
{"cache-control":"Public, Max-Age=60"}
{"cache-control":"S-MaxAge=60"}
{"cache-control":"no-cache, max-age=60"}
{"cache-control":"No-Cache, max-age=60"}
LIST
)
squid -v | head -n 1
echo "seen: $seen"
[ "$seen" = '{"cache-control":"public, max-age=60"} kept
{"cache-control":"Public, Max-Age=60"} asked again
{"cache-control":"S-MaxAge=60"} asked again
{"cache-control":"no-cache, max-age=60"} asked again
{"cache-control":"No-Cache, max-age=60"} kept' ]
