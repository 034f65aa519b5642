#!/usr/bin/env bash
# Accept-Encoding: gzip;q=0 says "anything but gzip". aiohttp's static files (with a .gz beside the file) and Django's GZipMiddleware look for the word gzip and send gzip. One would guess
# that q is read. It is what a reader sends who wants a range of the file's own bytes or cannot unzip: small
# devices and some feed readers. The catalog's JSON cannot be parsed by exactly those who said so.
# Version: aiohttp 3.8.4, Django 3.2.25 (Debian's packages python3-aiohttp and python3-django).
set -euo pipefail
/usr/bin/python3 -c 'import aiohttp, django' 2> /dev/null || { echo "needs Debian's packages python3-aiohttp and python3-django"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; /usr/bin/python3 -c 'print("[" + ",".join(["{}"] * 500) + "]")' > "$dir/site/products.json"; gzip -k "$dir/site/products.json"
cat > "$dir/serve.py" <<'PY'
import sys
name, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if name == "aiohttp":
    from aiohttp import web
    app = web.Application()
    app.router.add_static("/", folder)
    web.run_app(app, host="127.0.0.1", port=port, print=None)
else:
    import django
    from django.conf import settings
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="example", MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"])
    django.setup()
    from django.core.wsgi import get_wsgi_application
    from django.http import FileResponse
    from django.urls import path
    from wsgiref.simple_server import make_server
    urlpatterns = [path("products.json", lambda request: FileResponse(open(folder + "/products.json", "rb")))]
    make_server("127.0.0.1", port, get_wsgi_application()).serve_forever()
PY
seen=
for name in aiohttp django; do
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  /usr/bin/python3 "$dir/serve.py" "$name" "$port" "$dir/site" 2> "$dir/log" & pid=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
  encoding() { curl -s -D - -o /dev/null "$@" "http://127.0.0.1:$port/products.json" | tr -d '\r' | sed -n 's/^content-encoding: //Ip'; }
  seen+="$name: without $(encoding || true)- refused $(encoding -H 'Accept-Encoding: gzip;q=0'); "
  kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
done
echo "$(/usr/bin/python3 -c 'import aiohttp, django; print("aiohttp", aiohttp.__version__, "Django", django.__version__)')"
echo "seen: $seen"
[ "$seen" = "aiohttp: without - refused gzip; django: without - refused gzip; " ]
