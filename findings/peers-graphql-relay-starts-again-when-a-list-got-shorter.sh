#!/usr/bin/env bash
# A reader goes through six products by graphql-relay's cursors and has five of them, when two are removed. connectionFromArray then gives it the first page again, with hasNextPage: true, instead of
# an empty page; so for a cursor of another list or one that is no cursor at all. One would guess the end of the list, as an offset beyond it gives anywhere, or an error.
# Whoever follows the cursors to the end of a catalog goes round until the list grows again, and stores every product twice.
# Version: graphql-relay 0.11.0 with graphql 17.1.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund graphql-relay@0.11.0 graphql@17.1.0
cat > run.js <<'JS'
import { connectionFromArray } from "graphql-relay";

const page = (products, after, first = 2) => {
  const { edges, pageInfo } = connectionFromArray(products, { first, after });
  return { ...pageInfo, text: `${edges.map(({ node }) => node).join(",") || "(empty)"} next ${pageInfo.hasNextPage}` };
};
const six = ["a", "b", "c", "d", "e", "f"];
const read = page(six, undefined, 5);
console.log("the first five:", read.text);
console.log("the list as it was:", page(six, read.endCursor).text);
console.log("one removed:", page(six.slice(0, 5), read.endCursor).text);
console.log("two removed:", page(six.slice(0, 4), read.endCursor).text);
console.log("no cursor at all:", page(six, "2026-11-28").text);
JS
seen=$(node run.js)
echo "graphql-relay $(node -p 'require("./node_modules/graphql-relay/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'the first five: a,b,c,d,e next true
the list as it was: f next false
one removed: (empty) next false
two removed: a,b next true
no cursor at all: a,b next true' ]
