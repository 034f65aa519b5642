#!/usr/bin/env bash
# `lftp -c 'mirror -R'` deletes a file that has changed at the target, then puts the new one; if that fails, the file is gone. One would guess that it
# writes over the old one, as `put -O` of the same program does, or renames a new one, as rsync: there was no --delete.
# Web space that is filled by FTP or SFTP is often filled so. At each price change the product's answer, each list that has it and the feed are 404
# for as long as the upload of that file lasts, and shops' robots that ask in this second drop the product. A connection that breaks, or a full
# quota, leaves the most important files missing: those that change most. Say `set mirror:overwrite yes` (seen below).
# Version: lftp 4.9.2 (Debian 12).
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+rwx "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
# Root may read everything: then another user copies.
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid 65534 --regid 65534 --clear-groups); chmod 755 .; fi
seen=
try() { # NAME PROGRAM…: a changed file that can't be read is to replace the one of yesterday
  rm -rf site live; mkdir site live
  echo '{"price":"19.90"}' > live/mug.json; touch -d 2026-01-01 live/mug.json
  echo '{"price":"18.90"}' > site/mug.json; chmod 000 site/mug.json
  [ ${#as[@]} = 0 ] || chown -R 65534:65534 site live
  HOME=$dir "${as[@]}" "${@:2}" > log 2>&1 && code=0 || code=$?
  seen+="$1 $code: $(cat live/mug.json 2> /dev/null || echo gone); "
  sed "s/^/$1: /" log
}
try mirror lftp -c "mirror -R --verbose=1 site file://$dir/live"
try overwrite lftp -c "set mirror:overwrite yes; mirror -R --verbose=1 site file://$dir/live"
try put lftp -c "put -O file://$dir/live site/mug.json"
try rsync rsync -r site/ live/
lftp --version | sed -n 1p
echo "seen: $seen"
[ "$seen" = 'mirror 1: gone; overwrite 1: {"price":"19.90"}; put 1: {"price":"19.90"}; rsync 23: {"price":"19.90"}; ' ]
