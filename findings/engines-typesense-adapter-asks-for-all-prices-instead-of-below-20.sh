#!/usr/bin/env bash
# InstantSearch's adapter for Typesense turns the numeric filter price<20 into no filter, with a line on the console, and so price>20: all products are found. price<=20 is sent. The category "-10 %", chosen from its own list, is asked for with a backslash.
# One would guess price:<20, which Typesense knows, or an error, and the category as it is: < and > are in the interface that it adapts, and Algolia's own client sends them.
# "Below 20" is the first price filter of a shop; a page shows dearer products under it, and the category of discounts shows nothing, though the list beside it counts its products. Use <= and >=, and names of categories that begin with a letter.
# Version: typesense-instantsearch-adapter@2.9.0 with typesense@2.1.0 and algoliasearch-helper@3.30.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" typesense-instantsearch-adapter@2.9.0 typesense@2.1.0 algoliasearch-helper@3.30.1 @babel/runtime@7.29.15
cat > "$dir/filters.cjs" <<'JS'
const { createServer } = require("node:http");
const { default: Adapter } = require("typesense-instantsearch-adapter");
const helperOf = require("algoliasearch-helper");

const asked = [];
const server = createServer(async (request, response) => {
  const { searches } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  asked.push(searches[0].filter_by ?? "no filter");
  const facet = { field_name: "category", counts: [{ value: "-10 %", count: 3, highlighted: "-10 %" }], stats: {} };
  const empty = { found: 0, hits: [], facet_counts: [facet], page: 1, request_params: { q: "", per_page: 20 } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results: searches.map(() => empty) }));
});
server.listen(0, "127.0.0.1", async () => {
  const node = { host: "127.0.0.1", port: server.address().port, protocol: "http" };
  const { searchClient } = new Adapter({ server: { apiKey: "some-key", nodes: [node] }, additionalSearchParameters: { query_by: "title" } });
  const helper = helperOf(searchClient, "products", { disjunctiveFacets: ["category"] });
  const search = (choose) => {
    const answer = new Promise((resolve, reject) => helper.on("result", resolve).on("error", ({ error }) => reject(error)));
    choose();
    helper.search();
    return answer;
  };
  for (const operator of ["<=", "<", ">"]) await search(() => helper.clearRefinements().addNumericRefinement("price", operator, 20));
  const { results } = await search(() => helper.clearRefinements());
  const [shown] = results.getFacetValues("category");
  asked.length = 3;
  await search(() => helper.addDisjunctiveFacetRefinement("category", shown.escapedValue));
  console.log(asked.slice(0, 4).join(" / "), "for", shown.name);
  process.exit();
});
JS
seen=$(timeout 60 node "$dir/filters.cjs" 2> "$dir/log")
node -p "'typesense-instantsearch-adapter ' + require('$dir/node_modules/typesense-instantsearch-adapter/package.json').version"
sed -n 1p "$dir/log"
echo "seen: $seen"
[ "$seen" = 'price:<=20 / no filter / no filter / category:=[`\-10 %`] for -10 %' ]
