#!/usr/bin/env bash
# A reader that resumes a download asks with Range and If-Range: the rest if the file is still the one with this ETag, else all of it. aiohttp, Tornado and WhiteNoise, which send ETags, and Bottle, CherryPy
# and Twisted give the rest of whatever file is there now; Flask gives all of it. One would guess that who knows ETag and Range knows the header that
# joins them. The first half of yesterday's bulk file and the second of today's is one file that nobody wrote, and often valid line by line.
# Version: Debian's packages python3-aiohttp 3.8.4, python3-tornado 6.2.0, python3-whitenoise 6.0.0, python3-bottle 0.12.23, python3-cherrypy3 18.8.0,
# python3-twisted 22.4.0 and python3-flask 2.2.2.
set -euo pipefail
/usr/bin/python3 -c 'import aiohttp, bottle, cherrypy, flask, tornado, twisted, whitenoise' 2> /dev/null ||
  { echo "needs Debian's packages python3-aiohttp, python3-tornado, python3-whitenoise, python3-bottle, python3-cherrypy3, python3-twisted and python3-flask"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; printf '{"slug":"mug"}\n{"slug":"lamp"}\n' > "$dir/site/products.json"
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
if name == "aiohttp":
    from aiohttp import web
    app = web.Application()
    app.router.add_static("/", folder)
    web.run_app(app, host="127.0.0.1", port=port, print=None)
if name == "tornado":
    import tornado.ioloop, tornado.web
    tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": folder})]).listen(port, "127.0.0.1")
    tornado.ioloop.IOLoop.current().start()
if name == "whitenoise":
    from whitenoise import WhiteNoise
    from wsgiref.simple_server import make_server
    def nothing(environ, start):
        start("404 Not Found", [])
        return [b""]
    make_server("127.0.0.1", port, WhiteNoise(nothing, root=folder)).serve_forever()
if name == "flask":
    from flask import Flask
    Flask("site", static_folder=folder, static_url_path="").run("127.0.0.1", port)
PY
seen=
for name in aiohttp tornado whitenoise bottle cherrypy twisted flask; do
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  /usr/bin/python3 "$dir/serve.py" "$name" "$port" "$dir/site" > "$dir/log" 2>&1 & pid=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
  status=$(curl -s -o /dev/null -w '%{http_code}' -H 'Range: bytes=15-' -H 'If-Range: "of-yesterday"' "http://127.0.0.1:$port/products.json")
  seen+="$name $status "
  kill "$pid"; wait "$pid" 2> /dev/null || true; pid=
done
/usr/bin/python3 --version
echo "seen: $seen"
[ "$seen" = "aiohttp 206 tornado 206 whitenoise 206 bottle 206 cherrypy 206 twisted 206 flask 200 " ]
