#!/bin/sh
# Makes test/shops/dumps/prestashop.sql.gz and prestashop.json (what the shop itself shows) from a PrestaShop in a folder and a
# database, whose products and categories are deleted:
#   scripts/shops/prestashop.sh FOLDER-OF-PRESTASHOP SOCKET-OF-MARIADB DATABASE
set -eu
export PRESTASHOP=${1%/}
HERE=$(dirname "$0")
OUT=$HERE/../../test/shops/dumps
shop() { php -d memory_limit=1G "$HERE/prestashop.php" "$@"; }

shop make
shop shown > "$OUT/prestashop.json"
mariadb-dump --no-defaults -uroot -S "$2" --skip-comments --skip-dump-date "$3" | sed "s#$PRESTASHOP/#/srv/prestashop/#" |
  gzip -9n > "$OUT/prestashop.sql.gz"
