#!/usr/bin/env bash
# Of an archive of two names of one file (hard links), tar restores one name by linking it to the other name as it is on the disk today: the damaged
# price stays, exit 0, no message. With -O it prints nothing, exit 0. One would guess that a backup gives back its own bytes, or an error.
# bsdtar does the same. Which of the two names is affected depends on the order of the archive. cpio, BorgBackup,
# restic, rdiff-backup and dar gave the archived bytes for both names.
# Builders of catalogs link what is equal (product/id=12.json and product/slug=mug.json; so does Vitrine), so restoring one product at night
# from a tar file shows success and changes nothing. Restore into an empty folder, both names; or make archives with --hard-dereference.
# Version: GNU tar 1.34, bsdtar 3.6.2 (Debian 12: tar, libarchive-tools).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p site/product
echo '{"price":18.90}' > site/product/id=12.json
ln site/product/id=12.json site/product/slug=mug.json
tar -C site --sort=name -cf backup.tar product
tar -C site --sort=name --hard-dereference -cf whole.tar product
# Today both files are wrong, and are two files.
restored() { # COMMAND… → the bytes of the restored name
  rm -rf live; mkdir -p live/product
  for name in id=12 slug=mug; do echo '{"price":1.89}' > "live/product/$name.json"; done
  (cd live && "$@") && code=$? || code=$?
  echo "exit $code $(cat live/product/slug=mug.json)"
}
gnu=$(restored tar -xf ../backup.tar product/slug=mug.json)
bsd=$(restored bsdtar -xf ../backup.tar product/slug=mug.json)
other=$(restored tar -xf ../whole.tar product/slug=mug.json)
printed=$(tar -xOf backup.tar product/slug=mug.json | wc -c)
tar --version | sed -n 1p; bsdtar --version | cut -d' ' -f1,2
seen="tar $gnu; bsdtar $bsd; -O $printed bytes; --hard-dereference $other"
echo "archived: $(cat site/product/slug=mug.json)"
echo "seen: $seen"
wrong='exit 0 {"price":1.89}'
[ "$seen" = "tar $wrong; bsdtar $wrong; -O 0 bytes; --hard-dereference exit 0 {\"price\":18.90}" ]
