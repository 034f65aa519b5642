#!/usr/bin/env bash
# Yaws serves a file's old bytes, date and ETag for up to 30 s after another file was moved to its place, and for as long after it was deleted. One would guess that a web server looks at the folder for each request, as nginx, Apache and the others do
# unless they are told not to: Yaws keeps small files in memory (cache_refresh_secs), and the age of each is its own.
# A catalog whose list and product change together is for half a minute a mixture of both releases, a review that was withdrawn is still given, and what a purged CDN fetches in that time is the old answer, for its whole max-age.
# Version: Yaws 2.1.1 (Debian's package yaws).
set -euo pipefail
command -v yaws > /dev/null || { echo "needs Debian's package yaws"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site" "$dir/log"; echo '{"price":5}' > "$dir/site/mug.json"; echo '{"price":5}' > "$dir/site/gone.json"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf 'logdir = %s/log\ntrace = false\n<server localhost>\nport = %s\nlisten = 127.0.0.1\ndocroot = %s/site\n</server>\n' "$dir" "$port" "$dir" > "$dir/conf"
HOME=$dir erl -noinput -pa /usr/lib/yaws/ebin -yaws conf "\"$dir/conf\"" -yaws id '"finding"' -run yaws start > "$dir/out" 2>&1 & pid=$!
ask() { curl -s -o "$dir/body" -w '%{http_code} ' "http://127.0.0.1:$port/$1"; grep -o '"price":[0-9]*' "$dir/body" || true; }
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$port/mug.json" && break; sleep 0.1; done
ask mug.json > /dev/null; ask gone.json > /dev/null
echo '{"price":19}' > "$dir/site/new"; mv "$dir/site/new" "$dir/site/mug.json"; rm "$dir/site/gone.json"
sleep 3
early="$(ask mug.json | tr '\n' ' ')$(ask gone.json | tr '\n' ' ')"
for second in $(seq 4 50); do sleep 1; late=$(ask mug.json); [[ $late != *19 ]] || break; done
echo "$(dpkg-query -W -f '${Package} ${Version}' yaws)"
echo "seen: after 3 s $early; the new price after $second s"
[ "$early" = '200 "price":5 200 "price":5 ' ] && [[ $late = *19 && $second -gt 15 ]]
