#!/usr/bin/env bash
# ofetch, redaxios and needle hand on a JSON answer that ends in the middle as a text, without an error; ky, wretch and superagent throw a SyntaxError.
# One would guess an error from all six, since the type says JSON. A page of a catalog that was cut on its way (an upload that broke off, a proxy's
# limit) reaches the program as a string: data.pagination is undefined, and a loop over its pages ends as if that were all.
# Version: ofetch 1.5.1, redaxios 0.5.1, needle 3.5.0, ky 1.14.3, wretch 2.11.1, superagent 10.4.2.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund ofetch@1.5.1 redaxios@0.5.1 needle@3.5.0 ky@1.14.3 wretch@2.11.1 superagent@10.4.2
cat > run.js <<'JS'
import { createServer } from "node:http";
import ky from "ky";
import needle from "needle";
import { ofetch } from "ofetch";
import redaxios from "redaxios";
import superagent from "superagent";
import wretch from "wretch";

const server = createServer((_, answer) => {
  answer.setHeader("Content-Type", "application/json; charset=utf-8");
  answer.end("{\"data\":[{\"id\":1},{\"id\"");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const clients = {
  ofetch: () => ofetch(url),
  redaxios: async () => (await redaxios.get(url)).data,
  needle: async () => (await needle("get", url)).body,
  ky: () => ky.get(url).json(),
  wretch: () => wretch(url).get().json(),
  superagent: async () => (await superagent.get(url)).body,
};
for (const [name, read] of Object.entries(clients)) console.log(name, await read().then((data) => typeof data, (error) => error.name));
process.exit();
JS
seen=$(node run.js)
echo "ofetch@1.5.1 redaxios@0.5.1 needle@3.5.0 ky@1.14.3 wretch@2.11.1 superagent@10.4.2"
echo "seen: $seen"
[ "$seen" = 'ofetch string
redaxios string
needle string
ky SyntaxError
wretch SyntaxError
superagent SyntaxError' ]
