#!/usr/bin/env bash
# Go's gocsv reads an empty cell into a field of type *float64 as a pointer to 0: a product without a price has the price 0. One would guess nil, which is why one takes a pointer,
# and what encoding/json makes of null. The same of *string is a pointer to an empty text. An import of a catalog's table gives away what has no price yet.
# Version: gocsv of January 2018 with Go 1.19 (Debian's packages golang-github-gocarina-gocsv-dev 0.0~git20180113.45cbb9c and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/gocarina/gocsv ] && command -v go > /dev/null || { echo "needs Debian's packages golang-go and golang-github-gocarina-gocsv-dev"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	"github.com/gocarina/gocsv"
)

type product struct {
	Slug  string   `csv:"slug" json:"slug"`
	Price *float64 `csv:"price" json:"price"`
}

func main() {
	var products []*product
	if err := gocsv.UnmarshalString("slug,price\nmug,19.90\ngift,\n", &products); err != nil {
		panic(err)
	}
	text, _ := json.Marshal(products)
	fmt.Println(string(text))
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go)
go version
echo "seen: $seen"
[ "$seen" = '[{"slug":"mug","price":19.9},{"slug":"gift","price":0}]' ]
