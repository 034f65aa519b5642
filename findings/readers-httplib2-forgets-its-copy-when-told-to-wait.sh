#!/usr/bin/env bash
# httplib2 keeps a list with its ETag on disk. When it asks whether the list has changed and is answered 429 or 503, it deletes its copy: the next request has no If-None-Match and loads the whole list. One would guess that an answer which says nothing about
# the list leaves the copy as it is (RFC 9111, 4.3.3, even allows to use it then); CacheControl keeps it, and its next request is answered by 304.
# A server that is too busy answers with 429 or 503. Its readers come back without their copies, so that each of them then costs a whole answer in place of an empty one.
# Version: httplib2 0.20.4 and CacheControl 0.12.12 with requests 2.28.1 (Debian's packages python3-httplib2 and python3-cachecontrol).
set -euo pipefail
/usr/bin/python3 -c 'import httplib2, cachecontrol, requests' 2> /dev/null || { echo "needs Debian's packages python3-httplib2 and python3-cachecontrol"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import http.server, sys, threading
import cachecontrol, httplib2, requests

status, asked = 200, []

class List(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        has_copy = "If-None-Match" in self.headers
        code = 304 if status == 200 and has_copy else status
        asked.append(f"{'with' if has_copy else 'without'} ETag {code}")
        self.send_response(code)
        if code == 200 or code == 304:
            self.send_header("ETag", 'W/"1"')
            self.send_header("Cache-Control", "public, max-age=0, stale-if-error=86400")
        else:
            self.send_header("Cache-Control", "no-store")
            self.send_header("Retry-After", "1")
        if code != 304:
            self.send_header("Content-Length", "2")
        self.end_headers()
        if code != 304:
            self.wfile.write(b"{}")
    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), List)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/products"
for name, make in (
    ("httplib2", lambda at: httplib2.Http(at).request),
    ("CacheControl", lambda at: cachecontrol.CacheControl(requests.Session()).get),
):
    for refusal in (429, 503):
        ask = make(f"{sys.argv[1]}/{name}{refusal}")
        asked.clear()
        for status in (200, refusal, 200):
            ask(url)
        print(name, "; ".join(asked))
PY
seen=$(/usr/bin/python3 -W ignore "$dir/run.py" "$dir")
/usr/bin/python3 -W ignore -c 'import httplib2, cachecontrol, requests; print(f"httplib2 {httplib2.__version__} CacheControl {cachecontrol.__version__} requests {requests.__version__}")'
echo "seen: $seen"
[ "$seen" = 'httplib2 without ETag 200; with ETag 429; without ETag 200
httplib2 without ETag 200; with ETag 503; without ETag 200
CacheControl without ETag 200; with ETag 429; with ETag 304
CacheControl without ETag 200; with ETag 503; with ETag 304' ]
