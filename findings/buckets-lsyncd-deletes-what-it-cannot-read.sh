#!/usr/bin/env bash
# lsyncd, started while one folder of a snapshot can't be read (a build ran with umask 077, or as another user), deletes that folder's files on
# all servers that it fills, and logs "Startup … finished." One would guess that they stay: the same rsync by hand says "IO error encountered --
# skipping file deletion" and keeps them, and lsyncd's manual calls its work that of rsync. But lsyncd's first run adds --ignore-errors to --delete,
# and counts rsync's exit code 23 as success.
# All reviews of a catalog are 404 on each edge server from a restart on, while the old files would have been served; the next restart brings them
# back only once the modes are right. `delete` is true unless the configuration says otherwise; with delete = "running" the first run deletes nothing.
# Version: lsyncd 2.2.3 (Debian 12), rsync 3.5.
set -euo pipefail
dir=$(mktemp -d)
watcher=
trap '[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true; wait; chmod -R u+rwx "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
# Root may read everything: then another user copies.
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid 65534 --regid 65534 --clear-groups); chmod 755 .; fi
places() { # a new snapshot whose reviews can't be read, and a server's copy of the last one
  [ ! -d snapshot ] || chmod 700 snapshot/reviews
  rm -rf snapshot server; mkdir -p snapshot/product snapshot/reviews
  echo '{"price":"19.90"}' > snapshot/product/mug.json; echo '{"rating":5}' > snapshot/reviews/mug.json
  cp -a snapshot server
  rm snapshot/product/mug.json; echo '{"price":"18.90"}' > snapshot/product/mug.json
  [ ${#as[@]} = 0 ] || chown -R 65534:65534 snapshot server
  chmod 000 snapshot/reviews
}
left() { (cd server; find . -type f | sort | tr '\n' ' '); }
places
"${as[@]}" rsync -rlts --delete snapshot/ server/ > by-hand 2>&1 && code=0 || code=$?
seen="rsync $code: $(left)"
for delete in true '"running"'; do
  places
  echo "sync { default.rsync, source = \"$dir/snapshot/\", target = \"$dir/server/\", delete = $delete }" > lsyncd.lua
  "${as[@]}" lsyncd -nodaemon lsyncd.lua > log 2> refused & watcher=$!
  for _ in $(seq 200); do grep -q 'Startup of .* finished' log && break; sleep 0.1; done
  grep -q 'Startup of .* finished' log
  kill "$watcher"; wait "$watcher" || true; watcher=
  seen+="lsyncd finished, delete $delete: $(left)"
done
lsyncd --version | tr '\n' ' '; rsync --version | sed -n 1p
grep -h 'skipping file deletion' by-hand
echo "seen: $seen"
[ "$seen" = 'rsync 23: ./product/mug.json ./reviews/mug.json lsyncd finished, delete true: ./product/mug.json lsyncd finished, delete "running": ./product/mug.json ./reviews/mug.json ' ]
