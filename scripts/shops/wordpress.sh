#!/bin/sh
# Makes test/shops/dumps/SHOP.sql.gz and SHOP.json (what the shop itself shows) from a WordPress with the shop's plugins;
# `members` is Easy Digital Downloads beside Paid Memberships Pro, `languages` WooCommerce beside Polylang:
#   scripts/shops/wordpress.sh edd|woocommerce|members|edd-odd|woocommerce-odd|languages FOLDER-OF-WORDPRESS SOCKET-OF-MARIADB
# The odd shops have sales around a moment, so they are made at a fixed one (Debian's `faketime`), and shown again a day later.
set -eu
SHOP=$1
export WORDPRESS=$2 DB_HOST="localhost:$3" DATABASE=vitrine_made_shop TZ=UTC
HERE=$(dirname "$0")
OUT=$HERE/../../test/shops/dumps
EDD=easy-digital-downloads/easy-digital-downloads.php
WOO=woocommerce/woocommerce.php
CLOCK=
case $SHOP in
  edd) PLUGINS=$EDD ;;
  woocommerce) PLUGINS=$WOO ;;
  members) PLUGINS="$EDD paid-memberships-pro/paid-memberships-pro.php" ;;
  edd-odd) PLUGINS=$EDD CLOCK="2026-12-01 15:00:00" ;;
  woocommerce-odd) PLUGINS=$WOO CLOCK="2026-12-01 15:00:00" ;;
  languages) PLUGINS="$WOO polylang/polylang.php" ;;
esac
# Runs a command at CLOCK and so much later.
at() {
  LATER=$1
  shift
  if [ -z "$CLOCK" ]; then "$@"; else faketime "$(date -u -d "$CLOCK UTC + $LATER" "+%F %T")" "$@"; fi
}
wordpress() { at "0 hours" php -d memory_limit=1G "$HERE/wordpress.php" "$@"; }
shop() {
  LATER=$1
  shift
  at "$LATER" php -d memory_limit=1G "$HERE/$SHOP.php" "$@"
}

mariadb -uroot -S "$3" -e "DROP DATABASE IF EXISTS $DATABASE; CREATE DATABASE $DATABASE CHARACTER SET utf8mb4"
wordpress install
for PLUGIN in $PLUGINS; do wordpress activate "$PLUGIN"; done
wordpress permalinks /%year%/%postname%/
shop "0 hours" make
shop "1 hour" shown > "$OUT/$SHOP.json"
# Leaves out WordPress's own data, rewrite rules and the like, which would be most of it.
mariadb -uroot -S "$3" "$DATABASE" -e "DELETE FROM wp_options WHERE option_name LIKE '%transient%' OR option_name = 'rewrite_rules'"
mariadb-dump --no-defaults -uroot -S "$3" --skip-comments --skip-dump-date "$DATABASE" | sed "s#${WORDPRESS%/}/#/srv/wordpress/#" |
  gzip -9n > "$OUT/$SHOP.sql.gz"
case $SHOP in
  edd | woocommerce)
    wordpress permalinks ""
    shop "0 hours" shown > "$OUT/$SHOP.plain.json"
    ;;
  woocommerce-odd)
    shop "1 day" jobs
    shop "1 day" shown > "$OUT/$SHOP.later.json"
    ;;
esac
mariadb -uroot -S "$3" -e "DROP DATABASE $DATABASE"
