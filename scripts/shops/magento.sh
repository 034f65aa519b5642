#!/bin/sh
# Makes test/shops/dumps/magento.sql.gz and magento.json (what the shop itself shows) from an OpenMage that its own installer
# (install.php) has just set up, without demo products, in a folder and a database:
#   scripts/shops/magento.sh FOLDER-OF-OPENMAGE PORT-OF-MARIADB DATABASE
set -eu
export MAGENTO=${1%/}
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=$HERE/../../test/shops/dumps
shop() { php -d memory_limit=1G "$HERE/magento.php" "$@"; }

shop make
shop shown > "$OUT/magento.json"
# Of its 335 tables only those about the catalog, settings, people and orders: the others are empty or belong to other modules.
TABLES=$(mariadb --no-defaults -uroot -h127.0.0.1 -P"$2" -N "$3" -e "SHOW TABLES" |
  grep -E '^(admin_user|catalog_|cataloginventory_stock|catalogrule|core_|customer_|eav_|rating|review|sales_flat_(order|quote))' |
  grep -vE '_(idx|tmp|cl)$')
# shellcheck disable=SC2086
mariadb-dump --no-defaults -uroot -h127.0.0.1 -P"$2" --skip-comments --skip-dump-date "$3" $TABLES |
  sed "s#$MAGENTO/#/srv/magento/#g" | gzip -9n > "$OUT/magento.sql.gz"
