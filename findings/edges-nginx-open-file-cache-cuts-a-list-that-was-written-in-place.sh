#!/usr/bin/env bash
# nginx with open_file_cache, a usual line of guides to a fast server, has seen a file; the file is then written in place by a longer one: for a minute each reader gets 200, the old length and the beginning of the new list. By a shorter one: an empty reply,
# without a status. One would guess the old file or the new one: it keeps the open file and its length apart from the bytes. A file that was renamed into the place is the old one, whole, for as long.
# JSON that ends in the middle, with a length that is right, is a complete answer for each cache behind it, which keeps it for its max-age. cp and rsync --inplace write so.
# Version: nginx 1.22.1 (Debian's package nginx).
set -euo pipefail
command -v nginx > /dev/null || { echo "needs Debian's package nginx"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/site"
for name in longer shorter renamed; do echo '{"price":5}' > "$dir/site/$name.json"; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$dir/nginx.conf" <<CONF
daemon off; pid $dir/pid; error_log $dir/error.log; events {}
http { access_log off; server { listen 127.0.0.1:$port; root $dir/site; open_file_cache max=100; } }
CONF
nginx -c "$dir/nginx.conf" > "$dir/log" 2>&1 & pid=$!
ask() { curl -s -m 10 -o "$dir/body" -w '%{http_code}' "http://127.0.0.1:$port/$1.json" || true; echo " $(head -c 40 "$dir/body" | tr -d '\n')"; : > "$dir/body"; }
for _ in $(seq 50); do curl -sf -o /dev/null "http://127.0.0.1:$port/longer.json" && break; sleep 0.1; done
for name in longer shorter renamed; do ask "$name" > /dev/null; done
echo '{"price":1999}' > "$dir/site/longer.json"; echo '{}' > "$dir/site/shorter.json"; echo '{"price":1999}' > "$dir/new"; mv "$dir/new" "$dir/site/renamed.json"
seen=$(for name in longer shorter renamed; do echo "$name: $(ask "$name")"; done)
nginx -v
echo "seen: $seen"
grep -q '^longer: 200 {"price":199$' <<< "$seen" && grep -q '^shorter: 000' <<< "$seen" && grep -q '^renamed: 200 {"price":5}$' <<< "$seen"
