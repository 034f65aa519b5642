#!/usr/bin/env bash
# Symfony's CsvEncoder reads the columns "Mug 1.5 l" and "Mug 1.10" of a price table as nested objects, {"Mug 1":{"5 l":"19.90","10":"25"}}, and a blank line between two products as a third one, {"sku":null}. Written, {"1.10":5} and {"1":{"10":6}} in one record are one column,
# 1.10, with the value 6. One would guess the names of the header, and that blank lines are skipped, as by most readers.
# A dot is the separator of nested fields in both directions; key_separator changes it. A catalog's tables by size, weight or version have one in their names, and the fields that a program asks for are missing.
# Version: symfony/serializer 5.4.53 with PHP 8.2 (Debian's packages php-symfony-serializer and php8.2-cli).
set -euo pipefail
autoload=/usr/share/php/Symfony/Component/Serializer/autoload.php
command -v php > /dev/null && [ -f "$autoload" ] || { echo "needs Debian's packages php-symfony-serializer and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
require $argv[1];
$encoder = new Symfony\Component\Serializer\Encoder\CsvEncoder();
echo json_encode($encoder->decode("sku,Mug 1.5 l,Mug 1.10\na,19.90,25\n", 'csv')), ' ';
echo json_encode($encoder->decode("sku,price\na,1\n\nb,2\n", 'csv')), ' ';
$table = $encoder->encode([['stock' => ['1.10' => 5, '1' => ['10' => 6]]]], 'csv');
echo str_replace("\n", ' ', $table), json_encode($encoder->decode($table, 'csv'));
PHP
seen=$(php "$dir/run.php" "$autoload")
echo "symfony/serializer $(dpkg-query -W -f '${Version}' php-symfony-serializer), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = '[{"sku":"a","Mug 1":{"5 l":"19.90","10":"25"}}] [{"sku":"a","price":"1"},{"sku":null},{"sku":"b","price":"2"}] stock.1.10 6 [{"stock":{"1":{"10":"6"}}}]' ]
