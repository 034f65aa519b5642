#!/usr/bin/env bash
# Symfony's u("USB-C 3.1")->snake() is "us_bc31", and "Mug 1.5 l" and "Mug 15 l" are both "mug15_l": it writes the text in camel case first, where the ends of words are lost, and cuts that. One would guess "usb_c_3_1", a line for each
# space and hyphen: "sale price" does give "sale_price".
# Names of attributes, columns or filters made from the labels of a catalog lose their words, and two labels of other numbers become one column.
# Version: symfony/string 5.4.53 with PHP 8.2 (Debian's packages php-symfony-string and php8.2-cli).
set -euo pipefail
autoload=/usr/share/php/Symfony/Component/String/autoload.php
[ -f "$autoload" ] && command -v php > /dev/null || { echo "needs Debian's packages php-symfony-string and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
error_reporting(E_ERROR);
require $argv[1];
foreach (['sale price', 'USB-C 3.1', 'Full HD TV', 'GTIN 13', 'Mug 1.5 l', 'Mug 15 l'] as $label) echo $label, ': ', Symfony\Component\String\u($label)->snake(), "\n";
PHP
seen=$(php "$dir/run.php" "$autoload")
echo "symfony/string $(dpkg-query -W -f '${Version}' php-symfony-string), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = 'sale price: sale_price
USB-C 3.1: us_bc31
Full HD TV: full_hdtv
GTIN 13: gtin13
Mug 1.5 l: mug15_l
Mug 15 l: mug15_l' ]
