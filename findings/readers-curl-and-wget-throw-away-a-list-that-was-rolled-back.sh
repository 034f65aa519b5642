#!/usr/bin/env bash
# `curl -R -z list.json -o list.json` and `wget -N` send If-Modified-Since with the time of their file. A server whose list was rolled back answers 200 with the list and its older Last-Modified, as nginx does (its comparison is exact):
# curl throws the body away, wget too if it is as long as the old one, both with exit 0; each later run does the same. wget2 -N and LWP's mirror write the list. One would guess that a 200 is taken: the server has made the comparison.
# A rollback, a restored copy or a second server with other file times is never seen by those who mirror a catalog with these; a price often keeps its length. Give a file that goes back a new time, or send ETags to clients that know them.
# Version: curl 7.88.1, wget 1.21.3, wget2 1.99.1, LWP 6.68 (Debian's packages curl, wget, wget2 and libwww-perl), seen with a server on Node 20.
set -euo pipefail
command -v curl wget wget2 lwp-mirror > /dev/null || { echo "needs Debian's packages curl, wget, wget2 and libwww-perl"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
cat > server.cjs <<'JS'
// Two releases with equal lengths at /same.json and different ones at /other.json; /rollback makes the first one current.
const releases = [
  { day: "Sat, 21 Nov 2026 10:00:00 GMT", "/same.json": '{"price":18.50}', "/other.json": '{"price":118.50}' },
  { day: "Sun, 22 Nov 2026 10:00:00 GMT", "/same.json": '{"price":19.90}', "/other.json": '{"price":19.90}' },
];
let current = releases[1];
const server = require("node:http").createServer((request, response) => {
  if (request.url === "/rollback") current = releases[0];
  const headers = { "content-type": "application/json", "last-modified": current.day };
  if (request.headers["if-modified-since"] === current.day) return response.writeHead(304, headers).end();
  const body = current[request.url] ?? "";
  response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node server.cjs > port & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
site="http://127.0.0.1:$(cat port)"
mirror() {
  seen=
  for program in curl wget wget2 lwp-mirror; do
    mkdir -p "$program"; cd "$program"
    for list in same other; do
      case $program in
        curl) curl -sS -R -z $list.json -o $list.json "$site/$list.json" 2> /dev/null ;;
        lwp-mirror) lwp-mirror "$site/$list.json" $list.json > /dev/null ;;
        *) $program -q -N "$site/$list.json" ;;
      esac
      seen="$seen$program $list $(sed 's/[^0-9.]//g' $list.json), "
    done
    cd ..
  done
}
mirror
[ "$seen" = "curl same 19.90, curl other 19.90, wget same 19.90, wget other 19.90, wget2 same 19.90, wget2 other 19.90, lwp-mirror same 19.90, lwp-mirror other 19.90, " ]
curl -sf "$site/rollback"
mirror
dpkg-query -W -f '${Package} ${Version}, ' curl wget wget2 libwww-perl; echo
echo "seen: $seen"
[ "$seen" = "curl same 19.90, curl other 19.90, wget same 19.90, wget other 118.50, wget2 same 18.50, wget2 other 118.50, lwp-mirror same 18.50, lwp-mirror other 118.50, " ]
