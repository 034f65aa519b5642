#!/usr/bin/env bash
# WHERE json_extract(doc, '$.price') < ? with execute([50]) of PHP's PDO finds every product in SQLite, also the one of 100.00; so do price * 1.19 < ? and coalesce(price, 0) < ?. Perl's DBD::SQLite does the same, and json_object('price', ?) of 19.9 gives {"price":"19.9"}.
# price < ? of a column is right in both. One would guess that the number 50 of a program is the number 50 in SQL: both send it as a text, which SQLite makes a number only beside a column that has a type; beside an expression any number is below any text.
# A page "below 50" that reads its records from JSON, or adds a tax, lists the whole catalog without an error, and ">= 50" lists nothing. bindValue($n, 50, PDO::PARAM_INT), bind_param with SQLITE_INTEGER, or ? + 0.
# Version: PHP 8.2's pdo_sqlite, DBD::SQLite 1.72 with Perl 5.36 (Debian's packages php8.2-sqlite3, php8.2-cli and libdbd-sqlite3-perl).
set -euo pipefail
php -r 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);' 2> /dev/null && perl -MDBD::SQLite -e 1 2> /dev/null ||
  { echo "needs Debian's packages php8.2-sqlite3, php8.2-cli and libdbd-sqlite3-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
$db = new PDO('sqlite::memory:');
$db->exec("CREATE TABLE p (slug TEXT, price REAL, doc TEXT)");
$db->exec("INSERT INTO p VALUES ('mug', 19.9, '{\"price\":19.9}'), ('lamp', 100, '{\"price\":100}')");
foreach (["price < ?", "json_extract(doc, '$.price') < ?", "price * 1.19 < ?", "coalesce(price, 0) < ?", "json_extract(doc, '$.price') < ? + 0"] as $where) {
    $query = $db->prepare("SELECT group_concat(slug, '+') FROM p WHERE $where");
    $query->execute([50]);
    echo $query->fetchColumn(), ' ';
}
PHP
cat > "$dir/run.pl" <<'PERL'
use DBI;
my $db = DBI->connect("dbi:SQLite:dbname=:memory:", "", "", { RaiseError => 1 });
$db->do("CREATE TABLE p (slug TEXT, price REAL, doc TEXT)");
$db->do(q(INSERT INTO p VALUES ('mug', 19.9, '{"price":19.9}'), ('lamp', 100, '{"price":100}')));
for my $where ("price < ?", "json_extract(doc, '\$.price') < ?", "price * 1.19 < ?", "coalesce(price, 0) < ?", "json_extract(doc, '\$.price') < ? + 0") {
  print $db->selectrow_array("SELECT group_concat(slug, '+') FROM p WHERE $where", undef, 50), " ";
}
print $db->selectrow_array("SELECT json_object('price', ?)", undef, 19.9);
PERL
seen="$(php "$dir/run.php")/ $(perl "$dir/run.pl")"
echo "PHP $(php -r 'echo PHP_VERSION;'), DBD::SQLite $(perl -MDBD::SQLite -e 'print "$DBD::SQLite::VERSION with SQLite $DBD::SQLite::sqlite_version"')"
echo "seen: $seen"
[ "$seen" = 'mug mug+lamp mug+lamp mug+lamp mug / mug mug+lamp mug+lamp mug+lamp mug {"price":"19.9"}' ]
