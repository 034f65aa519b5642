#!/usr/bin/env bash
# `rclone bisync` takes a file away from both sides if both have changed it, even to the same bytes and the same time: it is renamed to
# mug.json..path1 and mug.json..path2 on each side, nothing is left under its own name, and the exit code is 0. One would guess that equal files are
# no conflict, and that a conflict leaves one of the two in place, as Unison (no conflict) and Syncthing (the newer stays) do.
# Two machines that build one catalog from one database make equal files on purpose: each price that changed is then a 404 at both, and the index,
# which names them, as well. Sync builds in one direction (`rclone sync`), or let one machine build; look for `..path1` in what is served.
# Version: rclone 1.60.1 (Debian 12), whose bisync calls itself experimental; its pages say of 1.66 and newer that equal files are compared first.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset AWS_CA_BUNDLE
mkdir -p one/api two state
for id in 1 2 3 4 5 6; do echo "{\"id\":$id,\"price\":19.90}" > "one/api/product-$id.json"; done
echo '{"price":19.90}' > one/api/mug.json
both() { rclone --config /dev/null bisync one two --workdir state "$@" >> said 2>&1; }
both --resync
both
# The same build on both machines: same bytes, same time.
echo '{"price":18.90,"sale":true}' > one/api/mug.json
cp -p one/api/mug.json two/api/mug.json
before=$(wc -l < said)
both && code=$? || code=$?
names() { (cd "$1/api" && ls | grep mug | tr '\n' ' '); }
seen="exit $code; one: $(names one); two: $(names two); $(cat one/api/mug.json..path1 | cmp - one/api/mug.json..path2 && echo equal)"
rclone version | sed -n 1p
sed -n "$((before + 1)),\$p" said | sed "s#$dir/##g"
echo "seen: $seen"
[ "$seen" = 'exit 0; one: mug.json..path1 mug.json..path2 ; two: mug.json..path1 mug.json..path2 ; equal' ]
