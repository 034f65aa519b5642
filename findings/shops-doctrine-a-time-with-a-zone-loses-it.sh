#!/usr/bin/env bash
# Doctrine's type datetimetz ("date and time with timezone") on SQLite, as on MySQL: 20:00 of +02:00 is stored as 20:00 without a zone and comes back as 20:00 UTC, two hours later. One would guess that
# the moment is kept, by converting it to UTC or to the zone of the server, or that the type is refused where the database has no such column. On PostgreSQL the same class keeps it.
# Whoever reads the shop's table finds times of several zones in one column and cannot tell which; of two products of one moment, one is "newer".
# Version: Doctrine DBAL 3.6.1 with PHP 8.2 and SQLite (Debian's packages php-doctrine-dbal and php8.2-sqlite3).
set -euo pipefail
[ -f /usr/share/php/Doctrine/DBAL/autoload.php ] && php -m | grep -q pdo_sqlite || { echo "needs Debian's packages php-doctrine-dbal and php8.2-sqlite3"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/times.php" << 'END'
<?php
require "/usr/share/php/Doctrine/DBAL/autoload.php";
date_default_timezone_set("UTC");
$db = Doctrine\DBAL\DriverManager::getConnection(["driver" => "pdo_sqlite", "memory" => true]);
$db->executeStatement("CREATE TABLE product (id INTEGER, published_at DATETIME)");
$moment = new DateTimeImmutable("2026-11-20T20:00:00+02:00");
$moments = [1 => $moment, 2 => $moment->setTimezone(new DateTimeZone("UTC"))];
foreach ($moments as $id => $at)
    $db->insert("product", ["id" => $id, "published_at" => $at], ["published_at" => "datetimetz_immutable"]);
foreach ($db->fetchAllAssociative("SELECT id, published_at FROM product ORDER BY id") as $row) {
    $read = $db->convertToPHPValue($row["published_at"], "datetimetz_immutable");
    echo $row["published_at"], " is read as ", $read->format("c"), $read == $moment ? ", the same moment" : ", another moment", "\n";
}
END
dpkg-query --show php-doctrine-dbal
seen="$(php "$dir/times.php")"
echo "seen: $seen"
[ "$seen" = "2026-11-20 20:00:00 is read as 2026-11-20T20:00:00+00:00, another moment
2026-11-20 18:00:00 is read as 2026-11-20T18:00:00+00:00, the same moment" ]
