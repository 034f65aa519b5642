#!/usr/bin/env bash
# Where an API reads tags=mug,cup as two tags, a tag with a comma is sent as "screws%2C%20M4". aiohttp sends "screws,%20M4": it takes the escapes off , / : @ ! ' ? and * of every query, of an
# address that was given as a text and of a value in params, and of the addresses that it reads from a Link header. requests and httpx leave them. One would guess that an address which
# is valid is sent as it is, for "," and "%2C" are different addresses (RFC 3986, 2.2). Only yarl.URL(…, encoded=True) is sent as it is written.
# The API answers with the products of two other tags, or none; and a CDN that knows the list by its escaped address keeps a second copy, which a purge of the first does not reach.
# Version: aiohttp 3.8.4 with yarl 1.8.2, requests 2.28.1, httpx 0.23.3 (Debian's packages python3-aiohttp, python3-requests and python3-httpx).
set -euo pipefail
/usr/bin/python3 -c 'import aiohttp, httpx, requests' 2> /dev/null || { echo "needs Debian's packages python3-aiohttp, python3-requests and python3-httpx"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import asyncio, http.server, threading
import aiohttp, httpx, requests, yarl

asked = []

class List(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")
    def log_message(self, *_):
        pass

async def with_aiohttp(url, **options):
    async with aiohttp.ClientSession() as session, session.get(url, **options):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), List)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}/products"
text, params = f"{base}?tags=screws%2C%20M4", {"tags": "screws,M4"}
requests.get(text)
requests.get(base, params=params)
httpx.get(text, trust_env=False)
httpx.get(base, params=params, trust_env=False)
asyncio.run(with_aiohttp(text))
asyncio.run(with_aiohttp(base, params=params))
asyncio.run(with_aiohttp(yarl.URL(text, encoded=True)))
names = ["requests", "requests params", "httpx", "httpx params", "aiohttp", "aiohttp params", "aiohttp encoded=True"]
for name, path in zip(names, asked, strict=True):
    print(name, path)
PY
seen=$(NO_PROXY='*' /usr/bin/python3 -W ignore "$dir/run.py")
/usr/bin/python3 -W ignore -c 'import aiohttp, httpx, requests, yarl; print(f"aiohttp {aiohttp.__version__}, yarl {yarl.__version__}, requests {requests.__version__}, httpx {httpx.__version__}")'
echo "seen: $seen"
[ "$seen" = 'requests /products?tags=screws%2C%20M4
requests params /products?tags=screws%2CM4
httpx /products?tags=screws%2C%20M4
httpx params /products?tags=screws%2CM4
aiohttp /products?tags=screws,%20M4
aiohttp params /products?tags=screws,M4
aiohttp encoded=True /products?tags=screws%2C%20M4' ]
