#!/usr/bin/env bash
# A Link header has its address in angle brackets, in which ";" and "," are plain characters (RFC 8288, 3; RFC 3986, 2.2). requests and httpx split at ";" before they look for
# brackets: response.links["next"] of <…/products?size=s;m&page=2> is …/products?size=s, an address of another list. Guzzle's Header::parse splits at "," too: <…?tags=mug,cup&page=2>
# becomes two links without an address of which the second is "next". aiohttp reads both addresses whole. One would guess that a client's own reader knows the brackets.
# A program that follows "next" then loads the wrong products without an error, or page 1 for ever. A catalog with lists in its addresses writes %3B and %2C into its links.
# Version: requests 2.28.1, httpx 0.23.3, aiohttp 3.8.4, guzzlehttp/psr7 2.4.5 (Debian's packages python3-requests, python3-httpx, python3-aiohttp and php-guzzlehttp-psr7).
set -euo pipefail
/usr/bin/python3 -c 'import aiohttp, httpx, requests' 2> /dev/null && [ -e /usr/share/php/GuzzleHttp/Psr7/autoload.php ] ||
  { echo "needs Debian's packages python3-requests, python3-httpx, python3-aiohttp and php-guzzlehttp-psr7"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import asyncio, http.server, threading
import aiohttp, httpx, requests

class List(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Link", f'<http://shop.example/products?{self.path[2:]}&page=2>; rel="next"')
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")
    def log_message(self, *_):
        pass

async def with_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.links["next"]["url"]

server = http.server.HTTPServer(("127.0.0.1", 0), List)
threading.Thread(target=server.serve_forever, daemon=True).start()
for query in ("size=s;m", "tags=mug,cup"):
    url = f"http://127.0.0.1:{server.server_port}/?{query}"
    print("requests", requests.get(url).links["next"]["url"])
    print("httpx", httpx.get(url, trust_env=False).links["next"]["url"])
    print("aiohttp", asyncio.run(with_aiohttp(url)))
PY
cat > "$dir/run.php" <<'PHP'
<?php
require '/usr/share/php/GuzzleHttp/Psr7/autoload.php';
foreach (['size=s;m', 'tags=mug,cup'] as $query) {
    $links = GuzzleHttp\Psr7\Header::parse("<http://shop.example/products?$query&page=2>; rel=\"next\"");
    echo 'guzzle ', json_encode($links, JSON_UNESCAPED_SLASHES), "\n";
}
PHP
seen=$(NO_PROXY='*' /usr/bin/python3 -W ignore "$dir/run.py"; php "$dir/run.php")
/usr/bin/python3 -W ignore -c 'import aiohttp, httpx, requests; print(f"requests {requests.__version__}, httpx {httpx.__version__}, aiohttp {aiohttp.__version__}")'
echo "seen: $seen"
[ "$seen" = 'requests http://shop.example/products?size=s
httpx http://shop.example/products?size=s
aiohttp http://shop.example/products?size=s;m&page=2
requests http://shop.example/products?tags=mug,cup&page=2
httpx http://shop.example/products?tags=mug,cup&page=2
aiohttp http://shop.example/products?tags=mug,cup&page=2
guzzle [{"<http://shop.example/products?size":"s","m&page":"2>","rel":"next"}]
guzzle [{"<http://shop.example/products?tags":"mug"},{"cup&page":"2>","rel":"next"}]' ]
