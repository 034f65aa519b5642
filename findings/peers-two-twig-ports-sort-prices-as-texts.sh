#!/usr/bin/env bash
# Twig's ports to JavaScript, twig and twing: {{ [100, 9, 19.9, 20]|sort|join(" ") }} is "100 19.9 20 9" in both, where PHP's Twig has "9 19.9 20 100". The numbers are numbers in all three. "9.90" < "10.00" is
# false in both ports and true in PHP. One would guess that a port sorts as the original, all the more as max and <, with numbers, do.
# Templates of a shop that move to a Node server show the cheapest product in the middle of the list, and only once a price has another number of digits.
# Version: twig 3.0.0 and twing 7.3.1, seen on Node 24; Twig 3.5.1 with PHP 8.2 (Debian's packages php-twig and php8.2-cli).
set -euo pipefail
twig=/usr/share/php/Twig/autoload.php
[ -f "$twig" ] && command -v php > /dev/null || { echo "needs Debian's packages php-twig and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund twig@3.0.0 twing@7.3.1
cat > run.js <<'JS'
import Twig from "twig";
import { createSynchronousArrayLoader, createSynchronousEnvironment } from "twing";
const [template, json] = process.argv.slice(2);
const data = JSON.parse(json);
console.log("twig:", Twig.twig({ data: template }).render(data));
console.log("twing:", createSynchronousEnvironment(createSynchronousArrayLoader({ t: template })).render("t", data));
JS
template='{{ prices|sort|join(" ") }}; {{ max(prices) }}; {{ a < b ? "less" : "more" }}'
data='{ "prices": [100, 9, 19.9, 20], "a": "9.90", "b": "10.00" }'
seen="$(node run.js "$template" "$data")
$(php -r 'require $argv[1];
$twig = new Twig\Environment(new Twig\Loader\ArrayLoader(["t" => $argv[2]]));
echo "php: ", $twig->render("t", json_decode($argv[3], true));' "$twig" "$template" "$data")"
echo "twig 3.0.0, twing 7.3.1, PHP $(php -r 'echo PHP_VERSION;') with Twig $(dpkg-query -W -f '${Version}' php-twig)"
echo "seen: $seen"
[ "$seen" = 'twig: 100 19.9 20 9; 100; more
twing: 100 19.9 20 9; 100; more
php: 9 19.9 20 100; 100; less' ]
