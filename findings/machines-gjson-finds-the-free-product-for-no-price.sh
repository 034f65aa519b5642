#!/usr/bin/env bash
# In a query of Go's gjson, products.#(price==null)# finds the products whose price is 0 and none whose price is null, and price!=null drops exactly the free ones: the word null after a comparison is read as the
# number 0, as is any word that is none, true too. And price>=0 finds a price that is a text, which price<20 does not. One would guess that null means null, or an error.
# A program that lists what has no price yet lists what is given away. price==~false, with a tilde, finds null and a missing price, and the free product too.
# Version: gjson 1.14.4 with Go 1.19 (Debian's packages golang-github-tidwall-gjson-dev and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/tidwall/gjson ] && command -v go > /dev/null || { echo "needs Debian's packages golang-go and golang-github-tidwall-gjson-dev"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > main.go <<'GO'
package main

import (
	"fmt"

	"github.com/tidwall/gjson"
)

const catalog = `{"products":[{"is":"priced","price":19.9},{"is":"null","price":null},{"is":"missing"},{"is":"free","price":0},{"is":"text","price":"5"}]}`

func main() {
	for _, test := range []string{"price==null", "price!=null", "price==true", "price==~false", "price>=0", "price<20"} {
		fmt.Println(test, gjson.Get(catalog, "products.#("+test+")#.is"))
	}
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go | tr '\n' ';')
echo "gjson $(dpkg-query -W -f '${Version}' golang-github-tidwall-gjson-dev), $(go version)"
echo "seen: $seen"
[ "$seen" = 'price==null ["free"];price!=null ["priced","text"];price==true ["free"];price==~null ["null","missing"];price>=0 ["priced","free","text"];price<20 ["priced","free"];' ]
