#!/usr/bin/env bash
# Smarty's date_format shows the day "20260102" as 23 August 1970: a text of digits is seconds since 1970, unless it has just 14 digits; then "20260102030405" is 2 January 2026. PHP's own strtotime, which it asks for all other texts,
# reads both as 2026. One would guess that a reader of the longer form knows the shorter one too.
# A day in ISO 8601's basic form, as calendars and some feeds write it, becomes a page that says "new since 1970".
# Version: Smarty 4.3.0 with PHP 8.2 (Debian's packages smarty4 and php8.2-cli).
set -euo pipefail
smarty=/usr/share/php/smarty4/Smarty.class.php
[ -f "$smarty" ] && command -v php > /dev/null || { echo "needs Debian's packages smarty4 and php8.2-cli"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
error_reporting(E_ERROR);
require $argv[1];
$page = new Smarty();
$page->setCompileDir($argv[2]);
foreach (['2026-01-02', '20260102', '20260102030405'] as $text) {
    $page->assign('day', $text);
    echo $text, ': ', $page->fetch('string:{$day|date_format:"%Y-%m-%d"}'), ', strtotime ', date('Y', strtotime($text)) === '2026' ? '2026' : 'another year', "\n";
}
PHP
seen=$(TZ=UTC php -d date.timezone=UTC "$dir/run.php" "$smarty" "$dir")
echo "Smarty $(dpkg-query -W -f '${Version}' smarty4), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = '2026-01-02: 2026-01-02, strtotime 2026
20260102: 1970-08-23, strtotime 2026
20260102030405: 2026-01-02, strtotime 2026' ]
