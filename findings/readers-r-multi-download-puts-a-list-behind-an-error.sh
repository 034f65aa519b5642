#!/usr/bin/env bash
# multi_download(url, file, resume = TRUE) of R's curl writes the text of a 503 into the file and says success TRUE. The next run, answered by 200 or 206, asks for the bytes behind that
# text and adds them: a file that begins with an error and goes on in the middle of a list, success TRUE again. A file that is whole is asked for from its end: 416, success TRUE, so that a
# new list of the same length never comes. No request says If-Range. One would guess that what resumes knows what it began with, and that an error is no beginning.
# curl_download, the same package's function for one file, stops at an error and leaves no file. Without resume = TRUE the file is at least the answer to one request; read status_code.
# Version: curl 5.0.0 for R 4.2.2 (Debian's package r-cran-curl).
set -euo pipefail
command -v Rscript > /dev/null && Rscript -e 'library(curl)' > /dev/null 2>&1 || { echo "needs Debian's package r-cran-curl"; exit 1; }
dir=$(mktemp -d); trap 'kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.py" <<'PY'
import http.server

# One answer a request, in this order: too busy; version 1; version 1 again, for a whole file; version 2, of the same length.
answers = iter([(503, b'{"error":"busy"}'), (200, b'{"products":["mug","cup"]}'), (200, b'["mug"]'), (200, b'["cup"]')])

class List(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        code, body = next(answers)
        start = self.headers.get("Range")
        if code == 200 and start and not self.headers.get("If-Range"):
            first = int(start.removeprefix("bytes=").removesuffix("-"))
            code = 206 if first < len(body) else 416
            whole, body = len(body), body[first:]
        self.send_response(code)
        self.send_header("ETag", '"1"' if b"mug" in body else '"2"')
        if code == 206:
            self.send_header("Content-Range", f"bytes {first}-{whole - 1}/{whole}")
        if code == 416:
            self.send_header("Content-Range", f"bytes */{whole}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        print(self.headers.get("Range"), self.headers.get("If-Range"), flush=True)
    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), List)
print(server.server_port, flush=True)
server.serve_forever()
PY
/usr/bin/python3 "$dir/server.py" > "$dir/server.log" &
server=$!
until [ -s "$dir/server.log" ]; do sleep 0.1; done
cat > "$dir/run.R" <<'R'
library(curl)
args <- commandArgs(TRUE)
for (name in c("first", "first", "second", "second")) {
  file <- file.path(args[2], name)
  answer <- multi_download(paste0("http://127.0.0.1:", args[1], "/"), file, progress = FALSE, resume = TRUE)
  cat(name, answer$status_code, answer$success, readLines(file, warn = FALSE), "\n")
}
R
seen=$(no_proxy='*' Rscript "$dir/run.R" "$(head -1 "$dir/server.log")" "$dir" 2> /dev/null)
Rscript -e 'cat("curl", as.character(packageVersion("curl")), R.version.string, "\n")'
echo "seen: $seen"
echo "Range, If-Range:" $(tail -n +2 "$dir/server.log")
[ "$seen" = 'first 503 TRUE {"error":"busy"} 
first 206 TRUE {"error":"busy"}g","cup"]} 
second 200 TRUE ["mug"] 
second 416 TRUE ["mug"] ' ]
