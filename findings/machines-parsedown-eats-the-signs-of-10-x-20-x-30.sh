#!/usr/bin/env bash
# Parsedown makes "10 <em> 20 </em> 30 mm" of "10 * 20 * 30 mm": both signs between the measures are gone. CommonMark and the older rules say that a star between blanks is a star, as cmark, kramdown and Python-Markdown have it.
# One would guess so: Parsedown calls itself "Better Markdown Parser" and is what most shops and site generators in PHP have (Grav, Laravel's older mail).
# The size of a product in a catalog's description reads "10 20 30 mm".
# Version: Parsedown 1.7.4 with PHP 8.2, beside cmark 0.30.2 (Debian's packages php-parsedown, php8.2-cli and cmark).
set -euo pipefail
command -v cmark php > /dev/null && [ -f /usr/share/php/Parsedown/autoload.php ] || { echo "needs Debian's packages php-parsedown, php8.2-cli and cmark"; exit 1; }
seen="$(php -r 'require "/usr/share/php/Parsedown/autoload.php"; echo (new Parsedown())->text("10 * 20 * 30 mm");') $(echo '10 * 20 * 30 mm' | cmark)"
php -r 'require "/usr/share/php/Parsedown/autoload.php"; echo "Parsedown ", Parsedown::version, ", PHP ", PHP_VERSION, "\n";'
echo "seen: $seen"
[ "$seen" = '<p>10 <em> 20 </em> 30 mm</p> <p>10 * 20 * 30 mm</p>' ]
