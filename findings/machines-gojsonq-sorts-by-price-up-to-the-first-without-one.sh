#!/usr/bin/env bash
# In Go's gojsonq, Sum("price") of the products 19.90, 0, null and 100 is 0, the average is NaN, and SortBy("price", "desc") begins with 19.90 and ends with 100: what is null compares as equal to everything. Without the null all are right. One would guess that null counts as
# nothing and comes first or last, as in SQL, or a panic. Error() has a note after Sum, which itself returns a plain 0; after SortBy it is nil.
# The report of a catalog says a sum of 0 and a wrong order from the day on which one product has no price.
# Version: gojsonq 2.5.2 with Go 1.19 (Debian's packages golang-github-thedevsaddam-gojsonq-dev and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/thedevsaddam/gojsonq ] && command -v go > /dev/null || { echo "needs Debian's packages golang-github-thedevsaddam-gojsonq-dev and golang-go"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/main.go" <<'GO'
package main

import (
	"fmt"

	"github.com/thedevsaddam/gojsonq"
)

func main() {
	for _, price := range []string{"null", "7"} {
		list := gojsonq.New().JSONString(`[{"price":19.9},{"price":0},{"price":` + price + `},{"price":100}]`)
		summed, sorted := list.Copy(), list.Copy().SortBy("price", "desc")
		fmt.Print(summed.Sum("price"), " ", list.Copy().Avg("price"), " ", sorted.Pluck("price"), " ", summed.Error() != nil, " ", sorted.Error() != nil, "; ")
	}
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run "$dir/main.go")
echo "gojsonq $(dpkg-query -W -f '${Version}' golang-github-thedevsaddam-gojsonq-dev), $(go version)"
echo "seen: $seen"
[ "$seen" = '0 NaN [19.9 0 <nil> 100] true false; 126.9 31.725 [100 19.9 7 0] false false; ' ]
