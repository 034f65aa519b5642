#!/usr/bin/env bash
# dbmate knows a migration by the digits in front of its name. After 20261120_product.sql was run, a colleague's 20261120_brand.sql is taken for done: `up` runs nothing and exits with 0, and `status` shows it as applied ([X], pending 0),
# although the table was never made; --strict says nothing either. If both are new, the second is said to be applied, then refused by a UNIQUE of dbmate's own and undone; the next `up` takes it for done and exits with 0.
# One would guess that the file's name is remembered, or that two files with one number are an error before anything runs.
# Files named by their day, as pull requests bring them, leave a server's tables behind the code; a catalog's queries name a column that a green deployment should have made.
# Version: dbmate@2.36.0 (npm) with SQLite.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix "$dir" dbmate@2.36.0
mkdir one two
migration() { printf -- '-- migrate:up\nCREATE TABLE %s (id INTEGER PRIMARY KEY);\n-- migrate:down\nDROP TABLE %s;\n' "$2" "$2" > "$1/20261120_$2.sql"; }
# From its two folders: the exit code of a command, and what it says of files.
run() {
  local code=0
  node_modules/.bin/dbmate --url "sqlite:$1.sqlite" --migrations-dir "$1" --no-dump-schema "${@:2}" > log 2>&1 || code=$?
  grep -oE '^(Applied: [a-z0-9_]*\.sql|\[.\] .*|Pending: [0-9]*|Error: UNIQUE[^:]*)' log || true
  echo "exit $code"
}
migration one product
seen="$(echo "first:"; run one up)"
migration one brand
seen="$seen
$(echo "then:"; run one up; run one up --strict; run one status)"
migration two product; migration two brand
seen="$seen
$(echo "both at once:"; run two up; run two up)"
node_modules/.bin/dbmate --version
echo "seen: $seen"
[ "$seen" = 'first:
Applied: 20261120_product.sql
exit 0
then:
exit 0
exit 0
[X] 20261120_brand.sql
[X] 20261120_product.sql
Pending: 0
exit 0
both at once:
Applied: 20261120_brand.sql
Applied: 20261120_product.sql
Error: UNIQUE constraint failed
exit 2
exit 0' ]
