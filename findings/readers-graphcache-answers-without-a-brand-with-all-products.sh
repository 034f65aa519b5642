#!/usr/bin/env bash
# urql's Graphcache keeps products(brand: null) and products under one key: who asks for the products without a brand after all products gets all products, and nothing is asked. In the other
# order the list of all products is that of those without a brand. One would guess two lists: GraphQL tells null from what is not sent, and Apollo's cache does. Inside an input object it is told, so
# where: { brand: null } is another list than where: {}; and the document cache of urql itself keeps all of them apart.
# A window of a shop with a filter for "no brand" or "no sale" is right in the first click, and shows the wrong list from then on, with no request in the browser's tools and no warning.
# Version: @urql/exchange-graphcache 9.0.2, @urql/core 6.0.3, @apollo/client 3.14.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
versions="@urql/exchange-graphcache@9.0.2 @urql/core@6.0.3 wonka@6.3.6 @apollo/client@3.14.1 graphql@16.13.2"
npm install --silent --no-audit --no-fund --legacy-peer-deps $versions
cat > run.js <<'JS'
import apollo from "@apollo/client/core/core.cjs";
import { cacheExchange as documentCache, Client } from "@urql/core";
import { cacheExchange as graphcache } from "@urql/exchange-graphcache";
import { filter, map, pipe } from "wonka";

const FLAT = "query ($brand: String) { products(brand: $brand) { __typename id title } }";
const NESTED = "query ($where: Filter) { products(where: $where) { __typename id title } }";
const titleOf = ({ products }) => products[0].title;
/** A shop that knows the difference. */
const answer = ({ where, ...rest }) => {
  const isWithout = (where ?? rest).brand === null;
  return { products: [{ __typename: "Product", id: isWithout ? 2 : 1, title: isWithout ? "without a brand" : "all" }] };
};

async function urql(cache, query, questions) {
  let asked = 0;
  const shop = () => (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind === "query"),
      map((operation) => {
        asked++;
        return { operation, data: answer(operation.variables ?? {}), stale: false, hasNext: false };
      }),
    );
  const client = new Client({ url: "https://shop.example/graphql", preferGetMethod: false, exchanges: [cache, shop] });
  const seen = [];
  for (const variables of questions) seen.push(titleOf((await client.query(query, variables).toPromise()).data));
  return `${seen.join(", then ")} (asked ${asked})`;
}
function apolloCache(questions) {
  const cache = new apollo.InMemoryCache();
  const query = apollo.gql(FLAT);
  for (const variables of questions) cache.writeQuery({ query, variables, data: answer(variables) });
  return questions.map((variables) => titleOf(cache.readQuery({ query, variables }))).join(", then ");
}
const flat = [{}, { brand: null }];
console.log(`Graphcache: ${await urql(graphcache({}), FLAT, flat)}`);
console.log(`Graphcache, the other order: ${await urql(graphcache({}), FLAT, [...flat].reverse())}`);
console.log(`Graphcache, in an object: ${await urql(graphcache({}), NESTED, flat.map((where) => ({ where })))}`);
console.log(`urql's document cache: ${await urql(documentCache, FLAT, flat)}`);
console.log(`Apollo: ${apolloCache(flat)}`);
JS
seen=$(node run.js 2>&1)
echo "$versions"
echo "seen: $seen"
[ "$seen" = 'Graphcache: all, then all (asked 1)
Graphcache, the other order: without a brand, then without a brand (asked 1)
Graphcache, in an object: all, then without a brand (asked 2)
urql'"'"'s document cache: all, then without a brand (asked 2)
Apollo: all, then without a brand' ]
