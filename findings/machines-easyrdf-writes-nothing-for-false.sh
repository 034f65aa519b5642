#!/usr/bin/env bash
# EasyRdf writes the PHP value false as nothing: "schema:isAccessibleForFree  ;" in Turtle, which no parser reads, its own neither, and ""^^xsd:boolean in N-Triples; true is right. And a price is cut to seven digits in Turtle: 123456.78 is 1.234568e+5, 123456.80,
# while N-Triples have it whole. One would guess false, and the same number in every format.
# A shop that hands out its catalog as linked data has a graph that cannot be read as soon as one product is not free, and other prices for expensive things.
# Version: EasyRdf 1.0.0 with PHP 8.2 (Debian's packages php-easyrdf and php8.2-cli).
set -euo pipefail
autoload=/usr/share/php/EasyRdf/autoload.php
command -v php > /dev/null && [ -f "$autoload" ] || { echo "needs Debian's packages php-easyrdf and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
require $argv[1];
$graph = new EasyRdf\Graph();
$sofa = $graph->resource('https://shop.example/sofa');
$sofa->set('schema:isAccessibleForFree', false);
$sofa->set('schema:name', 'Sofa');
$turtle = $graph->serialise('turtle');
try {
    (new EasyRdf\Graph())->parse($turtle, 'turtle');
    echo 'read; ';
} catch (EasyRdf\Parser\Exception $error) {
    echo 'parse error; ';
}
$price = new EasyRdf\Graph();
$price->resource('https://shop.example/sofa')->set('schema:price', 123456.78);
echo preg_match('/Free> (\S+)/', $graph->serialise('ntriples'), $found) ? $found[1] : 'none', '; ';
echo preg_match('/schema:price (\S+)/', $price->serialise('turtle'), $found) ? $found[1] : 'none', '; ';
echo preg_match('/"([^"]+)"/', $price->serialise('ntriples'), $found) ? $found[1] : 'none';
PHP
seen=$(php "$dir/run.php" "$autoload")
echo "EasyRdf $(dpkg-query -W -f '${Version}' php-easyrdf), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = 'parse error; ""^^<http://www.w3.org/2001/XMLSchema#boolean>; 1.234568e+5; 123456.78' ]
