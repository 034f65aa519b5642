#!/usr/bin/env bash
# The scalars PositiveInt and NonNegativeInt of graphql-scalars take the variable 19.9, and the text "19.90", as 19, and answer 19 for a field whose value is 19.9. GraphQL's own Int says "cannot represent non-integer value" to all of these, and in the
# text of a query PositiveInt itself refuses 19.9: one would guess that it is an Int with a lower bound.
# A price bound or a mean rating that ends in such a field by mistake is cut, without an error, and only where clients send variables.
# Version: graphql-scalars 2.0.0 with graphql 16.15.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund graphql-scalars@2.0.0 graphql@16.15.0
cat > run.js <<'JS'
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, graphql } from "graphql";
import { GraphQLPositiveInt } from "graphql-scalars";

for (const type of [GraphQLInt, GraphQLPositiveInt]) {
  const field = { type, args: { below: { type } }, resolve: (_, { below }) => below ?? 19.9 };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { field } }) });
  const ask = async (source, variableValues) => {
    const { data, errors } = await graphql({ schema, source, variableValues });
    return errors ? "refused" : data.field;
  };
  const source = `query($below: ${type}) { field(below: $below) }`;
  console.log(`${type}:`, await ask("{ field }"), await ask("{ field(below: 19.9) }"), await ask(source, { below: 19.9 }), await ask(source, { below: "19.90" }));
}
JS
seen=$(node run.js)
echo "graphql-scalars 2.0.0"
echo "seen: $seen"
[ "$seen" = 'Int: refused refused refused refused
PositiveInt: 19 refused 19 19' ]
