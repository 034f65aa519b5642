#!/usr/bin/env bash
# mini_httpd sends its 404 with "Content-Type: text/html; charset=%s", the placeholder of its own program, and so each error, redirect and list of a folder; a file's type has charset=UTF-8 there. And products.ndjson.gz goes out as
# text/plain with Content-Encoding: gzip, without being asked. One would guess the charset of the command line in both, and a .gz file as it is, application/gzip.
# A client that decodes by the charset, such as Python's, ends with "unknown encoding: %s" where it should see that a product is gone; fetch() and curl --compressed save a bulk file that is unzipped and whose digest is another.
# Version: mini_httpd 1.30 (Debian's package mini-httpd), Python 3.11.
set -euo pipefail
command -v mini_httpd > /dev/null || { echo "needs Debian's package mini-httpd"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"slug":"mug"}' > "$dir/site/products.ndjson"; gzip "$dir/site/products.ndjson"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mini_httpd -D -h 127.0.0.1 -p "$port" -d "$dir/site" -i "$dir/pid" -l /dev/null -T UTF-8 2> "$dir/log" & pid=$!
for _ in $(seq 50); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
seen=$(curl -s -o /dev/null -w '%{http_code} %{content_type}, ' "http://127.0.0.1:$port/gone.json"
  curl -sI "http://127.0.0.1:$port/products.ndjson.gz" | tr -d '\r' | grep -i '^content-\(type\|encoding\)' | tr '\n' ' '
  python3 - "http://127.0.0.1:$port/gone.json" <<'PY'
import sys, urllib.request, urllib.error
try:
    urllib.request.urlopen(sys.argv[1])
except urllib.error.HTTPError as answer:
    try:
        print(answer.code, answer.read().decode(answer.headers.get_content_charset()))
    except LookupError as error:
        print("Python:", error)
PY
)
mini_httpd -V
echo "seen: $seen"
grep -q '^404 text/html; charset=%s' <<< "$seen" && grep -q 'Content-Encoding: gzip' <<< "$seen" && grep -q 'Content-Type: text/plain' <<< "$seen" && grep -q 'unknown encoding: %s' <<< "$seen"
