#!/usr/bin/env bash
# Rack::ETag and Rack::ConditionalGet before Rack::Static, as one adds them for a folder of JSON: files get no ETag, and a list whose bytes changed within a second is a 304 for the reader of the first. One would guess a digest of each answer, which
# is what Rack::ETag makes for the application behind: it leaves out bodies that have a path, so that the server can send the file itself.
# Whoever adds the two believes that readers compare contents; a build that writes a file twice in a second, or sets its times, leaves the old answer at each reader who polls. Rails serves public/ in the same way.
# Version: Rack 2.2.22, Puma 5.6.5 (Debian's packages ruby-rack and puma), Ruby 3.1.
set -euo pipefail
command -v puma > /dev/null || { echo "needs Debian's packages puma and ruby-rack"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"price":5}' > "$dir/site/mug.json"; touch -d '2026-11-29T10:00:00.1Z' "$dir/site/mug.json"
cat > "$dir/config.ru" <<RU
use Rack::ConditionalGet
use Rack::ETag
use Rack::Static, urls: ["/mug.json"], root: "$dir/site"
run lambda { |env| [200, { "Content-Type" => "application/json" }, ['{"price":5}']] }
RU
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(cd "$dir" && exec puma -b "tcp://127.0.0.1:$port" config.ru) > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$port/mug.json" && break; sleep 0.1; done
etag() { curl -s -D - -o /dev/null "http://127.0.0.1:$port/$1" | tr -d '\r' | grep -i '^etag' || echo none; }
date=$(curl -s -D - -o /dev/null "http://127.0.0.1:$port/mug.json" | tr -d '\r' | sed -n 's/^Last-Modified: //p')
echo '{"price":19}' > "$dir/new"; touch -d '2026-11-29T10:00:00.9Z' "$dir/new"; mv "$dir/new" "$dir/site/mug.json"
seen="application: $(etag other.json), file: $(etag mug.json), changed file: $(curl -s -o /dev/null -w '%{http_code}' -H "If-Modified-Since: $date" "http://127.0.0.1:$port/mug.json")"
echo "rack $(dpkg-query -W -f '${Version}' ruby-rack), puma $(dpkg-query -W -f '${Version}' puma)"
echo "seen: $seen"
[[ $seen = 'application: ETag: W/"'*', file: none, changed file: 304' ]]
