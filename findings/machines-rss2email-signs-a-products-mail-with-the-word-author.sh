#!/usr/bin/env bash
# rss2email as it comes sends an entry that names no author with the sender "Shop: <author>", its own placeholder, and an entry of Ada and Bob as "Shop: Bob". One would guess "Shop" for the first, as a name that is missing is
# left out, and Ada or both for the second.
# Feeds of products have no authors, so each mail comes from "<author>", which mail programs take for an address or hide as a tag; a feed for such readers names the shop as author of each entry.
# Version: rss2email 3.13.1 (Debian's package 1:3.13.1-3), with python3-feedparser.
set -euo pipefail
command -v r2e > /dev/null || { echo "needs Debian's package rss2email"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; export HOME=$dir; mkdir site mail
entry() { echo "<entry><id>tag:shop.example,2026:$1</id><title>$1</title><link href=\"https://shop.example/$1\"/><updated>2026-01-02T03:04:05Z</updated>$2<summary>text</summary></entry>"; }
{
  echo '<feed xmlns="http://www.w3.org/2005/Atom"><title>Shop</title><id>tag:shop.example,2026:feed</id><updated>2026-01-02T03:04:05Z</updated>'
  entry none ""; entry one "<author><name>Ada</name></author>"; entry two "<author><name>Ada</name></author><author><name>Bob</name></author>"
  echo '</feed>'
} > site/feed.xml
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
/usr/bin/python3 -m http.server "$port" --bind 127.0.0.1 --directory site > log 2>&1 & server=$!
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$port/feed.xml" && break; sleep 0.1; done
run() { timeout 30 r2e -c config -d data "$@" >> log 2>&1; }
run new reader@shop.example
sed -i "s/^email-protocol.*/email-protocol = maildir/; s#^maildir-path.*#maildir-path = $dir/mail#" config
run add shop "http://127.0.0.1:$port/feed.xml"
run run
seen=$(for mail in mail/INBOX/new/*; do echo "$(sed -n 's/^Subject: //p' "$mail"): $(sed -n 's/^From: //p' "$mail")"; done | sort)
dpkg-query -W -f '${Package} ${Version}\n' rss2email
echo "seen: $seen"
[ "$seen" = 'none: "Shop: <author>" <user@rss2email.invalid>
one: "Shop: Ada" <user@rss2email.invalid>
two: "Shop: Bob" <user@rss2email.invalid>' ]
