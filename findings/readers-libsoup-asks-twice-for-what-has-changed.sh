#!/usr/bin/env bash
# libsoup's cache has an old answer, asks with its ETag and gets a 200 with the new one: it throws that away and asks again, without the ETag. A 304 is one request.
# One would guess that the 200 is the new answer: that is what a conditional request is for (RFC 9111 §4.3.3).
# Programs of GNOME, and pages in WebKitGTK, fetch each changed list twice after a publish, and the second time past what a server counts as a poll; a limit of requests is used up by half as many readers.
# Version: libsoup 3.2.3 (Debian's packages libsoup-3.0-0, gir1.2-soup-3.0 and python3-gi).
set -euo pipefail
/usr/bin/python3 -c 'import gi; gi.require_version("Soup", "3.0")' 2> /dev/null || { echo "needs Debian's packages gir1.2-soup-3.0 and python3-gi"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/reader.py" <<'PY'
import gi, http.server, sys, threading
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Soup

asked, release = [], ["one"]

class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def do_GET(self):
        has, etag, body = self.headers["If-None-Match"], f'"{release[0]}"', release[0].encode()
        asked.append(has or "whole")
        self.send_response(304 if has == etag else 200)
        for name, value in {"Content-Type": "application/json", "Cache-Control": "max-age=0", "ETag": etag}.items():
            self.send_header(name, value)
        if has != etag: self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if has != etag: self.wfile.write(body)

shop = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=shop.serve_forever, daemon=True).start()
session = Soup.Session()
cache = Soup.Cache.new(sys.argv[1], Soup.CacheType.SINGLE_USER)
session.add_feature(cache)

def read():
    del asked[:]
    loop, got = GLib.MainLoop(), []
    def done(_, result):
        got.append(session.send_and_read_finish(result).get_data().decode())
        GLib.timeout_add(300, loop.quit)
    message = Soup.Message.new("GET", f"http://127.0.0.1:{shop.server_port}/products.json")
    session.send_and_read_async(message, GLib.PRIORITY_DEFAULT, None, done)
    loop.run()
    return f"{got[0]}: {' '.join(asked)}"

seen = [read(), read()]
release[0] = "two"
print(" / ".join([*seen, read(), read()]))
PY
seen=$(timeout 60 /usr/bin/python3 "$dir/reader.py" "$dir/cache")
echo "libsoup $(dpkg-query -W -f '${Version}' libsoup-3.0-0)"
echo "seen: $seen"
[ "$seen" = 'one: whole / one: "one" / two: "one" whole / two: "two"' ]
