#!/usr/bin/env bash
# lighttpd answers /products/page=1.json/ and /products/page=1.json/page=2.json with 200 and the bytes of page=1.json: what follows a file's name
# is "path info" even for plain files. One would guess 404, as nginx, Caddy, H2O and Apache give for static files.
# A catalog of files has endless addresses for each answer behind it: a wrong relative link is a good answer of another page, and a CDN keeps each
# under its own key, out of reach of a purge that names the file.
# Version: lighttpd 1.4.69 (Debian's package lighttpd).
set -euo pipefail
command -v lighttpd > /dev/null || { echo "needs Debian's package lighttpd"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir -p "$dir/site/products"; echo '{"page":1}' > "$dir/site/products/page=1.json"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf 'server.document-root = "%s/site"\nserver.bind = "127.0.0.1"\nserver.port = %s\nmimetype.assign = (".json" => "application/json")\n' "$dir" "$port" > "$dir/conf"
lighttpd -D -f "$dir/conf" 2> "$dir/log" & pid=$!
for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
seen=$(for path in page=1.json page=1.json/ page=1.json/page=2.json page=2.json; do curl -s -o "$dir/body" -w "$path %{http_code} " "http://127.0.0.1:$port/products/$path"; head -c 10 "$dir/body" | tr '\n' ' '; echo; done)
lighttpd -v | sed -n 1p
echo "seen: $seen"
[ "$(grep -c '200 {"page":1}' <<< "$seen")" = 3 ] && grep -q '^page=2.json 404' <<< "$seen"
