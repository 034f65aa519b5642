#!/usr/bin/env bash
# s4cmd, "super S3 command line tool" in the manner of s3cmd, uploads products.json and index.html without a Content-Type; S3 then says binary/octet-stream. s3cmd, whose options it takes, sends the type of each file. One would guess that the faster one does, too.
# A browser offers a catalog's pages as a download, and a client that looks at the type before it reads JSON refuses every answer; nothing is said at the upload. --API-ContentType sets one type for all files of a run.
# Version: s4cmd 2.1.0, s3cmd 2.3.0 (Debian's packages s4cmd and s3cmd), against a stub of a bucket that notes the headers.
set -euo pipefail
for tool in s4cmd s3cmd; do command -v $tool > /dev/null || { echo "needs Debian's packages s4cmd s3cmd"; exit 1; }; done
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"price":19.90}' > "$dir/site/products.json"; echo '<!doctype html><html><title>Shop</title></html>' > "$dir/site/index.html"
cat > "$dir/bucket.py" <<'PY'
import hashlib, http.server, sys
class Bucket(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def answer(self, status, headers={}, body=b""):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items(): self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body)
    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[1], "a") as seen: print(self.path, self.headers.get("Content-Type"), file=seen)
        self.answer(200, {"ETag": '"%s"' % hashlib.md5(body).hexdigest()})
    def do_GET(self):
        self.answer(200, {"Content-Type": "application/xml"}, b'<?xml version="1.0"?><LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>') if "location" in self.path else self.do_HEAD()
    def do_HEAD(self): self.answer(404)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 "$dir/bucket.py" "$dir/seen" > "$dir/port" & server=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
place=127.0.0.1:$(cat "$dir/port")
printf '%s\n' '[default]' 'access_key = reader' 'secret_key = secret' "host_base = $place" "host_bucket = $place" 'use_https = False' > "$dir/s3cfg"
for file in products.json index.html; do
  S3_ACCESS_KEY=reader S3_SECRET_KEY=secret HOME=$dir s4cmd --endpoint-url "http://$place" put "$dir/site/$file" "s3://shop/s4cmd/$file" > "$dir/log" 2>&1
  s3cmd --config "$dir/s3cfg" put "$dir/site/$file" "s3://shop/s3cmd/$file" > "$dir/log" 2>&1
done
dpkg-query -W -f '${Package} ${Version}\n' s3cmd s4cmd
seen=$(sort "$dir/seen")
echo "seen: $seen"
[ "$seen" = '/shop/s3cmd/index.html text/html
/shop/s3cmd/products.json application/json
/shop/s4cmd/index.html None
/shop/s4cmd/products.json None' ]
