#!/usr/bin/env bash
# `curl --etag-save list.etag --etag-compare list.etag -o list.json`: the transfer breaks in the middle, curl exits with 18, and the next run gets a 304, exits with 0 and leaves the half file, as does every run after it.
# One would guess that the ETag is kept once the body is whole, as the file and its ETag belong together: curl writes the ETag when the header arrives.
# A copy of a catalog that a schedule refreshes is half a list until the next publish, and all runs but the first one are good. Fetch into another file, and move both when curl has exited with 0.
# Version: curl 7.88.1 (Debian's package curl), seen with a server on Node 20.
set -euo pipefail
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
cat > server.cjs <<'JS'
const list = '{"data":[{"id":1,"price":19.90},{"id":2,"price":20}]}';
let asked = 0;
const server = require("node:http").createServer((request, response) => {
  asked += 1;
  if (request.headers["if-none-match"] === '"one"') return response.writeHead(304, { etag: '"one"' }).end();
  response.writeHead(200, { "content-type": "application/json", "content-length": list.length, etag: '"one"' });
  if (asked > 1) return response.end(list);
  response.write(list.slice(0, 20), () => response.destroy());
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node server.cjs > port & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
seen=
for _ in 1 2 3; do
  status=0; curl -s --etag-save list.etag --etag-compare list.etag -o list.json "http://127.0.0.1:$(cat port)/products.json" || status=$?
  seen="$seen$status $(cat list.json) / "
done
curl --version | head -n 1 | cut -d' ' -f1,2
echo "seen: $seen"
[ "$seen" = '18 {"data":[{"id":1,"pr / 0 {"data":[{"id":1,"pr / 0 {"data":[{"id":1,"pr / ' ]
