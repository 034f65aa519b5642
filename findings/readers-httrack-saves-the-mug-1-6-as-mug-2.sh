#!/usr/bin/env bash
# HTTrack, which makes a copy of a shop for reading offline, saves the page /products/mug-1.6 as mug-2.html when /products/mug-1.5 is mug-1.html, and /products/mug-2 as mug-3.html; /products/node.js is node.html. It takes what
# follows the last dot of an address for an ending that does not fit text/html, and counts what then has one name. One would guess mug-1.5.html and mug-1.6.html, as wget -E saves them.
# The links inside the copy are right, but names in it say another product or version, and change with the order of the links; whoever looks up a page by its slug, or compares two copies, takes one product for another.
# Version: httrack 3.49.4 (Debian's package), wget 1.21.3, seen with a server on Node 20.
set -euo pipefail
command -v httrack wget > /dev/null || { echo "needs Debian's packages httrack and wget"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.cjs" <<'JS'
const slugs = ["mug-1.5", "mug-1.6", "mug-2", "mug", "node.js"];
const list = slugs.map((slug) => `<a href="/products/${slug}">${slug}</a>`).join(" ");
const server = require("node:http").createServer((request, response) => {
  const slug = request.url.replace("/products/", "");
  const body = request.url === "/" ? list : slugs.includes(slug) ? `<h1>${slug}</h1>` : undefined;
  response.writeHead(body ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/server.cjs" > "$dir/port" & server=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
cd "$dir"; site="http://127.0.0.1:$(cat port)/"
timeout 60 httrack "$site" -O copy -q -n --sockets=1 > log 2>&1
wget -q -r -E -P wget "$site"
names() { (cd "$1"/127*/products && for page in *; do echo "$page: $(sed -n 's/.*<h1>\(.*\)<\/h1>.*/\1/p' "$page")"; done); }
seen=$(echo "HTTrack"; names copy; echo "wget"; names wget)
dpkg-query -W -f '${Package} ${Version}\n' httrack wget
echo "seen: $seen"
[ "$seen" = 'HTTrack
mug-1.html: mug-1.5
mug-2.html: mug-1.6
mug-3.html: mug-2
mug.html: mug
node.html: node.js
wget
mug-1.5.html: mug-1.5
mug-1.6.html: mug-1.6
mug-2.html: mug-2
mug.html: mug
node.js.html: node.js' ]
