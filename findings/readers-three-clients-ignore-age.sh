#!/usr/bin/env bash
# An answer with max-age=300 and Age: 400, from a CDN that had it for a while, is stale on arrival. Python's CacheControl and httplib2 and Go's httpcache keep it and give
# it again as fresh, 300 seconds from when they got it. One would guess that a cache that knows Vary, ETag and no-store subtracts the Age (RFC 9111 4.2.3). A price behind a CDN is
# shown for up to twice as long as its header allows, and max-age has to be chosen with that in mind.
# Version: CacheControl 0.12.12 and httplib2 0.20.4 of Python, httpcache of April 2018 with Go 1.19 (Debian's packages python3-cachecontrol,
# python3-httplib2, golang-go and golang-github-gregjones-httpcache-dev).
set -euo pipefail
/usr/bin/python3 -c 'import cachecontrol, httplib2' 2> /dev/null && [ -d /usr/share/gocode/src/github.com/gregjones/httpcache ] && command -v go > /dev/null ||
  { echo "needs Debian's packages python3-cachecontrol, python3-httplib2, golang-go and golang-github-gregjones-httpcache-dev"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir "$dir/go"
cat > "$dir/run.py" <<'PY'
import http.server, sys, threading
import cachecontrol, httplib2, requests

asked = 0
class Catalog(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        global asked
        asked += 1
        self.send_response(200)
        for name, value in {"Cache-Control": "max-age=300", "Age": "400", "Content-Length": "2"}.items(): self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"{}")

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Catalog)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/store"
session = cachecontrol.CacheControl(requests.Session())
client = httplib2.Http(sys.argv[1])
for name, get in (("CacheControl", lambda: session.get(url + "?1")), ("httplib2", lambda: client.request(url + "?2"))):
    asked = 0
    for _ in range(3): get()
    print(f"{name} asked {asked} of 3 times", end="; ")
server.shutdown()
PY
cat > "$dir/go/main.go" <<'GO'
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/gregjones/httpcache"
)

func main() {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Cache-Control", "max-age=300")
		w.Header().Set("Age", "400")
		fmt.Fprint(w, "{}")
	}))
	client := httpcache.NewMemoryCacheTransport().Client()
	for range [3]int{} {
		answer, err := client.Get(server.URL)
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	fmt.Printf("httpcache asked %d of 3 times\n", asked)
}
GO
seen=$(/usr/bin/python3 "$dir/run.py" "$dir/cache"; cd "$dir/go"; GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go)
echo "CacheControl $(/usr/bin/python3 -c 'import cachecontrol, httplib2; print(cachecontrol.__version__, "httplib2", httplib2.__version__)'), $(go version)"
echo "seen: $seen"
[ "$seen" = "CacheControl asked 1 of 3 times; httplib2 asked 1 of 3 times; httpcache asked 1 of 3 times" ]
