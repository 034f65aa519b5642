#!/usr/bin/env bash
# nghttpd, the small HTTP/2 file server, sends "Cache-Control: max-age=3600" with every file without having been told to; --help does not name it, and no option takes it away. One would guess that a file server without settings says nothing about lifetimes, and leaves it to Last-Modified.
# Whoever tries a catalog's files on it sees an old price for an hour, in the browser and in each cache between, and looks for the fault in the build.
# Version: nghttpd 1.52.0 (Debian's package nghttp2-server).
set -euo pipefail
command -v nghttpd > /dev/null || { echo "needs Debian's package nghttp2-server"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"price":19.90}' > "$dir/site/product.json"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
nghttpd --no-tls -a 127.0.0.1 -d "$dir/site" "$port" > "$dir/log" 2>&1 & server=$!
headers() { curl -s --http2-prior-knowledge -D - -o /dev/null "http://127.0.0.1:$port/product.json" | tr -d '\r'; }
for _ in $(seq 100); do headers > /dev/null && break; sleep 0.1; done
seen="$(headers | grep -i '^cache-control'); words about it in --help: $(nghttpd --help | grep -ci cache || true)"
nghttpd --version
echo "seen: $seen"
[ "$seen" = 'cache-control: max-age=3600; words about it in --help: 0' ]
