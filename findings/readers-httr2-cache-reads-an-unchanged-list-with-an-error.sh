#!/usr/bin/env bash
# R's httr2 with req_cache: the second reading of a list is confirmed by a 304, and the program gets its old body with the status 304 and the 304's headers; resp_body_json(), which looks at Content-Type, stops with an error.
# With use_on_error = TRUE and a 503 it stops, too. One would guess the stored 200 both times: the 304 has no Content-Type by RFC 9110 §15.4.5, and the option is there to "return that instead of generating an error".
# A script reads a catalog well once, and fails as soon as it reads what has not changed; servers that send a Content-Type in a 304 hide it, so it depends on the edge. Call resp_body_json(check_type = FALSE).
# Version: httr2 0.2.2, R 4.2.2 (Debian's package r-cran-httr2), seen with a server on Node 20.
set -euo pipefail
Rscript -e 'library(httr2)' > /dev/null 2>&1 || { echo "needs Debian's package r-cran-httr2"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
cat > server.cjs <<'JS'
const type = { "content-type": "application/json" };
const server = require("node:http").createServer((request, response) => {
  const has = request.headers["if-none-match"] === '"one"';
  const headers = { "cache-control": "max-age=0, stale-if-error=600", etag: '"one"' };
  if (has && request.url === "/fails.json") return response.writeHead(503, type).end('{"success":false}');
  if (has) return response.writeHead(304, request.url === "/typed.json" ? { ...headers, ...type } : headers).end();
  response.writeHead(200, { ...headers, ...type }).end('{"price":19.90}');
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
cat > reader.R <<'R'
suppressMessages(library(httr2))
site <- commandArgs(TRUE)[1]
read <- function(path) tryCatch({
  answer <- request(paste0(site, path)) |> req_cache("cache", use_on_error = TRUE) |> req_perform()
  price <- tryCatch(resp_body_json(answer)$price, error = function(e) "no JSON")
  paste(resp_status(answer), price)
}, error = function(e) conditionMessage(e))
for (path in c("/plain.json", "/typed.json", "/fails.json")) {
  first <- read(path)
  # An answer with max-age=0 is fresh within its second.
  Sys.sleep(1.5)
  cat(path, " ", first, ", ", read(path), "; ", sep = "")
}
R
node server.cjs > port & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
seen=$(Rscript reader.R "http://127.0.0.1:$(cat port)")
Rscript -e 'cat("httr2", as.character(packageVersion("httr2")), R.version.string, "\n")'
echo "seen: $seen"
[ "$seen" = "/plain.json 200 19.9, 304 no JSON; /typed.json 200 19.9, 304 19.9; /fails.json 200 19.9, HTTP 503 Service Unavailable.; " ]
