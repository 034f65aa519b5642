#!/usr/bin/env bash
# ToInt of Go's cast, which is viper's GetInt, reads the text "19.00" as 19 and "19.90" as 0; the number 19.9 is 19. "00123" is 83 and "08" is 0, since a zero in front means octal; ToFloat64 reads 123 and 8.
# One would guess 19 for the first two, or 0 for both, and 123. It takes off zeros behind the point and gives the rest to strconv with base 0; the error is dropped unless ToIntE is called.
# A threshold or a price in a configuration, an environment variable or front matter works as long as it is whole, and is 0 with the first cents: everything is free, or above it.
# Version: cast 1.5.0, viper 1.10.1 with Go 1.19 (Debian's packages golang-github-spf13-cast-dev, golang-github-spf13-viper-dev and golang-go).
set -euo pipefail
[ -d /usr/share/gocode/src/github.com/spf13/viper ] && command -v go > /dev/null || { echo "needs Debian's packages golang-github-spf13-cast-dev, golang-github-spf13-viper-dev and golang-go"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/main.go" <<'GO'
package main

import (
	"fmt"

	"github.com/spf13/viper"
)

func main() {
	for _, value := range []interface{}{"19.00", "19.90", 19.90, "00123", "08"} {
		viper.Set("value", value)
		fmt.Print(viper.GetInt("value"), " ", viper.GetFloat64("value"), "; ")
	}
}
GO
seen=$(GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS='' GOCACHE="$dir/build" go run "$dir/main.go")
echo "cast $(dpkg-query -W -f '${Version}' golang-github-spf13-cast-dev), viper $(dpkg-query -W -f '${Version}' golang-github-spf13-viper-dev)"
echo "seen: $seen"
[ "$seen" = '19 19; 0 19.9; 19 19.9; 83 123; 0 8; ' ]
