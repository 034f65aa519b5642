#!/usr/bin/env bash
# urql and villus know a question by a sum of 32 bits over its text (times 33, plus the next character), and compare nothing else: { slug: "cable-at" } and { slug: "cable-c2" } have one sum, and the cache answers the second with the product of
# the first, requesting nothing. So have "lamp-as" and "lamp-c1", or the article numbers KIT-AR and KIT-B1: two characters suffice, one up by one (two) and the next down by 33 (66). One would guess that a cache compares the variables, or
# that two questions with one key are as rare as with a digest.
# Slugs and article numbers of a catalog differ in their last two characters. The page of one product shows name and price of another until it is reloaded.
# Version: @urql/core 6.0.3, villus 3.5.2, vue 3.5.45, graphql 16.15.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps @urql/core@6.0.3 villus@3.5.2 vue@3.5.45 graphql@16.15.0
cat > run.js <<'JS'
import { createServer } from "node:http";
import { cacheExchange, Client, fetchExchange } from "@urql/core";
import { cache, createClient, fetch as send } from "villus";

const requested = [];
const server = createServer(async (request, response) => {
  const { variables } = JSON.parse((await request.toArray()).join(""));
  requested.push(variables.slug);
  response.setHeader("content-type", "application/json").end(JSON.stringify({ data: { product: { title: `the ${variables.slug}` } } }));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/graphql`;
const query = "query Product($slug: String!) { product(slug: $slug) { title } }";
const urql = new Client({ url, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false });
const villus = createClient({ url, use: [cache(), send()] });
const clients = {
  urql: (variables) => urql.query(query, variables).toPromise(),
  villus: (variables) => villus.executeQuery({ query, variables }),
};
for (const [name, ask] of Object.entries(clients)) {
  const titles = [];
  for (const slug of ["cable-at", "cable-c2", "cable-c3"]) titles.push((await ask({ slug })).data.product.title);
  console.log(`${name}: ${titles.join(", ")}, requested ${requested.splice(0)}`);
}
process.exit(0);
JS
seen=$(node run.js | paste -sd';')
echo "@urql/core@6.0.3 villus@3.5.2"
echo "seen: $seen"
[ "$seen" = 'urql: the cable-at, the cable-at, the cable-c3, requested cable-at,cable-c3;villus: the cable-at, the cable-at, the cable-c3, requested cable-at,cable-c3' ]
