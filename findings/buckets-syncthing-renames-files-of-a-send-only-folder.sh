#!/usr/bin/env bash
# Syncthing renames files in a folder of the type "send only", with no other device at all: a name of e and a combining acute (as macOS and many
# upload forms store é) becomes one of the single letter é, on the disk of the sender. One would guess that the source of a one-way copy stays as
# it is: what the program's page says of the type is that nothing of other devices is applied to it.
# A catalog's records name pictures and downloads by their bytes: /media/cafe%CC%81-mug.webp is in the shop's database, in the JSON and in feeds, and
# is a 404 from the first scan on, at the shop itself. Nothing but a line of the log says so. `autoNormalize` is true unless a folder says otherwise.
# Set autoNormalize="false" for folders that a web server reads; then Syncthing leaves such files out and logs "not in the correct UTF8
# normalization form", which is the second surprise: the scan is complete all the same. Best give files names in ASCII.
# Version: syncthing 1.19.2 (Debian 12).
set -euo pipefail
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
export STNOUPGRADE=1 HOME=$dir
mkdir home
syncthing generate --home home --no-default-folder > generated 2>&1
device=$(grep -o '<device id="[^"]*"' home/config.xml | head -1 | cut -d'"' -f2)
sed -i -E 's#(<(globalAnnounce|localAnnounce|relays|nat|crashReporting)Enabled>)true#\1false#; s#(<urAccepted>)[^<]*#\1-1#
  s#(<autoUpgradeIntervalH>)[^<]*#\10#; s#(<listenAddress>)[^<]*#\1tcp://127.0.0.1:0#' home/config.xml
# What `serve` makes of a name: the folder has the settings that the program gives a new folder, and then autoNormalize="false".
scan() { # FOLDER ATTRIBUTE → the name's bytes after the scan
  mkdir -p "$1/media"
  printf 'picture' > "$1/media/"$'cafe\xcc\x81-mug.webp'
  cp home/config.xml before.xml
  sed -i "s#</configuration>#<folder id=\"$1\" path=\"$dir/$1\" type=\"sendonly\" fsWatcherEnabled=\"false\" $2><filesystemType>basic</filesystemType><device id=\"$device\"/></folder></configuration>#" home/config.xml
  syncthing serve --home home --no-browser --no-restart --no-upgrade --gui-address "unix://$dir/gui" > "$1.log" 2>&1 & server=$!
  for _ in $(seq 300); do grep -q 'Completed initial scan' "$1.log" && break; sleep 0.1; done
  grep -q 'Completed initial scan' "$1.log"
  kill "$server"; wait "$server" || true; server=
  cp before.xml home/config.xml
  ls "$1/media" | od -An -tx1 | tr -d ' \n'
}
given=$(grep -o '<folder id="" .*autoNormalize="[a-z]*"' home/config.xml | grep -o 'autoNormalize="[a-z]*"')
renamed=$(scan shop "$given")
left=$(scan other 'autoNormalize="false"')
seen="new folders: $given; $renamed; without it: $left, $(grep -c 'not in the correct UTF8 normalization form' other.log) name left out"
syncthing --version | cut -d' ' -f1,2
echo "before: 63616665cc812d6d75672e776562700a"
echo "seen: $seen"
[ "$seen" = 'new folders: autoNormalize="true"; 636166c3a92d6d75672e776562700a; without it: 63616665cc812d6d75672e776562700a, 1 name left out' ]
