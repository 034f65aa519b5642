#!/usr/bin/env bash
# The scalar USCurrency of graphql-scalars, which is for "USD currency values in cents", reads the text $19.90 as 1989.9999999999998 and writes that as $19.89. One would guess 1990 and $19.90: that is why the type counts in cents.
# A GraphQL front of a catalog that takes a price bound or a new price as USCurrency and gives it back has one cent less for $19.90, $4.35 and $19.99, but not for $29.99 or $1,990.50; a column of whole cents refuses the value.
# Version: graphql-scalars 2.0.0 with graphql 16.15.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund graphql-scalars@2.0.0 graphql@16.15.0
cat > run.js <<'JS'
import { GraphQLUSCurrency as USCurrency } from "graphql-scalars";

for (const price of ["$19.90", "$19.99", "$4.35", "$29.99", "$1,990.50"]) {
  const cents = USCurrency.parseValue(price);
  console.log(price, cents, USCurrency.serialize(cents));
}
JS
seen=$(node run.js)
echo "graphql-scalars 2.0.0"
echo "seen: $seen"
[ "$seen" = '$19.90 1989.9999999999998 $19.89
$19.99 1998.9999999999998 $19.98
$4.35 434.99999999999994 $4.34
$29.99 2999 $29.99
$1,990.50 199050 $1,990.50' ]
