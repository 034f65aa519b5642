#!/usr/bin/env bash
# Caddy's file_server answers POST, DELETE and OPTIONS like GET: 200 and the file. One would guess 405 with Allow, as nginx and H2O send.
# A CORS preflight to a static catalog then "succeeds" with a whole page as its body and without the headers that it asked for, and a client that
# posts to a read-only API by mistake is told that it worked. A catalog behind Caddy must refuse other methods itself.
# Version: caddy 2.6.2 (Debian's package caddy).
set -euo pipefail
command -v caddy > /dev/null || { echo "needs Debian's package caddy"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"page":1}' > "$dir/site/page=1.json"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:%s {\n root * %s/site\n file_server\n}\n' "$port" "$dir" > "$dir/Caddyfile"
HOME=$dir XDG_DATA_HOME=$dir XDG_CONFIG_HOME=$dir caddy run --config "$dir/Caddyfile" --adapter caddyfile 2> "$dir/log" & pid=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
seen=$(for method in GET POST DELETE OPTIONS; do curl -s -X "$method" -o "$dir/body" -w "$method %{http_code} " "http://127.0.0.1:$port/page=1.json"; cat "$dir/body"; done)
echo "caddy $(caddy version)"
echo "seen: $seen"
[ "$(grep -c '200 {"page":1}' <<< "$seen")" = 4 ]
