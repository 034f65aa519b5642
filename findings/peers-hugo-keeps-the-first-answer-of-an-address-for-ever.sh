#!/usr/bin/env bash
# Hugo's getJSON and resources.GetRemote keep the first answer of an address in the user's cache folder and never ask again: not after max-age, not for Cache-Control: no-cache, not with the ETag,
# and --gc leaves it there. One would guess that a build asks once, or at least obeys the headers. --ignoreCache asks, and so does maxAge = 0 of its caches in the configuration.
# A site that is built each night from a catalog's API on a machine that keeps its cache shows the prices of the first night, with exit 0.
# Version: Hugo 0.111.3 (Debian's package hugo), with Python 3.11's http.server.
set -euo pipefail
command -v hugo > /dev/null || { echo "needs Debian's package hugo"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; mkdir -p site/layouts
cat > serve.py <<'PY'
import http.server, itertools

class Prices(http.server.BaseHTTPRequestHandler):
    count = itertools.count(1)
    def do_GET(self):
        number = next(self.count)
        body = b'{"price": %d}' % number
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache, max-age=0")
        self.send_header("ETag", '"%d"' % number)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Prices)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 serve.py > port & pid=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
cat > site/config.toml <<'TOML'
baseURL = "https://shop.example/"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]
TOML
cat > site/layouts/index.html <<HTML
{{ (getJSON "http://127.0.0.1:$(cat port)/a").price }}, {{ (resources.GetRemote "http://127.0.0.1:$(cat port)/b").Content }}
HTML
export HUGO_CACHEDIR="$dir/cache"
build() { (cd site; hugo --quiet "$@"; sed 's/&#34;/"/g' public/index.html); }
seen="first: $(build); second: $(build); with --gc: $(build --gc); with --ignoreCache: $(build --ignoreCache)"
printf '[caches.getjson]\nmaxAge = 0\n[caches.getresource]\nmaxAge = 0\n' >> site/config.toml
seen="$seen; with maxAge 0: $(build)"
hugo version
echo "seen: $seen"
[ "$seen" = 'first: 1, {"price": 2}; second: 1, {"price": 2}; with --gc: 1, {"price": 2}; with --ignoreCache: 3, {"price": 4}; with maxAge 0: 5, {"price": 6}' ]
