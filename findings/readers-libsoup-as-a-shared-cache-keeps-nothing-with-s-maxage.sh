#!/usr/bin/env bash
# libsoup's cache as a shared one (CacheType.SHARED) never answers from what has "max-age=60, s-maxage=300": it asks again each time. With max-age=60 alone it does not ask, and as a private one it does not either.
# One would guess 300 seconds, or 60 if it did not know the word: s-maxage is for shared caches, and with it "proxy-revalidate", which is about answers that are stale (RFC 9111 §5.2.2.10).
# The lifetime that a catalog gives to caches in front of many readers takes the one from this cache that it has: a proxy or a kiosk made of libsoup asks the origin for each page.
# Version: libsoup 3.2.3 (Debian's packages libsoup-3.0-0, gir1.2-soup-3.0 and python3-gi).
set -euo pipefail
/usr/bin/python3 -c 'import gi; gi.require_version("Soup", "3.0")' 2> /dev/null || { echo "needs Debian's packages gir1.2-soup-3.0 and python3-gi"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/reader.py" <<'PY'
import gi, http.server, sys, threading
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Soup

asked = []

class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def do_GET(self):
        asked.append(self.path)
        self.send_response(200)
        for name, value in {"Content-Type": "application/json", "Cache-Control": LIFETIMES[self.path], "ETag": '"one"', "Content-Length": "2"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"[]")

LIFETIMES = {"/60": "max-age=60", "/60-300": "max-age=60, s-maxage=300"}
shop = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=shop.serve_forever, daemon=True).start()

def requests(kind, path):
    """How many requests three readings make; one changed answer may be asked for twice."""
    session = Soup.Session()
    session.add_feature(Soup.Cache.new(f"{sys.argv[1]}/{kind.value_nick}", kind))
    del asked[:]
    for _ in range(3):
        loop = GLib.MainLoop()
        def done(_, result):
            session.send_and_read_finish(result)
            GLib.timeout_add(300, loop.quit)
        session.send_and_read_async(Soup.Message.new("GET", f"http://127.0.0.1:{shop.server_port}{path}"), GLib.PRIORITY_DEFAULT, None, done)
        loop.run()
    return "one request" if len(asked) == 1 else "asks each time" if len(asked) >= 3 else str(len(asked))

kinds = [Soup.CacheType.SINGLE_USER, Soup.CacheType.SHARED]
print("; ".join(f"{kind.value_nick}: " + ", ".join(f"{path[1:]} {requests(kind, path)}" for path in LIFETIMES) for kind in kinds))
PY
seen=$(timeout 60 /usr/bin/python3 "$dir/reader.py" "$dir/cache")
echo "libsoup $(dpkg-query -W -f '${Version}' libsoup-3.0-0)"
echo "seen: $seen"
[ "$seen" = 'single-user: 60 one request, 60-300 one request; shared: 60 one request, 60-300 asks each time' ]
