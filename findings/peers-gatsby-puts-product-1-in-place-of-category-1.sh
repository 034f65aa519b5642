#!/usr/bin/env bash
# Gatsby with gatsby-transformer-csv: the column "id" of a table becomes the id of Gatsby's node, and these are one space for all tables. With products.csv and categories.csv that both begin with 1, the record that is read last
# replaces the other in both: the type CategoriesCsv has a node 1 with the title "Mug" and a price, and "Kitchen" is nowhere. Both transformers, this and the one for JSON, write the file's id over a record's own "parent" and [] over its "children",
# so the tree of categories is lost as well. The build ends with 0 and no warning. One would guess ids of their own, as the one for JSON makes them (the record's is "jsonId" there), or an error for two nodes of one id.
# A catalog exported table by table, with the numbers of its database, is the usual case.
# Version: gatsby-transformer-csv 5.16.0 and gatsby-transformer-json 5.16.0 with gatsby 5.16.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"name":"shop"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts gatsby@5.16.1 gatsby-source-filesystem@5.16.0 gatsby-transformer-csv@5.16.0 gatsby-transformer-json@5.16.0 react@18.3.1 react-dom@18.3.1
mkdir -p data src/pages
printf 'id,title,price\n1,Mug,19.90\n2,Cap,5.00\n' > data/products.csv
printf 'id,title,parent\n1,Kitchen,\n2,Cups,1\n3,Hats,\n' > data/categories.csv
echo '[{ "id": 2, "title": "Cups", "parent": 1, "children": [7] }]' > data/groups.json
echo 'module.exports = () => null;' > src/pages/404.js
cat > gatsby-config.js <<'JS'
module.exports = { plugins: [{ resolve: "gatsby-source-filesystem", options: { path: `${__dirname}/data` } }, "gatsby-transformer-csv", "gatsby-transformer-json"] };
JS
cat > gatsby-node.js <<'JS'
exports.createPages = ({ getNodesByType, getNode }) => {
  const show = (node) => `${node.id.length > 9 ? "(made)" : node.id} ${node.title} ${node.price} parent ${getNode(node.parent)?.base ?? node.parent} children ${node.children.length}`;
  const of = (type) => getNodesByType(type).map(show).sort();
  for (const type of ["ProductsCsv", "CategoriesCsv", "GroupsJson"]) console.log("SEEN", `${type}:`, of(type).join("; "));
  const [products, categories, groups] = ["ProductsCsv", "CategoriesCsv", "GroupsJson"].map(of);
  // Which of the two files wins is a matter of which was read last.
  console.log("RESULT", "same nodes 1 and 2:", products[0] === categories[0] && products[1] === categories[1], "-", categories[2], "-", groups[0]);
};
JS
code=0; GATSBY_TELEMETRY_DISABLED=1 CI=1 npx gatsby build > build.log 2>&1 || code=$?
[ "$code" = 0 ] || tail -n 5 build.log
seen="exit $code, $(grep -ciE '^(warn|error)' build.log || true) warnings
$(sed -n 's/^SEEN //p' build.log)"
echo "gatsby-transformer-csv $(node -p 'require("gatsby-transformer-csv/package.json").version')"
echo "seen: $seen"
result=$(sed -n 's/^RESULT //p' build.log)
[ "$code" = 0 ] && [ "$result" = "same nodes 1 and 2: true - 3 Hats undefined parent categories.csv children 0 - (made) Cups undefined parent groups.json children 0" ]
