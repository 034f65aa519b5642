#!/usr/bin/env bash
# JMESPath is one specification with a test suite, and [?price < `20`] on one list gives two answers: jmespath for JavaScript counts a price of null and a missing one as below 20,
# jmespath for Python (and the aws command) leaves both out, as the specification says of all that is no number. One would guess the same answer.
# The query that was tried on the command line shows products without a price in the shop's page.
# Version: jmespath 0.16.0 of npm on Node 24, jmespath 1.0.1 of Python (Debian's package python3-jmespath).
set -euo pipefail
/usr/bin/python3 -c 'import jmespath' 2> /dev/null || { echo "needs Debian's package python3-jmespath"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund jmespath@0.16.0
export PRODUCTS='[{"slug":"mug","price":10},{"slug":"lamp","price":30},{"slug":"gift","price":null},{"slug":"draft"}]' QUERY='[?price < `20`].slug'
javascript=$(node -p 'require("jmespath").search(JSON.parse(process.env.PRODUCTS), process.env.QUERY).join(" ")')
python=$(/usr/bin/python3 -c 'import jmespath, json, os; print(*jmespath.search(os.environ["QUERY"], json.loads(os.environ["PRODUCTS"])))')
echo "jmespath $(node -p 'require("jmespath/package.json").version') and $(/usr/bin/python3 -c 'import jmespath; print(jmespath.__version__)') of Python"
echo "seen: JavaScript: $javascript; Python: $python"
[ "$javascript" = "mug gift draft" ] && [ "$python" = "mug" ]
