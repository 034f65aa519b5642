#!/usr/bin/env bash
# BusyBox's httpd sends Content-Type: text/html in each 304, whatever the file is, and its answer to HEAD has the whole body.
# One would guess a 304 without a type, or the file's own, and a HEAD without a body. A cache that updates the stored headers from the 304 (RFC 9111
# 4.3.4) serves JSON as HTML from then on; a client that keeps its connection takes the body of the HEAD for the next answer.
# Small images that serve a folder of files with BusyBox are common.
# Version: busybox 1.35.0 (Debian's package busybox).
set -euo pipefail
command -v busybox > /dev/null || { echo "needs Debian's package busybox"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"page":1}' > "$dir/site/page=1.json"
printf '.json:application/json\n' > "$dir/conf"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
busybox httpd -f -p "127.0.0.1:$port" -h "$dir/site" -c "$dir/conf" & pid=$!
for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
url=http://127.0.0.1:$port/page=1.json
tag=$(curl -s -D - -o /dev/null "$url" | tr -d '\r' | sed -n 's/^ETag: //p')
first=$(curl -s -o /dev/null -w '%{http_code} %{content_type}' "$url")
second=$(curl -s -o /dev/null -w '%{http_code} %{content_type}' -H "If-None-Match: $tag" "$url")
head=$(printf 'HEAD /page=1.json HTTP/1.1\r\nHost: shop.example\r\n\r\n' | python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1]))); s.settimeout(5); s.sendall(sys.stdin.buffer.read())
answer = b""
while part := s.recv(65536): answer += part
print(answer.split(b"\r\n\r\n", 1)[1].decode().strip())' "$port")
busybox | sed -n 1p
echo "seen: GET $first; If-None-Match $second; body of HEAD: $head"
[ "$first" = "200 application/json" ] && [ "$second" = "304 text/html" ] && [ "$head" = '{"page":1}' ]
