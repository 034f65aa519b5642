#!/usr/bin/env bash
# Bottle, CherryPy, Twisted and WebOb serve a file whose ending they do not know, products.ndjson for example, as text/html; aiohttp and Tornado say application/octet-stream. One would guess
# the latter everywhere: nobody knows what is in it. A browser that opens a catalog's bulk file renders every description in it as markup of
# that site, nosniff included.
# Version: Debian's packages python3-bottle 0.12.23, python3-cherrypy3 18.8.0, python3-twisted 22.4.0, python3-webob 1.8.6, python3-aiohttp 3.8.4, python3-tornado 6.2.0.
set -euo pipefail
/usr/bin/python3 -c 'import aiohttp, bottle, cherrypy, tornado, twisted, webob' 2> /dev/null ||
  { echo "needs Debian's packages python3-bottle, python3-cherrypy3, python3-twisted, python3-webob, python3-aiohttp and python3-tornado"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"slug":"mug","description_html":"<b>Blue</b>"}' > "$dir/site/products.ndjson"
cat > "$dir/serve.py" <<'PY'
import sys
name, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if name == "bottle":
    import bottle
    bottle.route("/<path:path>")(lambda path: bottle.static_file(path, root=folder))
    bottle.run(host="127.0.0.1", port=port, quiet=True)
if name == "cherrypy":
    import cherrypy
    cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": port, "log.screen": False})
    cherrypy.quickstart(None, "/", {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": folder}})
if name == "twisted":
    from twisted.internet import reactor
    from twisted.web import server, static
    reactor.listenTCP(port, server.Site(static.File(folder)), interface="127.0.0.1")
    reactor.run()
if name == "webob":
    from webob.static import DirectoryApp
    from wsgiref.simple_server import make_server
    make_server("127.0.0.1", port, DirectoryApp(folder)).serve_forever()
if name == "aiohttp":
    from aiohttp import web
    app = web.Application()
    app.router.add_static("/", folder)
    web.run_app(app, host="127.0.0.1", port=port, print=None)
if name == "tornado":
    import tornado.ioloop, tornado.web
    tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": folder})]).listen(port, "127.0.0.1")
    tornado.ioloop.IOLoop.current().start()
PY
seen=
for name in bottle cherrypy twisted webob aiohttp tornado; do
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  /usr/bin/python3 "$dir/serve.py" "$name" "$port" "$dir/site" 2> "$dir/log" & pid=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
  type=$(curl -s -o /dev/null -w '%{content_type}' "http://127.0.0.1:$port/products.ndjson")
  seen+="$name ${type%%;*} "
  kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
done
/usr/bin/python3 --version
echo "seen: $seen"
[ "$seen" = "bottle text/html cherrypy text/html twisted text/html webob text/html aiohttp application/octet-stream tornado application/octet-stream " ]
