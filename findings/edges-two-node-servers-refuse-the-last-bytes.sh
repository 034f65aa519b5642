#!/usr/bin/env bash
# local-web-server and ecstatic answer 416 to Range: bytes=-4, the last four bytes of a file that has thirty; and local-web-server answers a range beyond the end, bytes=999-, with 206, no body and
# Content-Range: bytes 999-29/30. One would guess 206 for the first and 416 for the second. A client that resumes a complete file is told that there is
# more, which is nothing, and one that reads a file's end first (a ZIP or Parquet directory) cannot.
# Version: local-web-server 5.4.0, ecstatic 4.1.4, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json; mkdir site; printf '{"page":1,"pad":"0123456789"}\n' > site/products.json
npm install --silent --no-audit --no-fund local-web-server@5.4.0 ecstatic@4.1.4
cat > serve.js <<'JS'
import http from "node:http";
const [name, port] = process.argv.slice(2);
if (name === "ecstatic") http.createServer((await import("ecstatic")).default({ root: "site" })).listen(Number(port), "127.0.0.1");
else await (await import("local-web-server")).default.create({ port: Number(port), hostname: "127.0.0.1", directory: "site" });
JS
seen=
for name in local-web-server ecstatic; do
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  node serve.js "$name" "$port" > log 2>&1 & pid=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
  ask() { curl -s -D - -o /dev/null -H "Range: $1" "http://127.0.0.1:$port/products.json" | tr -d '\r' | sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p; s/^content-range: //Ip' | tr '\n' ' '; }
  seen+="$name: last $(ask bytes=-4)beyond $(ask bytes=999-)first $(ask bytes=0-3); "
  kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
done
echo "seen: $seen"
[ "$seen" = "local-web-server: last 416 beyond 206 bytes 999-29/30 first 206 bytes 0-3/30 ; ecstatic: last 416 beyond 416 first 206 bytes 0-3/30 ; " ]
