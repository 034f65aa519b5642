#!/usr/bin/env bash
# Qt's disk cache asks with the ETag of its old answer and gets a 503: the program's reply has the status 200, "from the cache", and as its body that of the 503 with the old answer behind it, if the 503 comes in one piece.
# One would guess either of the two: the 503, or the old answer, as stale-if-error allows. error() is set, but who looks at the status, or reads while the data comes, parses {"success":false,…}{"success":true,…}.
# An error of a catalog API is JSON, too, so a parser that stops at the end of the first value shows an error with a good status, and any other one says that the catalog is broken.
# Version: Qt 5.15.8 (Debian's packages python3-pyqt5 and libqt5network5).
set -euo pipefail
/usr/bin/python3 -c 'import PyQt5.QtNetwork' 2> /dev/null || { echo "needs Debian's package python3-pyqt5"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/reader.py" <<'PY'
import http.server, sys, threading, time
from PyQt5.QtCore import QCoreApplication, QEventLoop, QT_VERSION_STR, QUrl
from PyQt5.QtNetwork import QNetworkAccessManager, QNetworkDiskCache, QNetworkRequest

asked = []

class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def do_GET(self):
        asked.append(self.path)
        fails = self.headers["If-None-Match"] is not None
        body = b'{"success":false}' if fails else b'{"success":true}'
        headers = ["Cache-Control: no-store"] if fails else ["Cache-Control: max-age=0, stale-if-error=600", 'ETag: "one"']
        head = [f"HTTP/1.1 {'503 Service Unavailable' if fails else '200 OK'}", *headers, "Content-Type: application/json", f"Content-Length: {len(body)}", "", ""]
        # In one piece, as servers send a short answer.
        self.wfile.write("\r\n".join(head).encode() + body)

shop = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=shop.serve_forever, daemon=True).start()
app = QCoreApplication([])
manager, cache = QNetworkAccessManager(), QNetworkDiskCache()
cache.setCacheDirectory(sys.argv[1])
manager.setCache(cache)
seen = []
# A second with max-age=0 is still fresh: read until the shop is asked again.
for _ in range(60):
    before, loop = len(asked), QEventLoop()
    reply = manager.get(QNetworkRequest(QUrl(f"http://127.0.0.1:{shop.server_port}/products.json")))
    reply.finished.connect(loop.quit)
    loop.exec_()
    is_cached = reply.attribute(QNetworkRequest.SourceIsFromCacheAttribute) is True
    read = f"{reply.attribute(QNetworkRequest.HttpStatusCodeAttribute)} {bytes(reply.readAll()).decode()}{' cached' if is_cached else ''}, error {int(reply.error())}"
    if len(asked) > before: seen.append(read)
    if len(seen) == 2: break
    time.sleep(0.5)
print("Qt", QT_VERSION_STR)
print("seen:", " / ".join(seen))
PY
QT_QPA_PLATFORM=offscreen timeout 60 /usr/bin/python3 "$dir/reader.py" "$dir/cache" | tee "$dir/seen"
grep -qxF 'seen: 200 {"success":true}, error 0 / 200 {"success":false}{"success":true} cached, error 403' "$dir/seen"
