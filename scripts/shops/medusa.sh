#!/bin/sh
# Makes test/shops/dumps/medusa.sql.gz and medusa.json (what its Store API shows) with a Medusa in a folder:
# node_modules of @medusajs/medusa, cli, framework and translation, and a medusa-config.js that takes DATABASE_URL, without its
# admin, with the feature flag `translation` and the module @medusajs/translation.
#   scripts/shops/medusa.sh FOLDER-OF-MEDUSA postgres://USER@HOST:PORT [PORT-OF-MEDUSA]
set -eu
FOLDER=$1 NAME=vitrine_made_shop
export DATABASE_URL=$2/$NAME PORT=${3:-9321}
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=$HERE/../../test/shops/dumps
VERSION=$(node -p "require('$FOLDER/node_modules/@medusajs/medusa/package.json').version")

psql -q "$2/postgres" -c "DROP DATABASE IF EXISTS $NAME" -c "CREATE DATABASE $NAME"
cd "$FOLDER"
npx medusa db:migrate
set -- $(npx medusa exec "$HERE/medusa.cjs" | grep '^KEY ')
node node_modules/@medusajs/cli/cli.js start > medusa.log 2>&1 &
SERVER=$!
trap 'kill $SERVER' EXIT
until curl -sf "http://127.0.0.1:$PORT/health" > /dev/null; do kill -0 $SERVER; sleep 1; done
node "$HERE/medusa-shown.ts" "http://127.0.0.1:$PORT" "$2" "$VERSION" "$4" "$5" > "$OUT/medusa.json"
# Leaves out what only psql understands.
pg_dump --no-owner --no-privileges --no-comments --rows-per-insert=1000 "$DATABASE_URL" | grep -v '^\\' | gzip -9n > "$OUT/medusa.sql.gz"
