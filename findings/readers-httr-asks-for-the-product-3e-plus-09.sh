#!/usr/bin/env bash
# A product has the id 3000000000. R reads it from JSON exactly, as a double, and GET(url, query = list(id = product$id)) of httr sends id=3e%2B09: it turns each value into text with as.character,
# which takes the shorter spelling. So do 100000, 200000 and min_price = 1e5, while 123456 and 3000000001 are sent as they are. crul, of the same users, sends 3000000000. One would guess that a
# client which takes numbers for an address writes them in digits.
# An API of whole numbers answers 400 or 404 for the few products whose ids end in zeros, which no test with id 12 shows. Give texts: format(id, scientific = FALSE), or ids as integers below 2^31.
# Version: httr 1.4.5, crul 1.3 and jsonlite 1.8.4 for R 4.2.2 (Debian's packages r-cran-httr, r-cran-crul and r-cran-jsonlite).
set -euo pipefail
command -v Rscript > /dev/null && Rscript -e 'library(httr); library(crul); library(jsonlite)' > /dev/null 2>&1 ||
  { echo "needs Debian's packages r-cran-httr, r-cran-crul and r-cran-jsonlite"; exit 1; }
dir=$(mktemp -d); trap 'kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.py" <<'PY'
import http.server

class Echo(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.path.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Echo)
print(server.server_port, flush=True)
server.serve_forever()
PY
/usr/bin/python3 "$dir/server.py" > "$dir/port" &
server=$!
until [ -s "$dir/port" ]; do sleep 0.1; done
cat > "$dir/run.R" <<'R'
library(httr)
url <- paste0("http://127.0.0.1:", commandArgs(TRUE)[1], "/product")
ids <- jsonlite::fromJSON("[3000000000, 3000000001]")
for (id in c(ids, 100000, 123456)) {
  first <- rawToChar(GET(url, query = list(id = id))$content)
  second <- rawToChar(crul::HttpClient$new(url)$get(query = list(id = id))$content)
  third <- rawToChar(GET(url, query = list(id = format(id, scientific = FALSE)))$content)
  cat("httr", first, "crul", second, "formatted", third, "\n")
}
R
seen=$(no_proxy='*' Rscript "$dir/run.R" "$(cat "$dir/port")" 2> /dev/null)
Rscript -e 'for (p in c("httr", "crul", "jsonlite")) cat(p, as.character(packageVersion(p)), ""); cat(R.version.string, "\n")'
echo "seen: $seen"
[ "$seen" = 'httr /product?id=3e%2B09 crul /product?id=3000000000 formatted /product?id=3000000000 
httr /product?id=3000000001 crul /product?id=3000000001 formatted /product?id=3000000001 
httr /product?id=1e%2B05 crul /product?id=100000 formatted /product?id=100000 
httr /product?id=123456 crul /product?id=123456 formatted /product?id=123456 ' ]
