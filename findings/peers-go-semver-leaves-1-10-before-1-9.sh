#!/usr/bin/env bash
# Go's own golang.org/x/mod/semver finds 2.0.0 older than v1.0.0, and 1.10.0 and 1.9.0 equal, so that its Sort lists them as texts: without a "v" every version is invalid, all invalid ones are equal, and nothing is
# an error. One would guess that a version as semver.org spells it (1.10.0) is what a package named semver reads. A list of a product's files, newest first, has the old edition on top.
# Version: golang.org/x/mod 0.7.0 with Go 1.19 (Debian's packages golang-golang-x-mod-dev and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/golang.org/x/mod/semver ] && command -v go > /dev/null || { echo "needs Debian's packages golang-go and golang-golang-x-mod-dev"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > main.go <<'GO'
package main

import (
	"fmt"

	"golang.org/x/mod/semver"
)

func main() {
	bare := []string{"1.9.0", "1.10.0", "1.2.0"}
	semver.Sort(bare)
	marked := []string{"v1.9.0", "v1.10.0", "v1.2.0"}
	semver.Sort(marked)
	fmt.Println(bare, marked, semver.Compare("1.10.0", "1.9.0"), semver.Compare("2.0.0", "v1.0.0"))
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run main.go)
go version
dpkg-query -W golang-golang-x-mod-dev
echo "seen: $seen"
[ "$seen" = '[1.10.0 1.2.0 1.9.0] [v1.2.0 v1.9.0 v1.10.0] 0 -1' ]
