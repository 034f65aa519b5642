#!/usr/bin/env bash
# TanStack Router reads each parameter of the address as JSON: ?version=1.10 is the number 1.1, ?id=9007199254740993 is …992 and ?q=1e3 is 1000, while ?sku=00123, which is no JSON, stays a text.
# One would guess texts, as URLSearchParams gives them, and that validateSearch, where an application says that it wants a text, gets the text: it gets the number, and String() makes "1.1" of it.
# useLocation and each link that keeps the search have 1.1 from then on; ?tag=a&tag=b becomes a list, which is written back as ?tag=["a","b"].
# A page of a catalog that passes its parameters to the API asks for another version, another product or for a list in brackets. parseSearch with URLSearchParams leaves them as they are.
# Version: @tanstack/react-router 1.170.46 with react 19.3.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tanstack/react-router@1.170.46 react@19.3.1 react-dom@19.3.1
cat > run.js <<'JS'
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";

async function open(search, key) {
  const root = createRootRoute();
  const products = createRoute({ getParentRoute: () => root, path: "/products", validateSearch: (given) => ({ text: String(given[key]) }) });
  const router = createRouter({ routeTree: root.addChildren([products]), history: createMemoryHistory({ initialEntries: [`/products${search}`] }) });
  await router.load();
  return `${router.matchRoutes(router.latestLocation).at(-1).search.text} ${decodeURIComponent(router.latestLocation.searchStr)}`;
}
const cases = [["?version=1.10", "version"], ["?id=9007199254740993", "id"], ["?q=1e3", "q"], ["?sku=00123", "sku"], ["?tag=a&tag=b", "tag"]];
for (const [search, key] of cases) console.log(`${search}: ${await open(search, key)}`);
JS
seen=$(node run.js | paste -sd';')
echo "@tanstack/react-router $(node -p 'require("./node_modules/@tanstack/react-router/package.json").version')"
echo "seen: $seen"
[ "$seen" = '?version=1.10: 1.1 ?version=1.1;?id=9007199254740993: 9007199254740992 ?id=9007199254740992;?q=1e3: 1000 ?q=1000;?sku=00123: 00123 ?sku=00123;?tag=a&tag=b: a,b ?tag=["a","b"]' ]
