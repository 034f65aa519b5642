#!/usr/bin/env bash
# A catalog answers 429 with "Retry-After: 3". HashiCorp's retryablehttp with RetryWaitMax = 20 ms and two retries takes 6 seconds: the bound on a pause is not one for a pause that the server names, whose length nothing bounds. urllib3 with
# timeout=1 and no word about retries takes 9 seconds: its three default retries are for failed connections, one would guess, but also sleep at any 413, 429 and 503 with Retry-After. requests, which is made of urllib3, hands the answer over at once.
# retryablehttp then gives an error without the answer, so that the code and the message of the catalog are lost; urllib3 gives the last answer.
# With "Retry-After: 60", as a limit of requests a minute says, a page that asked with a second's patience stands for two or three minutes. Give urllib3 retries=False; give retryablehttp a Backoff that compares.
# Version: go-retryablehttp 0.7.1, urllib3 1.26.12, requests 2.28.1 (Debian's packages golang-github-hashicorp-go-retryablehttp-dev, golang-go, python3-urllib3, python3-requests).
set -euo pipefail
command -v go > /dev/null && [ -d /usr/share/gocode/src/github.com/hashicorp/go-retryablehttp ] || { echo "needs Debian's packages golang-go and golang-github-hashicorp-go-retryablehttp-dev"; exit 1; }
/usr/bin/python3 -c 'import urllib3, requests' 2> /dev/null || { echo "needs Debian's packages python3-urllib3 and python3-requests"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
cat > "$dir/run.go" <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.RetryMax = 2
	client.RetryWaitMin = 10 * time.Millisecond
	client.RetryWaitMax = 20 * time.Millisecond
	began := time.Now()
	response, err := client.Get(os.Args[1])
	fmt.Printf("retryablehttp: answer %t, error %t, at least 6 s %t\n", response != nil, err != nil, time.Since(began) >= 6*time.Second)
}
GO
(cd "$dir" && GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go build -o run run.go)
cat > "$dir/shop.py" <<'PY'
import http.server


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(429)
        self.send_header("Retry-After", "3")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 "$dir/shop.py" > "$dir/port" & server=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
cat > "$dir/run.py" <<'PY'
import sys
import time

import requests
import urllib3

began = time.monotonic()
status = urllib3.PoolManager(timeout=1).request("GET", sys.argv[1]).status
print("urllib3: %d, at least 9 s %s" % (status, time.monotonic() - began >= 9))
began = time.monotonic()
status = requests.get(sys.argv[1], timeout=1).status_code
print("requests: %d, at least 3 s %s" % (status, time.monotonic() - began >= 3))
PY
url="http://127.0.0.1:$(cat "$dir/port")/products"
seen=$("$dir/run" "$url"; /usr/bin/python3 -W ignore "$dir/run.py" "$url")
echo "go-retryablehttp $(dpkg-query -W -f '${Version}' golang-github-hashicorp-go-retryablehttp-dev), urllib3 $(dpkg-query -W -f '${Version}' python3-urllib3), requests $(dpkg-query -W -f '${Version}' python3-requests)"
echo "seen: $seen"
[ "$seen" = 'retryablehttp: answer false, error true, at least 6 s true
urllib3: 429, at least 9 s True
requests: 429, at least 3 s False' ]
