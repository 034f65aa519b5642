#!/usr/bin/env bash
# CherryPy with its ETags on answers 304 to a request whose If-None-Match is another ETag, when the date in If-Modified-Since is the file's. One would guess 200: the date is not to be looked
# at where there is an ETag (RFC 9110 13.1.3), and all browsers send both. Files that a build writes twice within a second, or whose times a release sets,
# stay old at every reader. The zipped answer has the ETag of the plain one, too.
# Version: CherryPy 18.8.0 (Debian's package python3-cherrypy3).
set -euo pipefail
/usr/bin/python3 -c 'import cherrypy' 2> /dev/null || { echo "needs Debian's package python3-cherrypy3"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"price":"19.90"}' > "$dir/site/mug.json"; touch -d '2026-11-01 10:00:00Z' "$dir/site/mug.json"
cat > "$dir/serve.py" <<'PY'
import cherrypy, sys
cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": int(sys.argv[1]), "log.screen": False})
cherrypy.quickstart(None, "/", {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": sys.argv[2], "tools.etags.on": True, "tools.etags.autotags": True}})
PY
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
/usr/bin/python3 "$dir/serve.py" "$port" "$dir/site" 2> "$dir/log" & pid=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
url="http://127.0.0.1:$port/mug.json"
header() { curl -s -D - -o /dev/null "$url" | tr -d '\r' | sed -n "s/^$1: //Ip"; }
tag=$(header etag); date=$(header last-modified)
echo '{"price":"24.90"}' > "$dir/site/mug.json"; touch -d '2026-11-01 10:00:00Z' "$dir/site/mug.json"
[ "$tag" != "$(header etag)" ] || { echo "the ETag is the old one"; exit 1; }
seen="ETag alone $(curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $tag" "$url"), with the date $(curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $tag" -H "If-Modified-Since: $date" "$url")"
kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
echo "CherryPy $(/usr/bin/python3 -c 'import cherrypy; print(cherrypy.__version__)')"
echo "seen: $seen"
[ "$seen" = "ETag alone 200, with the date 304" ]
