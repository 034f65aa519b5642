#!/usr/bin/env bash
# webfs serves sitemap.xml and google.xml as application/vnd.openxmlformats-officedocument.drawingml.diagram. One would guess application/xml, which the system's table has for "xml": webfs cuts
# the name of a type after 63 letters and takes the rest of it, "Colors+xml", for endings, and the first type with an ending wins. It also answers the range bytes=30-999 of a file with 33 bytes with 400 "*PLONK*", where the rest is due.
# A search engine refuses a sitemap and a merchant's feed by its type, and a client that loads a list in pieces of fixed size loses the last one. JSON, Atom and TSV have their types.
# Version: webfs 1.21, mailcap/media-types of Debian 12 (packages webfs and media-types).
set -euo pipefail
command -v webfsd > /dev/null || { echo "needs Debian's package webfs"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '<urlset/>' > "$dir/site/sitemap.xml"; echo '{"page":1,"data":["0123456789"]}' > "$dir/site/list.json"; echo '<feed/>' > "$dir/site/products.atom"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
webfsd -F -p "$port" -i 127.0.0.1 -r "$dir/site" > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$port/list.json" && break; sleep 0.1; done
seen=$(for file in sitemap.xml products.atom list.json; do curl -s -o /dev/null -w "$file %{content_type}\n" "http://127.0.0.1:$port/$file"; done
  for range in 30-32 30-999; do curl -s -r "$range" -w " $range %{http_code}\n" "http://127.0.0.1:$port/list.json" | tr '\n' ' '; done)
curl -sI "http://127.0.0.1:$port/list.json" | grep -i '^server'
grep -n '^application/xml' /etc/mime.types
echo "seen: $seen"
grep -q '^sitemap.xml application/vnd.openxmlformats' <<< "$seen" && grep -q 'products.atom application/atom+xml' <<< "$seen" && grep -q '30-32 206' <<< "$seen" && grep -qF '*PLONK*  30-999 400' <<< "$seen"
