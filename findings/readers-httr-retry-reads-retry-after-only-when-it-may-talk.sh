#!/usr/bin/env bash
# RETRY() of R's httr waits as long as the Retry-After of a 429 says. With quiet = TRUE, which is to suppress its message, it does not read the header: that line stands inside `if (!quiet)`. It then
# asks after its own pause, and again, until its times are over. One would guess that a silent run asks as a loud one does. A 503's Retry-After is read by neither, and at one that is a date,
# which HTTP allows, the loud one dies: invalid 'time' value.
# A program is tried by hand, where it talks and waits, and then run each night with quiet = TRUE, where it is refused by an API that counts its requests. Give pause_min as long as the API's window.
# Version: httr 1.4.5 for R 4.2.2 (Debian's package r-cran-httr).
set -euo pipefail
command -v Rscript > /dev/null && Rscript -e 'library(httr)' > /dev/null 2>&1 || { echo "needs Debian's package r-cran-httr"; exit 1; }
dir=$(mktemp -d); trap 'kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.py" <<'PY'
import email.utils, http.server, time

first = {}

class Busy(http.server.BaseHTTPRequestHandler):
    """429 until 4 seconds are over after the first request of a path, then 200."""
    def do_GET(self):
        begun = first.setdefault(self.path, time.monotonic())
        self.send_response(429 if time.monotonic() < begun + 4 else 200)
        self.send_header("Retry-After", email.utils.formatdate(time.time() + 4, usegmt=True) if "date" in self.path else "4")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")
    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Busy)
print(server.server_port, flush=True)
server.serve_forever()
PY
/usr/bin/python3 "$dir/server.py" > "$dir/port" &
server=$!
until [ -s "$dir/port" ]; do sleep 0.1; done
cat > "$dir/run.R" <<'R'
library(httr)
ask <- function(path, quiet) {
  url <- paste0("http://127.0.0.1:", commandArgs(TRUE)[1], "/", path)
  answer <- suppressMessages(suppressWarnings(tryCatch(
    paste("status", status_code(RETRY("GET", url, times = 2, pause_base = 0.1, quiet = quiet))),
    error = function(e) paste("error:", conditionMessage(e))
  )))
  cat(path, answer, "\n")
}
ask("loud", FALSE)
ask("quiet", TRUE)
ask("loud-date", FALSE)
R
seen=$(no_proxy='*' LC_ALL=C Rscript "$dir/run.R" "$(cat "$dir/port")" 2> /dev/null)
Rscript -e 'cat("httr", as.character(packageVersion("httr")), R.version.string, "\n")'
echo "seen: $seen"
[ "$seen" = "loud status 200 
quiet status 429 
loud-date error: invalid 'time' value " ]
