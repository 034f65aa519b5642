#!/usr/bin/env bash
# Range: bytes=-4 asks for the last four bytes. Mojolicious and Paste send the first five, as 206 with Content-Range: bytes 0-4/30, as if the missing start were 0. One would guess the last four, or all
# of the file with 200. Readers that look at a file's end first (the directory of a ZIP or Parquet file, the newest lines of a catalog's
# log of changes) get its beginning, with an answer in good order.
# Version: Mojolicious 9.31, Paste 3.5.2 (Debian's packages libmojolicious-perl and python3-paste).
set -euo pipefail
perl -MMojolicious -e 1 2> /dev/null && /usr/bin/python3 -c 'import paste.urlparser' 2> /dev/null || { echo "needs Debian's packages libmojolicious-perl and python3-paste"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; printf '{"page":1,"pad":"0123456789"}\n' > "$dir/site/products.json"
cat > "$dir/mojolicious.pl" <<'PERL'
use Mojolicious::Lite;
app->static->paths([$ENV{SITE}]);
app->log->level("fatal");
app->start;
PERL
cat > "$dir/paste.py" <<'PY'
import os, sys
from paste.urlparser import StaticURLParser
from wsgiref.simple_server import make_server
make_server("127.0.0.1", int(sys.argv[1]), StaticURLParser(os.environ["SITE"])).serve_forever()
PY
export SITE="$dir/site"
seen=
for name in mojolicious paste; do
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  if [ "$name" = paste ]; then /usr/bin/python3 "$dir/paste.py" "$port" 2> "$dir/log" & else perl "$dir/mojolicious.pl" daemon -l "http://127.0.0.1:$port" > "$dir/log" 2>&1 & fi
  pid=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
  range=$(curl -s -D - -o "$dir/part" -H 'Range: bytes=-4' "http://127.0.0.1:$port/products.json" | tr -d '\r' | sed -n 's/^content-range: //Ip')
  seen+="$name $range $(cat "$dir/part"); "
  kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
done
echo "Mojolicious $(perl -MMojolicious -e 'print Mojolicious->VERSION')"
echo "seen: $seen"
[ "$seen" = 'mojolicious bytes 0-4/30 {"pag; paste bytes 0-4/30 {"pag; ' ]
