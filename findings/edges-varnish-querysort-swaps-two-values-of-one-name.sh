#!/usr/bin/env bash
# Varnish's std.querysort(), the usual line to give all spellings of a query one cached copy, sorts the parts as texts, values included: "sort=price&sort=name" reaches the origin as "sort=name&sort=price". One would guess that it sorts by name and leaves values of one name in their order, as URLSearchParams.sort() does.
# Where a name may come twice the order has a meaning: PHP and Rails take the last value, Go and Java the first, "sort=price&sort=name" sorts by price first. Both orders become one question, and a list comes back in another order than was asked for, with 200.
# Version: Varnish 7.1.1 (Debian's package varnish), seen with an origin on Node 20.
set -euo pipefail
command -v varnishd > /dev/null || { echo "needs Debian's package varnish"; exit 1; }
dir=$(mktemp -d); running=; trap '[ -z "$running" ] || { kill $running 2> /dev/null; wait $running 2> /dev/null; } || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"
node -e 'const server = require("node:http").createServer((request, response) => response.end(request.url)); server.listen(0, "127.0.0.1", () => console.log(server.address().port))' > "$dir/port" & running=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '%s\n' 'vcl 4.1; import std;' "backend default { .host = \"127.0.0.1\"; .port = \"$(cat "$dir/port")\"; }" 'sub vcl_recv { set req.url = std.querysort(req.url); }' > "$dir/sorted.vcl"
varnishd -F -n "$dir/varnish" -a "127.0.0.1:$port" -f "$dir/sorted.vcl" -s malloc,20m > "$dir/log" 2>&1 & running="$running $!"
for _ in $(seq 200); do curl -sf -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
seen=$(for query in 'sort=price&sort=name' 'sort=name&sort=price' 'page=2&min=10&min=9'; do
  echo "$query: Varnish $(curl -s "http://127.0.0.1:$port/l?$query"), URLSearchParams $(node -p 'const query = new URLSearchParams(process.argv[1]); query.sort(); String(query)' "$query")"
done)
dpkg-query -W -f '${Package} ${Version}\n' varnish
echo "seen: $seen"
[ "$seen" = 'sort=price&sort=name: Varnish /l?sort=name&sort=price, URLSearchParams sort=price&sort=name
sort=name&sort=price: Varnish /l?sort=name&sort=price, URLSearchParams sort=name&sort=price
page=2&min=10&min=9: Varnish /l?min=10&min=9&page=2, URLSearchParams min=10&min=9&page=2' ]
