#!/usr/bin/env bash
# {"stock": 5.0} gives 0 by GetInt("stock") of Go's fastjson, and by getInt of Nim's json 0 or the default for what is missing, without an error; {"stock": 5} gives 5. GetFloat64 and getFloat give 5 for both. One would guess 5, as encoding/json's float64, jsoniter's Get and json-c make of it, or an error.
# A missing field gives the same, so there is no way to see it.
# Python writes a whole number that was once a float as 5.0 (pandas does so with each column that has a gap), so everything is sold out as soon as one product has no stock.
# Version: fastjson 1.6.3 with Go 1.19, Nim 1.6.10 (Debian's packages golang-github-valyala-fastjson-dev, golang-go and nim).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/valyala/fastjson ] && command -v go nim > /dev/null || { echo "needs Debian's packages golang-go, golang-github-valyala-fastjson-dev and nim"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > main.go <<'GO'
package main

import (
	"fmt"

	"github.com/valyala/fastjson"
)

func main() {
	for _, record := range []string{`{"stock":5}`, `{"stock":5.0}`} {
		product := fastjson.MustParse(record)
		fmt.Print(product.GetInt("stock"), " ", product.GetFloat64("stock"), "; ")
	}
}
GO
cat > stock.nim <<'NIM'
import json
for record in [parseJson("""{"stock":5}"""), parseJson("""{"stock":5.0}""")]:
  stdout.write record["stock"].getInt(7), " ", record["stock"].getFloat, "; "
NIM
nim compile --hints:off --warnings:off --nimcache:"$dir/nimcache" stock.nim > /dev/null 2>&1
seen="$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go)$(./stock)"
echo "fastjson $(dpkg-query -W -f '${Version}' golang-github-valyala-fastjson-dev), $(nim --version | head -n 1)"
echo "seen: $seen"
[ "$seen" = '5 5; 0 5; 5 5.0; 7 5.0; ' ]
