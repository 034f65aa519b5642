#!/usr/bin/env bash
# requests-cache with cache_control=True keeps an answer with no-store if it has an ETag, and gives it for ever without asking; it gives one with no-cache without asking, and one
# language to the reader of another despite Vary. CacheControl (which pip uses) does these right, but gives an answer whose Age is beyond its max-age as fresh.
# One would guess that a cache that reads Cache-Control reads all of it. A program that follows a catalog with these sees old prices.
# Version: Debian's python3-requests-cache 0.9.8, python3-cachecontrol 0.12.12.
set -euo pipefail
/usr/bin/python3 -c 'import requests_cache, cachecontrol' 2> /dev/null || { echo "needs Debian's packages python3-requests-cache and python3-cachecontrol"; exit 1; }
seen=$(/usr/bin/python3 - <<'PY'
import http.server, threading
import requests, requests_cache
from cachecontrol import CacheControl

count = [0]
answers = {
    "/no-store": {"Cache-Control": "no-store"},
    "/no-store-etag": {"Cache-Control": "no-store", "ETag": '"1"'},
    "/no-cache": {"Cache-Control": "no-cache"},
    "/vary": {"Cache-Control": "max-age=60", "Vary": "Accept-Language"},
    "/no-age": {"Cache-Control": "max-age=0"},
    "/old": {"Cache-Control": "max-age=60", "Age": "100"},
}

class Shop(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass
    def do_GET(self):
        count[0] += 1
        self.send_response(200)
        for name, value in answers[self.path].items():
            self.send_header(name, value)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=server.serve_forever, daemon=True).start()
for name, session in (("requests-cache", requests_cache.CachedSession(backend="memory", cache_control=True)), ("CacheControl", CacheControl(requests.Session()))):
    found = []
    for path in answers:
        count[0] = 0
        for language in ("de", "en"):
            session.get("http://127.0.0.1:%d%s" % (server.server_port, path), headers={"Accept-Language": language})
        found.append("%s %d" % (path, count[0]))
    print(name, "asked:", ", ".join(found))
PY
)
echo "$(dpkg-query -W python3-requests-cache python3-cachecontrol | tr '\t\n' '= ')"
echo "seen: $seen"
[ "$seen" = 'requests-cache asked: /no-store 2, /no-store-etag 1, /no-cache 1, /vary 1, /no-age 2, /old 1
CacheControl asked: /no-store 2, /no-store-etag 2, /no-cache 2, /vary 2, /no-age 2, /old 1' ]
