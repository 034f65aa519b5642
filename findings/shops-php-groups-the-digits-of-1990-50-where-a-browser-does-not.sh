#!/usr/bin/env bash
# PHP's NumberFormatter writes the price 1990.50 as 1.990,50 in Spanish and Portuguese of Portugal, Italian and Polish with a separator too; JavaScript's Intl.NumberFormat writes 1990,50. One would guess one spelling:
# both take their rules from ICU, here in two versions. A page rendered in PHP and its
# script in the browser show two spellings of one price between 1000 and 9999, which differ for whatever compares texts.
# Version: PHP 8.2's intl with ICU 72.1 (Debian's packages php-cli and php-intl), Node 24.21 with ICU 78.3.
set -euo pipefail
[ "$(php -r 'echo (int) class_exists("NumberFormatter");' 2> /dev/null)" = 1 ] || { echo "needs Debian's packages php-cli and php-intl"; exit 1; }
php=$(php -r 'foreach (["es_ES", "it_IT", "pt_PT", "pl_PL"] as $l) foreach ([1990.5, 19900.5] as $price) echo (new NumberFormatter($l, NumberFormatter::CURRENCY))->formatCurrency($price, "EUR"), "|";')
js=$(node -e 'for (const l of ["es-ES", "it-IT", "pt-PT", "pl-PL"]) for (const price of [1990.5, 19900.5]) process.stdout.write(new Intl.NumberFormat(l, { style: "currency", currency: "EUR" }).format(price) + "|")')
plain() { sed 's/\xc2\xa0/ /g' <<< "$1"; }
php -r 'echo "PHP ", PHP_VERSION, ", ICU ", INTL_ICU_VERSION, "\n";'
node -p '`Node ${process.version}, ICU ${process.versions.icu}`'
echo "seen: PHP $(plain "$php")"
echo "seen: JavaScript $(plain "$js")"
[ "$(plain "$php")" = '1.990,50 €|19.900,50 €|1.990,50 €|19.900,50 €|1 990,50 €|19 900,50 €|1 990,50 €|19 900,50 €|' ]
[ "$(plain "$js")" = '1990,50 €|19.900,50 €|1990,50 €|19.900,50 €|1990,50 €|19 900,50 €|1990,50 €|19 900,50 €|' ]
