#!/usr/bin/env bash
# JSON Feed says that an id that is a number is to be read as a text. Go's gofeed refuses the whole feed for one such item among many. One would guess that a reader that takes
# RSS with wrong dates and missing parts follows the one sentence about wrong types. A feed made by hand from a shop's rows, with numeric ids, works
# in one reader and is "broken" in another.
# Version: gofeed 1.1.3 with Go 1.19 (Debian's packages golang-github-mmcdole-gofeed-dev and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/mmcdole/gofeed ] && command -v go > /dev/null || { echo "needs Debian's packages golang-go and golang-github-mmcdole-gofeed-dev"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/mmcdole/gofeed"
)

func main() {
	for _, id := range []string{`"2"`, `2`} {
		feed, err := gofeed.NewParser().ParseString(`{"version":"https://jsonfeed.org/version/1.1","title":"Shop","items":[{"id":"1","content_text":"a"},{"id":` + id + `,"content_text":"b"}]}`)
		if err != nil {
			fmt.Println(id, "refused, ID:", strings.Contains(err.Error(), "ID"))
			continue
		}
		fmt.Println(id, len(feed.Items), "items")
	}
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go)
go version
echo "seen: $seen"
[ "$seen" = '"2" 2 items
2 refused, ID: true' ]
