#!/usr/bin/env bash
# MergePatch of Go's evanphx/json-patch makes {"ratings":[5]} of the patch {"ratings":[null,5]}, and {"variants":[{"sku":"a"}]} of {"variants":[{"sku":"a","sale":null}]}: nulls in a list, and in its records, are taken out. One would guess the list as it is given: RFC 7396 says that a null
# removes a member of the object which is patched, and that anything else, a list, replaces the old value as a whole. Its own CreateMergePatch writes such a list.
# What follows a catalog by merge patches (Kubernetes' tools do) has lists whose places have moved, and variants whose field is missing where it should be null.
# Version: json-patch 5.2.0 with Go 1.19 (Debian's packages golang-github-evanphx-json-patch-dev and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/evanphx/json-patch ] && command -v go > /dev/null || { echo "needs Debian's packages golang-github-evanphx-json-patch-dev and golang-go"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/main.go" <<'GO'
package main

import (
	"fmt"

	jsonpatch "github.com/evanphx/json-patch"
)

func main() {
	old := []byte(`{"ratings":[1],"variants":[]}`)
	want := []byte(`{"ratings":[null,5],"variants":[{"sku":"a","sale":null}]}`)
	patch, _ := jsonpatch.CreateMergePatch(old, want)
	result, _ := jsonpatch.MergePatch(old, patch)
	fmt.Print(string(patch), " ", string(result))
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run "$dir/main.go")
echo "json-patch $(dpkg-query -W -f '${Version}' golang-github-evanphx-json-patch-dev), $(go version)"
echo "seen: $seen"
[ "$seen" = '{"ratings":[null,5],"variants":[{"sale":null,"sku":"a"}]} {"ratings":[5],"variants":[{"sku":"a"}]}' ]
