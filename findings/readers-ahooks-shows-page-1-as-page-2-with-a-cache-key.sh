#!/usr/bin/env bash
# ahooks' usePagination with a cacheKey and a staleTime says page 2 after changeCurrent(2), shows the products of page 1 and requests nothing: the cache has one place for a key, and does not look at the parameters.
# One would guess that a hook made for pages, which names them in the parameters of each request, keeps them apart by these.
# A list of a catalog that is to be cached for a minute cannot be paged, filtered or sorted for a minute, and says that it was. Pages of their own need a cacheKey for each, which this hook, called once, cannot have.
# Version: ahooks 3.11.0, react 19.3.1, jsdom 26.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps ahooks@3.11.0 react@19.3.1 react-dom@19.3.1 jsdom@26.1.0
cat > run.js <<'JS'
import { createRequire } from "node:module";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
globalThis.navigator ??= window.navigator;
const require = createRequire(import.meta.url);
const { createElement } = require("react");
const { createRoot } = require("react-dom/client");
const { usePagination } = require("ahooks");

const rest = () => new Promise((done) => setTimeout(done, 200));
for (const options of [{}, { cacheKey: "products", staleTime: 60_000 }]) {
  const requested = [];
  let hook;
  function List() {
    hook = usePagination(async ({ current }) => {
      requested.push(current);
      return { total: 30, list: [`product of page ${current}`] };
    }, options);
    return null;
  }
  createRoot(document.createElement("div")).render(createElement(List));
  await rest();
  hook.pagination.changeCurrent(2);
  await rest();
  console.log(`${options.cacheKey ?? "no key"}: page ${hook.pagination.current}, ${hook.data.list}, requested ${requested}`);
}
process.exit(0);
JS
seen=$(node run.js | paste -sd';')
echo "ahooks@3.11.0"
echo "seen: $seen"
[ "$seen" = 'no key: page 2, product of page 2, requested 1,2;products: page 2, product of page 1, requested 1' ]
