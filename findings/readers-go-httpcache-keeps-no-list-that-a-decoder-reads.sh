#!/usr/bin/env bash
# httpcache, the cache for Go's http.Client that Kubernetes' client-go uses, keeps an answer once its body was read to its end. json.NewDecoder(response.Body).Decode(&list), as most programs read
# JSON, stops behind the last bracket. A list in chunks whose end mark comes a moment later (a handler that flushes, then still closes its database) is then never kept, whatever its Cache-Control
# says, and there is no ETag to ask with, either. With a Content-Length or gzip the same call keeps it, and io.ReadAll keeps all three. One would guess that Close ends the reading, or that a decoder
# which has the whole list has read the whole answer: whether the cache works depends on how the packets fall.
# A reader of such a catalog asks for each list in full again, with no error and no log. Read on before Close: io.Copy(io.Discard, response.Body).
# Version: httpcache 0.0~git20180305 (Debian's packages golang-github-gregjones-httpcache-dev and golang-go).
set -euo pipefail
command -v go > /dev/null && [ -d /usr/share/gocode/src/github.com/gregjones/httpcache ] || { echo "needs Debian's packages golang-github-gregjones-httpcache-dev and golang-go"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.go" <<'GO'
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/gregjones/httpcache"
)

func main() {
	list := `["` + strings.Repeat(`mug","`, 1000) + `cup"]`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=60")
		w.Header().Set("ETag", `"1"`)
		switch r.URL.Path {
		case "/length":
			w.Header().Set("Content-Length", strconv.Itoa(len(list)))
			io.WriteString(w, list)
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			zipped := gzip.NewWriter(w)
			io.WriteString(zipped, list)
			zipped.Close()
		case "/chunks":
			io.WriteString(w, list)
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	}))
	defer server.Close()
	for _, path := range []string{"/length", "/gzip", "/chunks"} {
		for _, how := range []string{"ReadAll", "Decode"} {
			client := httpcache.NewMemoryCacheTransport().Client()
			kept := false
			for count := 0; count < 3; count++ {
				response, err := client.Get(server.URL + path)
				if err != nil {
					panic(err)
				}
				var products []string
				if how == "Decode" {
					err = json.NewDecoder(response.Body).Decode(&products)
				} else {
					var bytes []byte
					bytes, _ = io.ReadAll(response.Body)
					err = json.Unmarshal(bytes, &products)
				}
				if err != nil || len(products) != 1001 {
					panic("not the list")
				}
				response.Body.Close()
				kept = response.Header.Get(httpcache.XFromCache) != ""
			}
			fmt.Printf("%s %s: kept %t\n", path, how, kept)
		}
	}
}
GO
seen=$(cd "$dir" && GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS= GOCACHE="$dir/cache" go run run.go)
echo "httpcache $(dpkg-query -W -f '${Version}' golang-github-gregjones-httpcache-dev), $(go version)"
echo "seen: $seen"
[ "$seen" = '/length ReadAll: kept true
/length Decode: kept true
/gzip ReadAll: kept true
/gzip Decode: kept true
/chunks ReadAll: kept true
/chunks Decode: kept false' ]
