#!/usr/bin/env bash
# @fastify/static, sirv and Hono's serveStatic answer /page=2.json with the file and /page%3D2.json with 404. One would guess the same file: a file's
# name is what the escapes stand for, and express.static and koa-static give it for both. The three decode paths by decodeURI, which leaves the
# escapes of & = + $ , ; : @ as they are, and look for a file of that name. It leaves # and ? too, so sirv and Hono have no address at all for c#.json.
# Everybody who writes an address by encodeURIComponent(name), as clients of buckets and most templates do, gets a 404 for each page of a list, for
# c++ and for "R&B", while "a b" and é work, so that a test with spaces and accents passes. Name files of a catalog so that no name needs an escape.
# Version: @fastify/static@10.1.11 with fastify@5.12.8, sirv@3.0.2, @hono/node-server@2.1.9 with hono@4.13.19; express@5.3.0, koa@3.0.1 with
# koa-static@5.0.0; seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent @fastify/static@10.1.11 fastify@5.12.8 sirv@3.0.2 @hono/node-server@2.1.9 hono@4.13.19 \
  express@5.3.0 koa@3.0.1 koa-static@5.0.0 > /dev/null 2>&1
cat > "$dir/run.mjs" <<'J'
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import koaStatic from "koa-static";
import sirv from "sirv";
const root = resolve("site");
mkdirSync(root);
const names = ["page=2", "c++", "r&b", "c#", "what?", "100%", "a b", "é"];
for (const name of names) writeFileSync(`${root}/${name}.json`, "{}");
const fastify = Fastify();
fastify.register(fastifyStatic, { root });
await fastify.ready();
const servers = {
  fastify: (request, response) => fastify.routing(request, response),
  sirv: sirv(root),
  hono: getRequestListener(new Hono().use("*", serveStatic({ root: "site" })).fetch),
  express: express().use(express.static(root)),
  koa: new Koa().use(koaStatic(root)).callback(),
};
const seen = [];
for (const [called, answer] of Object.entries(servers)) {
  const server = createServer(answer);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const ask = async (name) => (await fetch(`http://127.0.0.1:${server.address().port}/${name}.json`)).status;
  const missed = [];
  for (const name of names) if ((await ask(encodeURIComponent(name))) === 404) missed.push(name);
  seen.push(`${called}: page=2 ${await ask("page=2")}, escaped 404 of ${missed.join(" ") || "none"}`);
  server.close();
  server.closeAllConnections();
}
console.log(seen.join("; "));
J
seen=$(cd "$dir" && node run.mjs)
echo "Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'fastify: page=2 200, escaped 404 of page=2 c++ r&b; sirv: page=2 200, escaped 404 of page=2 c++ r&b c# what?; hono: page=2 200, escaped 404 of page=2 c++ r&b c# what? 100%; express: page=2 200, escaped 404 of none; koa: page=2 200, escaped 404 of none' ]
