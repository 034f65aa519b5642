#!/usr/bin/env bash
# WEBrick sends Last-Modified in whole seconds and compares If-Modified-Since with the file's time in nanoseconds: its own date, sent back, is "older" than the file, and the answer is
# 200 with the whole body; only a file on a whole second gives 304. One would guess that both are cut to seconds, since HTTP has no more. Its ETag has no quotes either, so that a client which
# checks the form of ETags drops it and has only the date. Readers of a preview server (Jekyll's serve is WEBrick) load every file each time.
# Version: webrick 1.8.1 with Ruby 3.1 (Debian's packages ruby and ruby-webrick).
set -euo pipefail
ruby -rwebrick -e 1 2> /dev/null || { echo "needs Debian's packages ruby and ruby-webrick"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{}' > "$dir/site/half.json"; echo '{}' > "$dir/site/whole.json"
touch -d '2026-11-01 10:00:00.5Z' "$dir/site/half.json"; touch -d '2026-11-01 10:00:00Z' "$dir/site/whole.json"
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
ruby -rwebrick -e 'WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: ARGV[0].to_i, DocumentRoot: ARGV[1], AccessLog: []).start' "$port" "$dir/site" 2> "$dir/log" & pid=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
seen=
for name in half whole; do
  url="http://127.0.0.1:$port/$name.json"
  date=$(curl -s -D - -o /dev/null "$url" | tr -d '\r' | sed -n 's/^last-modified: //Ip')
  seen+="$name $date $(curl -s -o /dev/null -w '%{http_code}' -H "If-Modified-Since: $date" "$url"); "
done
kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
echo "webrick $(ruby -rwebrick -e 'print WEBrick::VERSION')"
echo "seen: $seen"
[ "$seen" = 'half Sun, 01 Nov 2026 10:00:00 GMT 200; whole Sun, 01 Nov 2026 10:00:00 GMT 304; ' ]
