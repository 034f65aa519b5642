#!/bin/sh
# Makes test/shops/dumps/vendure.sql.gz and vendure.json (what its Shop API shows), and vendure.outlet.* with another channel, with a
# Vendure in a folder: node_modules of @vendure/core and @vendure/asset-server-plugin of one version, and pg.
#   scripts/shops/vendure.sh FOLDER-OF-VENDURE postgres://USER@HOST:PORT
set -eu
FOLDER=$(cd "$1" && pwd) NAME=vitrine_made_shop
export DATABASE_URL=$2/$NAME PORT=${PORT:-9322}
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=$HERE/../../test/shops/dumps

for SHOP in vendure vendure.outlet; do
  psql -q "$2/postgres" -c "DROP DATABASE IF EXISTS $NAME" -c "CREATE DATABASE $NAME"
  (cd "$FOLDER" && node "$HERE/vendure.cjs" "$FOLDER" "$OUT/$SHOP.json" "${SHOP#vendure}")
  # Leaves out what only psql understands.
  pg_dump --no-owner --no-privileges --no-comments --rows-per-insert=1000 "$DATABASE_URL" | grep -v '^\\' | gzip -9n > "$OUT/$SHOP.sql.gz"
done
