#!/usr/bin/env bash
# drakma, Common Lisp's usual HTTP client, takes the query of an address apart and writes it anew: /search?q=usb%20hub is asked as q=usb%2520hub, c%2B%2B as c%252B%252B, and a+b, which means "a b", as a%2Bb. But q=caf%C3%A9
# and q=usb%2Dc arrive right, as the library below it decodes the escapes of letters, digits and hyphens first and leaves those of a space, a plus, an ampersand and a percent sign. A path keeps its %20.
# One would guess that a whole address is sent as it stands, or that it is decoded before it is encoded; and a test with "café" passes. (preserve-uri: t sends it as it is; (parameters '(("q" . "usb hub"))) encodes once.)
# The links of a catalog (next page, search) lead such a reader to "0 found" for each text of two words: the server looks for usb%20hub, with no error.
# Version: drakma 2.0.8 with puri 1.5.7.2 (Debian's packages cl-drakma and sbcl).
set -euo pipefail
command -v sbcl > /dev/null && [ -d /usr/share/common-lisp/source/drakma ] || { echo "needs Debian's packages cl-drakma and sbcl"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/shop.py" <<'PY'
import http.server


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("X-Asked", self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Shop)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 "$dir/shop.py" > "$dir/port" & server=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
cat > "$dir/run.lisp" <<'LISP'
(require :asdf)
(handler-bind ((warning #'muffle-warning))
  (let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
    (asdf:load-system :drakma)))
(defun asked (base path &rest options)
  (let ((headers (nth-value 2 (apply #'uiop:symbol-call :drakma :http-request (concatenate 'string base path) options))))
    (format t "~a: ~a~%" path (cdr (assoc :x-asked headers)))))
(let ((base (car (last sb-ext:*posix-argv*))))
  (dolist (path '("/s?q=usb%20hub" "/s?q=c%2B%2B" "/s?q=a+b" "/s?q=caf%C3%A9" "/s?q=usb%2Dc" "/usb%20hub"))
    (asked base path))
  (asked base "/s?q=usb%20hub" :preserve-uri t))
LISP
seen=$(XDG_CACHE_HOME="$dir/cache" timeout 300 sbcl --script "$dir/run.lisp" "http://127.0.0.1:$(cat "$dir/port")" 2> "$dir/said") || { tail -n 5 "$dir/said"; exit 1; }
echo "drakma $(dpkg-query -W -f '${Version}' cl-drakma), puri $(dpkg-query -W -f '${Version}' cl-puri), $(sbcl --version)"
echo "seen: $seen"
[ "$seen" = '/s?q=usb%20hub: /s?q=usb%2520hub
/s?q=c%2B%2B: /s?q=c%252B%252B
/s?q=a+b: /s?q=a%2Bb
/s?q=caf%C3%A9: /s?q=caf%C3%A9
/s?q=usb%2Dc: /s?q=usb-c
/usb%20hub: /usb%20hub
/s?q=usb%20hub: /s?q=usb%20hub' ]
