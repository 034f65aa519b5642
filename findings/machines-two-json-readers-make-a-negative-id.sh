#!/usr/bin/env bash
# The id 12345678901234567890, above 2^63, is -6101065172474983726 in json-glib, which also writes it so, and in Int() of Go's gjson. One would guess a parse error, or
# the rounded number, as json-glib's double would be and gjson's own Num is. Nim's json makes a text of it whose getInt is 0, and so all such ids are one.
# Ids that are unsigned in the shop's database (BIGINT UNSIGNED, Snowflake with the top bit) lead to other products, or to no error at all.
# Version: json-glib 1.6.6, gjson 1.14.4 with Go 1.19, Nim 1.6.10 (Debian's packages libjson-glib-dev, golang-github-tidwall-gjson-dev, golang-go, nim, gcc and pkg-config).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/tidwall/gjson ] && command -v go gcc pkg-config nim > /dev/null && pkg-config --exists json-glib-1.0 ||
  { echo "needs Debian's packages golang-go, golang-github-tidwall-gjson-dev, libjson-glib-dev, gcc, pkg-config and nim"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > glib.c <<'C'
#include <json-glib/json-glib.h>

int main(void) {
  JsonNode *node = json_from_string("[12345678901234567890]", NULL);
  g_print("%s", json_to_string(node, FALSE));
  return 0;
}
C
cat > main.go <<'GO'
package main

import (
	"fmt"

	"github.com/tidwall/gjson"
)

func main() {
	id := gjson.Get(`[12345678901234567890]`, "0")
	fmt.Print(id.Int(), " ", id.Num)
}
GO
cat > ids.nim <<'NIM'
import json
let id = parseJson("[12345678901234567890]")[0]
echo id.kind, " ", id.getInt
NIM
gcc -o glib glib.c $(pkg-config --cflags --libs json-glib-1.0)
nim compile --hints:off --warnings:off --nimcache:"$dir/nimcache" ids.nim > /dev/null 2>&1
seen="$(./glib); $(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go); $(./ids)"
echo "json-glib $(pkg-config --modversion json-glib-1.0), gjson $(dpkg-query -W -f '${Version}' golang-github-tidwall-gjson-dev), $(nim --version | head -n 1)"
echo "seen: $seen"
[ "$seen" = '[-6101065172474983726]; -6101065172474983726 1.2345678901234567e+19; JString 0' ]
