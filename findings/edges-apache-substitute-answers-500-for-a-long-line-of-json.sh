#!/usr/bin/env bash
# Apache's mod_substitute, told to put the shop's own host name into a JSON file, answers 500 as soon as the file is longer than 1 MiB: JSON has no line ends, and no line may be longer (SubstituteMaxLineLength, 1m). One would guess
# that the limit is a buffer, or that such a line goes through unchanged; a file of 4 MB in short lines is served.
# A list behind a rewriting proxy works until the day the catalog has grown past the limit, and then is an error page of HTML for everybody; the same data as NDJSON passes.
# Version: Apache 2.4.71 (Debian's package apache2-bin).
set -euo pipefail
modules=/usr/lib/apache2/modules
command -v apache2 > /dev/null && [ -f "$modules/mod_substitute.so" ] || { echo "needs Debian's package apache2-bin"; exit 1; }
dir=$(mktemp -d); trap '[ ! -s "$dir/pid" ] || kill "$(cat "$dir/pid")" 2> /dev/null || true; sleep 1; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/site"
python3 - "$dir/site/" <<'PY'
import json, sys
def rows(count):
    return [json.dumps({"id": i, "url": "http://old.example/products/%d" % i, "text": "x" * 40}) for i in range(count)]
open(sys.argv[1] + "small.json", "w").write("[" + ",".join(rows(100)) + "]")
open(sys.argv[1] + "large.json", "w").write("[" + ",".join(rows(12000)) + "]")
open(sys.argv[1] + "lines.json", "w").write("[\n" + ",\n".join(rows(40000)) + "\n]\n")
PY
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
{
  for module in mpm_event authz_core mime filter substitute; do echo "LoadModule ${module}_module $modules/mod_$module.so"; done
  printf '%s\n' "ServerRoot $dir" "ServerName shop.example" "Listen 127.0.0.1:$port" "PidFile $dir/pid" "ErrorLog $dir/log" "User www-data" "Group www-data" "TypesConfig /dev/null" \
    "AddType application/json .json" "DocumentRoot $dir/site" "<Location />" "AddOutputFilterByType SUBSTITUTE application/json" 'Substitute "s|http://old.example|https://new.example|n"' "</Location>"
} > "$dir/httpd.conf"
apache2 -f "$dir/httpd.conf"
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
seen=$(for name in small large lines; do
  status=$(curl -s -o "$dir/answer" -w '%{http_code} %{content_type}' "http://127.0.0.1:$port/$name.json")
  echo "$name.json: $status, new host $( (grep -o new.example "$dir/answer" || true) | wc -l) times"
done)
apache2 -v | head -n 1
echo "seen: $seen"
[ "$seen" = 'small.json: 200 application/json, new host 100 times
large.json: 500 text/html; charset=iso-8859-1, new host 0 times
lines.json: 200 application/json, new host 40000 times' ]
