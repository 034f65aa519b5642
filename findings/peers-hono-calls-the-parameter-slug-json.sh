#!/usr/bin/env bash
# The route /product/:slug.json of Hono, and of memoirist, the router of Elysia, has a parameter named "slug.json": it matches /product/mug, too, and the value for mug.json is "mug.json"; param("slug") is undefined. One would guess a
# parameter slug with the ending behind it, as Express 5, find-my-way (Fastify), @koa/router, rou3 (Nitro), itty-router and URLPattern read the same text.
# An API moved from Express to an edge looks up a product "undefined", or "mug.json", and answers its whole catalog with 404. /product/:file{.+\.json} is Hono's way, with the ending in the value.
# Version: hono 4.13.19, memoirist 1.2.2, path-to-regexp 9.0.0 (Express 5.3.0 does the same with its own), find-my-way 9.10.2, rou3 1.0.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund hono@4.13.19 memoirist@1.2.2 path-to-regexp@9.0.0 find-my-way@9.10.2 rou3@1.0.0
cat > run.mjs <<'JS'
import findMyWay from "find-my-way";
import { Hono } from "hono";
import { Memoirist } from "memoirist";
import { match } from "path-to-regexp";
import { addRoute, createRouter, findRoute } from "rou3";

const route = "/product/:slug.json";
const hono = new Hono().get(route, (context) => context.json(context.req.param()));
const memoirist = new Memoirist();
memoirist.add("GET", route, 1);
const fastify = findMyWay();
fastify.on("GET", route, () => {});
const nitro = createRouter();
addRoute(nitro, "GET", route, 1);
const express = match(route);
for (const path of ["/product/mug.json", "/product/mug"]) {
  const reply = await hono.request(path);
  const found = {
    hono: reply.ok ? await reply.json() : null,
    memoirist: memoirist.find("GET", path)?.params ?? null,
    express: express(path).params ?? null,
    fastify: fastify.find("GET", path)?.params ?? null,
    nitro: findRoute(nitro, "GET", path)?.params ?? null,
  };
  console.log(`${path} ${JSON.stringify(found)}`);
}
JS
seen=$(node run.mjs)
echo "hono@4.13.19 memoirist@1.2.2 path-to-regexp@9.0.0 find-my-way@9.10.2 rou3@1.0.0"
echo "seen: $seen"
[ "$seen" = '/product/mug.json {"hono":{"slug.json":"mug.json"},"memoirist":{"slug.json":"mug.json"},"express":{"slug":"mug"},"fastify":{"slug":"mug"},"nitro":{"slug":"mug"}}
/product/mug {"hono":{"slug.json":"mug"},"memoirist":{"slug.json":"mug"},"express":null,"fastify":null,"nitro":null}' ]
