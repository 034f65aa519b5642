#!/usr/bin/env bash
# PostgreSQL's full-text search takes "WordPress/WooCommerce" for one file path and "Node.js" for one host name: a search for woocommerce, or for node,
# finds neither. One would guess that words are split at marks, as they are at a hyphen or a comma. The titles of a shop for scripts and themes are full of
# such pairs: a shop that searches with it hides them.
# Version: PostgreSQL 15.18 (Debian's package postgresql).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1) || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$1"; else bash -c "$1"; fi; }
trap 'as "$bin/pg_ctl -D $dir/pg/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$dir"' EXIT
mkdir "$dir/pg"; [ "$(id -u)" != 0 ] || chown postgres "$dir/pg"
as "$bin/initdb -D $dir/pg/data -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg/data -o \"-c listen_addresses= -c unix_socket_directories=$dir/pg -c fsync=off\" -l $dir/pg/log -w start" > /dev/null
sql() { psql -qAt -h "$dir/pg" -U postgres postgres -c "$1"; }
seen=$(sql "SELECT title, query, to_tsvector('english', title) @@ websearch_to_tsquery('english', query) FROM (VALUES
  ('WordPress/WooCommerce plugin', 'woocommerce'), ('WordPress / WooCommerce plugin', 'woocommerce'), ('Node.js starter', 'node'), ('Invoice-kit', 'kit')) AS t (title, query)")
echo "PostgreSQL $(sql 'SHOW server_version')"
echo "seen: $seen"
[ "$seen" = 'WordPress/WooCommerce plugin|woocommerce|f
WordPress / WooCommerce plugin|woocommerce|t
Node.js starter|node|f
Invoice-kit|kit|t' ]
