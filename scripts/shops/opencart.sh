#!/bin/sh
# Makes test/shops/dumps/opencart.sql.gz and opencart.json (what the shop itself shows) from an OpenCart that its own installer
# (install/cli_install.php) has just set up for the address http://127.0.0.1:PORT/, in a folder and a database:
#   scripts/shops/opencart.sh FOLDER-OF-OPENCART PORT SOCKET-OF-MARIADB DATABASE
set -eu
export OPENCART=${1%/}
export OPENCART_URL=http://127.0.0.1:$2/
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=$HERE/../../test/shops/dumps

php "$HERE/opencart.php" make
php -d display_errors=0 -S "127.0.0.1:$2" -t "$OPENCART" > /dev/null 2>&1 &
SERVER=$!
trap 'kill $SERVER' EXIT
php "$HERE/opencart.php" shown > "$OUT/opencart.json"
# Of its tables only those about the catalog, settings, people and orders: the others hold the same in every OpenCart.
TABLES=$(mariadb --no-defaults -uroot -S "$3" -N "$4" -e "SHOW TABLES" |
  grep -E '^oc_(category|currency|customer|language|manufacturer|option|order|product|review|setting|store|tax|user)')
# shellcheck disable=SC2086
mariadb-dump --no-defaults -uroot -S "$3" --skip-comments --skip-dump-date "$4" $TABLES | gzip -9n > "$OUT/opencart.sql.gz"
