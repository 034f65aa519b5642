#!/usr/bin/env bash
# HTTP::Cache::Transparent keeps what LWP loads, and asks with the ETag. A request with Range, which some programs send to look at the beginning of a large file, takes the place of the whole list
# in the cache: the next request for the list has no Range, gets a 304, and is answered by the ten bytes, status 206. One would guess that a part is kept beside the whole or not at all
# (RFC 9111, 3.3), or that a 304 for the whole is no word about a part. So it stays until the list changes.
# A program that checks is_success, true of 206, reads the beginning of a JSON list or of a CSV file and takes it for the catalog. Load parts with another program.
# Version: HTTP::Cache::Transparent 1.4, LWP 6.68 (Debian's packages libhttp-cache-transparent-perl and libwww-perl).
set -euo pipefail
/usr/bin/perl -MHTTP::Cache::Transparent -MLWP::UserAgent -e 1 2> /dev/null || { echo "needs Debian's packages libhttp-cache-transparent-perl and libwww-perl"; exit 1; }
dir=$(mktemp -d); trap 'kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.py" <<'PY'
import http.server

LIST = b'slug,price\nmug,9.90\ncup,7.50\n'

class Csv(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked, tag = self.headers.get("Range"), self.headers.get("If-None-Match")
        print(f"Range {asked}, If-None-Match {tag}", flush=True)
        body = b"" if tag == '"1"' else LIST[:10] if asked == "bytes=0-9" else LIST
        self.send_response(304 if tag == '"1"' else 206 if asked == "bytes=0-9" else 200)
        self.send_header("ETag", '"1"')
        if asked and body:
            self.send_header("Content-Range", f"bytes 0-9/{len(LIST)}")
        if body:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Csv)
print(server.server_port, flush=True)
server.serve_forever()
PY
/usr/bin/python3 "$dir/server.py" > "$dir/server.log" &
server=$!
until [ -s "$dir/server.log" ]; do sleep 0.1; done
mkdir "$dir/cache"
cat > "$dir/run.pl" <<'PL'
use strict;
use warnings;
use HTTP::Cache::Transparent;
use LWP::UserAgent;

my ($port, $cache) = @ARGV;
HTTP::Cache::Transparent::init({ BasePath => $cache });
my $agent = LWP::UserAgent->new;
for ([], [Range => "bytes=0-9"], [], []) {
    my $answer = $agent->get("http://127.0.0.1:$port/products.csv", @$_);
    print @$_ ? "part: " : "list: ", $answer->code, " ", length $answer->content, " bytes, success ", $answer->is_success ? 1 : 0, "\n";
}
PL
seen=$(no_proxy='*' /usr/bin/perl "$dir/run.pl" "$(head -1 "$dir/server.log")" "$dir/cache")
/usr/bin/perl -MHTTP::Cache::Transparent -MLWP::UserAgent -e 'print "HTTP::Cache::Transparent $HTTP::Cache::Transparent::VERSION, LWP $LWP::UserAgent::VERSION\n"'
echo "seen: $seen"
tail -n +2 "$dir/server.log"
[ "$seen" = 'list: 200 29 bytes, success 1
part: 206 10 bytes, success 1
list: 206 10 bytes, success 1
list: 206 10 bytes, success 1' ]
