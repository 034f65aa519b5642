#!/usr/bin/env bash
# Twig compares two texts that look like numbers as numbers, on every PHP: version == "1.1" is true for "1.10", and the sku "00123" equals "123". Twig.js
# does not, but sorts a list of numbers as texts (1.5, 10, 9) where Twig sorts them by value. One would guess that a template gives one page. A
# shop theme drawn in the browser too, or by a static generator in Node, marks other products as new and lists prices in another order.
# Version: Debian's php-twig 3.5.1 on PHP 8.2; twig 3.0.0 on Node 24.
set -euo pipefail
[ -f /usr/share/php/Twig/autoload.php ] || { echo "Twig is missing: apt-get install php-twig"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund twig@3.0.0
cat > template.twig <<'TWIG'
{{ version == "1.1" ? "same" : "other" }} {{ sku == "123" ? "same" : "other" }} {{ prices|sort|join(", ") }}
TWIG
echo '{"version":"1.10","sku":"00123","prices":[10,9,1.5]}' > data.json
cat > run.js <<'JS'
import { readFileSync } from "node:fs";
import Twig from "twig";

process.stdout.write(`Twig.js: ${Twig.twig({ data: readFileSync("template.twig", "utf8") }).render(JSON.parse(readFileSync("data.json", "utf8")))}`);
JS
cat > run.php <<'PHP'
<?php
require '/usr/share/php/Twig/autoload.php';
$twig = new Twig\Environment(new Twig\Loader\FilesystemLoader('.'));
echo 'Twig: ', $twig->render('template.twig', json_decode(file_get_contents('data.json'), true));
PHP
seen=$(php run.php; node run.js)
echo "Twig $(php -r 'require "/usr/share/php/Twig/autoload.php"; echo Twig\Environment::VERSION;') twig@3.0.0"
echo "seen: $seen"
[ "$seen" = 'Twig: same same 1.5, 9, 10
Twig.js: other other 1.5, 10, 9' ]
