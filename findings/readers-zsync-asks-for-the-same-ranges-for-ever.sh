#!/usr/bin/env bash
# zsync, which loads only the blocks of a bulk file that changed, gets them from nginx, and from lighttpd asks for the same ranges again at once, and again, until somebody stops it (H2O and Caddy: alike). One would guess that what is a list of ranges to
# one client is one to all. nginx begins the body with an empty line before the first boundary, which RFC 2046 allows; the others begin with the boundary; zsync finds the first kind only, and takes the other for a transfer to be repeated.
# Whoever offers a catalog's bulk file with its .zsync must try it through the very server and CDN, with more than one changed block: a single range works everywhere. With max_ranges 1 nginx's readers get nothing either: zsync aborts, with 2.
# Version: zsync 0.6.2, nginx 1.22.1, lighttpd 1.4.69 (Debian's packages zsync, nginx and lighttpd).
set -euo pipefail
command -v zsync nginx lighttpd > /dev/null || { echo "needs Debian's packages zsync, nginx and lighttpd"; exit 1; }
dir=$(mktemp -d); nginx=; lighttpd=; trap 'for pid in $nginx $lighttpd; do kill "$pid" 2> /dev/null || true; done; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/site"
python3 - "$dir" <<'PY'
import hashlib, sys
rows = ['{"id":%d,"price":5,"text":"%s"}\n' % (i, hashlib.sha512(str(i).encode()).hexdigest()) for i in range(2000)]
open(sys.argv[1] + "/old.ndjson", "w").write("".join(rows))
for i in range(100, 2000, 200):
    rows[i] = rows[i].replace('"price":5', '"price":9')
open(sys.argv[1] + "/site/new.ndjson", "w").write("".join(rows))
PY
(cd "$dir/site" && zsyncmake -u new.ndjson new.ndjson > /dev/null 2>&1)
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
many=$(free); single=$(free); other=$(free)
cat > "$dir/nginx.conf" <<CONF
daemon off; pid $dir/pid; error_log $dir/error.log; events {}
http { root $dir/site; access_log off; server { listen 127.0.0.1:$many; access_log $dir/nginx.log; } server { listen 127.0.0.1:$single; max_ranges 1; } }
CONF
printf 'server.modules = ("mod_accesslog")\naccesslog.filename = "%s/lighttpd.log"\nserver.document-root = "%s/site"\nserver.bind = "127.0.0.1"\nserver.port = %s\n' "$dir" "$dir" "$other" > "$dir/lighttpd.conf"
nginx -c "$dir/nginx.conf" > "$dir/out" 2>&1 & nginx=$!
lighttpd -D -f "$dir/lighttpd.conf" > "$dir/out2" 2>&1 & lighttpd=$!
for port in "$many" "$other"; do for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$port/new.ndjson.zsync" && break; sleep 0.1; done; done
load() { (cd "$dir" && rm -f new.ndjson* && timeout 8 zsync -i old.ndjson "http://127.0.0.1:$1/new.ndjson.zsync" > "$dir/zsync.log" 2>&1); echo "exit $?, $(cmp -s "$dir/new.ndjson" "$dir/site/new.ndjson" && echo whole || echo none)"; }
nginxs=$(load "$many" || true); singles=$(load "$single" || true); lighttpds=$(load "$other" || true)
kill "$lighttpd"; wait "$lighttpd" 2> /dev/null || true; lighttpd=
first=$(grep -c 'GET /new.ndjson ' "$dir/nginx.log"); again=$(grep -c 'GET /new.ndjson ' "$dir/lighttpd.log")
echo "$(dpkg-query -W -f '${Package} ${Version}, ' zsync nginx lighttpd)"
echo "seen: nginx: $nginxs, $first requests; max_ranges 1: $singles; lighttpd: $lighttpds, $again requests in 8 s"
[ "$nginxs" = 'exit 0, whole' ] && [ "$first" -lt 5 ] && [ "$singles" = 'exit 2, none' ] && [ "$lighttpds" = 'exit 124, none' ] && [ "$again" -gt 50 ]
