#!/usr/bin/env bash
# wget2 -k -E, which makes a copy's links fit for reading from the disk, saves ?page=2 as the file "products?page=2" and links to products?page=2, which is the file "products" to a browser; the product C%23 is the file "C#" and
# its link C#. One would guess %3F and %23 in the links, as wget writes. With --restrict-file-names=windows the file is called products%3Fpage=2, and the link says the same, which a browser reads as the other name.
# In an archive of a catalog each "next page" is the first one, or none, and C# is C, with no error at making it.
# Version: wget2 1.99.1 and wget 1.21.3 (Debian's packages); the site is played by Python 3.11.
set -euo pipefail
command -v wget2 wget > /dev/null || { echo "needs Debian's packages wget2 and wget"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.py" <<'PY'
import http.server, sys
HOME = '<!doctype html><title>Shop</title><a href="/products?page=2">next</a> <a href="/product/C%23">C#</a>'
class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        home = self.path == "/"
        body = (HOME if home else '{"path":"%s"}' % self.path).encode()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8" if home else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
PY
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 "$dir/server.py" "$port" & pid=$!
for _ in $(seq 50); do curl -sf -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
links() { grep -o 'href="[^"]*"' "$(find "$dir/$1" -name index.html)" | tr '\n' ' '; }
wget2 -q -r -k -E -P "$dir/two" "http://127.0.0.1:$port/" > /dev/null 2>&1 || true
wget2 -q -r -k -E --restrict-file-names=windows -P "$dir/windows" "http://127.0.0.1:$port/" > /dev/null 2>&1 || true
wget -q -r -k -E -P "$dir/one" "http://127.0.0.1:$port/" > /dev/null 2>&1 || true
seen="wget2 $(links two)/ windows $(links windows)/ wget $(links one)"
echo "$(wget2 --version | sed -n 1p), $(wget --version | sed -n 1p)"
echo "files: $(cd "$dir/two" && find . -type f | sed 's#.*/##' | sort | tr '\n' ' ')"
echo "seen: $seen"
[ "$seen" = 'wget2 href="products?page=2" href="product/C#" / windows href="products%3Fpage=2" href="product/C#" / wget href="products%3Fpage=2" href="product/C%23" ' ] && [ -e "$dir/two/127.0.0.1/products?page=2" ] && [ -e "$dir/windows/127.0.0.1/products%3Fpage=2" ]
