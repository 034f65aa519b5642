#!/usr/bin/env bash
# Perl's Text::CSV_XS gives the records of a table with the header SKU,salePrice the names SKU and salePrice by csv(in => …, headers => "auto"), and sku and saleprice by csv(in => …, bom => 1), also of a table without a BOM. key => "SKU" has them as they are.
# One would guess the same names: the option is about three bytes at the beginning of the file. It makes the module's header method read the line, which also folds case, unless munge_column_names is "none".
# An import that was made ready for tables saved by Excel finds no field of two words any more: $record->{salePrice} is undef, and each product is sold at its full price.
# Version: Text::CSV_XS 1.49 with Perl 5.36 (Debian's package libtext-csv-xs-perl).
set -euo pipefail
perl -MText::CSV_XS -e 1 2> /dev/null || { echo "needs Debian's package libtext-csv-xs-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf 'SKU,salePrice\na,1\n' > "$dir/p.csv"
cat > "$dir/run.pl" <<'PERL'
use Text::CSV_XS "csv";
for my $options ([headers => "auto"], [bom => 1], [detect_bom => 1], [bom => 1, munge_column_names => "none"]) {
  my ($record) = @{ csv(in => $ARGV[0], @$options) };
  print join(" ", sort keys %$record), "; ";
}
PERL
seen=$(perl "$dir/run.pl" "$dir/p.csv")
echo "Text::CSV_XS $(perl -MText::CSV_XS -e 'print $Text::CSV_XS::VERSION'), Perl $(perl -e 'print $^V')"
echo "seen: $seen"
[ "$seen" = 'SKU salePrice; saleprice sku; saleprice sku; SKU salePrice; ' ]
