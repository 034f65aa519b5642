#!/usr/bin/env bash
# aria2c, given the pages /products?page=1 to 3 of a list, saves them as products, products.1 and products.2: it drops the query, and a number behind the name says which came first. One would guess a name with the query, as wget
# gives it, or an error for the second file of one name. Started again, it saves three more, products.3 to products.5, and exits 0.
# Which page a file is, nothing in its name says, and a mirror that is refreshed this way keeps its first copy under the name that programs read, for ever; each page needs an "out=" of its own, or addresses without a query.
# Version: aria2 1.36.0, wget 1.21.3 (Debian's packages), seen with a server on Node 20.
set -euo pipefail
command -v aria2c wget > /dev/null || { echo "needs Debian's packages aria2 and wget"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.cjs" <<'JS'
const server = require("node:http").createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(request.url.replace("/products?", ""));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/server.cjs" > "$dir/port" & server=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
cd "$dir"; export HOME=$dir; mkdir aria wget
for page in 1 2 3; do echo "http://127.0.0.1:$(cat port)/products?page=$page"; done > list
names() { (cd "$1" && for file in *; do echo "$file: $(cat "$file")"; done); }
load() { timeout 30 aria2c --no-conf -q -j 1 -d aria -i list && echo "exit 0"; }
seen=$(load; names aria; load; names aria | wc -l; echo "wget"; wget -q -P wget -i list; names wget)
dpkg-query -W -f '${Package} ${Version}\n' aria2 wget
echo "seen: $seen"
[ "$seen" = 'exit 0
products: page=1
products.1: page=2
products.2: page=3
exit 0
6
wget
products?page=1: page=1
products?page=2: page=2
products?page=3: page=3' ]
