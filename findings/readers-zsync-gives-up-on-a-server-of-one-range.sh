#!/usr/bin/env bash
# zsync, which loads only the blocks of a bulk file that changed, ends with exit 2 and without a file where the server answers one range only, as nginx does with max_ranges 1. HTTP lets a server send the whole file for several ranges, so one would guess that zsync takes that, as it takes the whole file where nothing is known.
# Whoever offers a catalog's bulk file with its .zsync must try it through the very server and CDN, with more than one changed block: many CDNs answer one range only. With some other servers zsync repeated its requests without end; that is not kept here.
# Version: zsync 0.6.2, nginx 1.22.1 (Debian's packages zsync and nginx).
set -euo pipefail
command -v zsync nginx > /dev/null || { echo "needs Debian's packages zsync and nginx"; exit 1; }
dir=$(mktemp -d); nginx=; trap '[ -z "$nginx" ] || kill "$nginx" 2> /dev/null || true; rm -rf "$dir"' EXIT
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
many=$(free); single=$(free)
cat > "$dir/nginx.conf" <<CONF
daemon off; pid $dir/pid; error_log $dir/error.log; events {}
http { root $dir/site; access_log off; server { listen 127.0.0.1:$many; } server { listen 127.0.0.1:$single; max_ranges 1; } }
CONF
nginx -c "$dir/nginx.conf" > "$dir/out" 2>&1 & nginx=$!
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$many/new.ndjson.zsync" && break; sleep 0.1; done
load() { (cd "$dir" && rm -f new.ndjson* && timeout 8 zsync -i old.ndjson "http://127.0.0.1:$1/new.ndjson.zsync" > "$dir/zsync.log" 2>&1); echo "exit $?, $(cmp -s "$dir/new.ndjson" "$dir/site/new.ndjson" && echo whole || echo none)"; }
several=$(load "$many" || true); one=$(load "$single" || true)
dpkg-query -W -f '${Package} ${Version}\n' zsync nginx
echo "seen: several ranges: $several; one range: $one"
[ "$several" = 'exit 0, whole' ] && [ "$one" = 'exit 2, none' ]
