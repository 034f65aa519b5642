#!/bin/sh
# Makes test/shops/dumps/SHOP.sql.gz and SHOP.json (what the shop itself shows) from a WordPress with the shop's plugins;
# `members` is Easy Digital Downloads beside Paid Memberships Pro:
#   scripts/shops/wordpress.sh edd|woocommerce|members FOLDER-OF-WORDPRESS SOCKET-OF-MARIADB
set -eu
SHOP=$1
export WORDPRESS=$2 DB_HOST="localhost:$3" DATABASE=vitrine_made_shop
HERE=$(dirname "$0")
OUT=$HERE/../../test/shops/dumps
case $SHOP in
  edd) PLUGINS=easy-digital-downloads/easy-digital-downloads.php ;;
  woocommerce) PLUGINS=woocommerce/woocommerce.php ;;
  members) PLUGINS="easy-digital-downloads/easy-digital-downloads.php paid-memberships-pro/paid-memberships-pro.php" ;;
esac
wordpress() { php -d memory_limit=1G "$HERE/wordpress.php" "$@"; }
shop() { php -d memory_limit=1G "$HERE/$SHOP.php" "$@"; }

mariadb -uroot -S "$3" -e "DROP DATABASE IF EXISTS $DATABASE; CREATE DATABASE $DATABASE CHARACTER SET utf8mb4"
wordpress install
for PLUGIN in $PLUGINS; do wordpress activate "$PLUGIN"; done
wordpress permalinks /%year%/%postname%/
shop make
shop shown > "$OUT/$SHOP.json"
# Leaves out WordPress's own data, rewrite rules and the like, which would be most of it.
mariadb -uroot -S "$3" "$DATABASE" -e "DELETE FROM wp_options WHERE option_name LIKE '%transient%' OR option_name = 'rewrite_rules'"
mariadb-dump --no-defaults -uroot -S "$3" --skip-comments --skip-dump-date "$DATABASE" | sed "s#${WORDPRESS%/}/#/srv/wordpress/#" |
  gzip -9n > "$OUT/$SHOP.sql.gz"
if [ "$SHOP" != members ]; then
  wordpress permalinks ""
  shop shown > "$OUT/$SHOP.plain.json"
fi
mariadb -uroot -S "$3" -e "DROP DATABASE $DATABASE"
