#!/usr/bin/env bash
# PHP's Carbon reads "1.10" and "19.90" as 1 and 19 seconds after 1970, where PHP's own DateTime, which it extends, reads 01:10 of today and refuses 19.90. Seconds without decimals, 1767323045, it refuses as PHP does; 1767323045.5
# it takes. One would guess that a text which PHP does not take for a date is refused, and that decimals do not decide whether seconds are read.
# An import that tries each text of a feed as a date makes moments of versions and prices; one that stores moments in seconds works until the first has no fraction.
# Version: Carbon 2.65.0 with PHP 8.2 (Debian's packages php-nesbot-carbon and php8.2-cli).
set -euo pipefail
autoload=/usr/share/php/Carbon/autoload.php
[ -f "$autoload" ] && command -v php > /dev/null || { echo "needs Debian's packages php-nesbot-carbon and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
error_reporting(E_ERROR);
require $argv[1];
$read = function ($class, $text) { try { return (new $class($text))->format('Y-m-d H:i:s'); } catch (Exception) { return 'refused'; } };
foreach (['1.10', '19.90', '1767323045', '1767323045.5'] as $text) {
    echo $text, ': Carbon ', $read(Carbon\Carbon::class, $text), ', PHP ', str_replace(date('Y-m-d'), 'today', $read(DateTime::class, $text)), "\n";
}
PHP
seen=$(TZ=UTC php -d date.timezone=UTC "$dir/run.php" "$autoload")
echo "Carbon $(dpkg-query -W -f '${Version}' php-nesbot-carbon), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = '1.10: Carbon 1970-01-01 00:00:01, PHP today 01:10:00
19.90: Carbon 1970-01-01 00:00:19, PHP refused
1767323045: Carbon refused, PHP refused
1767323045.5: Carbon 2026-01-02 03:04:05, PHP refused' ]
