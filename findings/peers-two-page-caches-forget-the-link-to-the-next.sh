#!/usr/bin/env bash
# route-cache (Express) and koa-cash (Koa) keep of an answer its body and its type only: the first reader of a list gets Link: rel="next", Cache-Control, Vary and Access-Control-Allow-Origin, every
# other one within the time gets none of them. They also give the German text to who asks in English, since Vary is not looked at. One would guess that a cache of answers keeps
# their headers, as apicache and every CDN do.
# A client that pages by Link stops after the first page, a browser of another site is refused, and a CDN in front has no time to go by: each depending on who came first.
# Version: route-cache 0.7.1 with express 5.3.0, koa-cash 5.0.2 with koa 3.3.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund route-cache@0.7.1 express@5.3.0 koa-cash@5.0.2 koa@3.3.0
cat > run.js <<'JS'
import express from "express";
import Koa from "koa";
import koaCash from "koa-cash";
import routeCache from "route-cache";

const headers = { link: '</products?page=2>; rel="next"', "cache-control": "max-age=60", vary: "accept-language", "access-control-allow-origin": "*" };
const forExpress = express();
forExpress.get("/products", routeCache.cacheSeconds(60), (request, response) => response.set(headers).json({ language: request.get("accept-language") }));
const kept = new Map();
const forKoa = new Koa();
forKoa.use(koaCash({ get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) }));
forKoa.use(async (context) => {
  if (await context.cashed()) return;
  context.set(headers);
  context.body = { language: context.get("accept-language") };
});
for (const [name, app] of [["route-cache", forExpress], ["koa-cash", forKoa]]) {
  const server = app.listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  for (const language of ["de", "en"]) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}/products`, { headers: { "accept-language": language } });
    const given = Object.keys(headers).filter((header) => answer.headers.get(header) === headers[header]);
    console.log(name, "asked for", language, await answer.text(), "headers:", given.join(" ") || "none");
  }
  server.closeAllConnections();
  server.close();
}
JS
seen=$(node run.js)
echo "route-cache $(node -p 'require("./node_modules/route-cache/package.json").version'), koa-cash $(node -p 'require("./node_modules/koa-cash/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'route-cache asked for de {"language":"de"} headers: link cache-control vary access-control-allow-origin
route-cache asked for en {"language":"de"} headers: none
koa-cash asked for de {"language":"de"} headers: link cache-control vary access-control-allow-origin
koa-cash asked for en {"language":"de"} headers: none' ]
