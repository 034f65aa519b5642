#!/usr/bin/env bash
# Perl's DBD::CSV ignores ORDER BY price, DESC too, if the price is not among the selected columns: SELECT slug FROM p ORDER BY price LIMIT 2 gives the first two lines of the file. And a product whose price is NULL is below 20 (price < 20), and
# is counted by COUNT(price). One would guess SQL's order and nulls, or an error, as for much else that it does not know.
# A report "the two cheapest" over a catalog's table names two of any price, until somebody adds the price to what it shows.
# Version: DBD::CSV 0.60 with SQL::Statement 1.414 and Perl 5.36 (Debian's packages libdbd-csv-perl and libsql-statement-perl).
set -euo pipefail
perl -MDBD::CSV -MSQL::Statement -e 1 2> /dev/null || { echo "needs Debian's packages libdbd-csv-perl and libsql-statement-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf 'slug,price\nmug,19.90\ncup,5\ngift,\nlamp,100\n' > "$dir/p.csv"
cat > "$dir/run.pl" <<'PL'
use strict;
use warnings;
use DBI;

my $db = DBI->connect("dbi:CSV:", undef, undef, { f_dir => $ARGV[0], f_ext => ".csv", RaiseError => 1 });
for my $query ("slug FROM p WHERE price > 0 ORDER BY price DESC", "slug, price FROM p WHERE price > 0 ORDER BY price DESC", "slug FROM p WHERE price < 20", "COUNT(price) FROM p") {
  print join(" ", map { $_->[0] } @{ $db->selectall_arrayref("SELECT $query") }), "; ";
}
PL
seen=$(perl "$dir/run.pl" "$dir")
perl -MDBD::CSV -MSQL::Statement -e 'print "DBD::CSV $DBD::CSV::VERSION, SQL::Statement $SQL::Statement::VERSION, Perl $^V\n"'
echo "seen: $seen"
[ "$seen" = 'mug cup lamp; lamp mug cup; mug cup gift; 4; ' ]
