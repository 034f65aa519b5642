#!/usr/bin/env bash
# A Perl program reads products with JSON::PP and sorts a copy of the list by SKU with <=>. Afterwards the list that it had read is written with other types: "45" has become 45, while "00123"
# stays a text, because only what looks the same as its number changes. Mojo::JSON writes it so, too, and JSON::Validator refuses the record: expected string, got number. One would guess
# that comparing changes nothing, above all since Perl 5.36 remembers which scalars began as texts. What Mojo::JSON has read both write as texts; JSON::Validator refuses that, too.
# A catalog of SKUs, versions or barcodes gets both types in one list, by digits alone, and readers with types fail at some products. Make texts of them before encoding: "$sku".
# Version: JSON::PP 4.07 of Perl 5.36.0, JSON::Validator 5.14 and Mojo::JSON of Mojolicious 9.31 (Debian's packages perl and libjson-validator-perl).
set -euo pipefail
/usr/bin/perl -MJSON::Validator -e 1 2> /dev/null || { echo "needs Debian's package libjson-validator-perl"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.pl" <<'PL'
use strict;
use warnings;
use JSON::PP ();
use JSON::Validator;
use Mojo::JSON;

my $schema = '{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}}}}';
my $validator = JSON::Validator->new->schema(JSON::PP::decode_json($schema));
my $text = '[{"sku":"45"},{"sku":"00123"},{"sku":"7.10"},{"sku":"7.1"}]';

sub show {
    my ($what, $list) = @_;
    my @errors = $validator->validate($list);
    my ($pp, $mojo) = (JSON::PP::encode_json($list), Mojo::JSON::encode_json($list));
    print "$what: $pp, ", $pp eq $mojo ? "Mojo the same" : "Mojo $mojo", ", ", @errors ? "refused: @errors" : "valid", "\n";
}

for (["JSON::PP", \&JSON::PP::decode_json], ["Mojo::JSON", \&Mojo::JSON::decode_json]) {
    my ($reader, $decode) = @$_;
    my $printed = $decode->($text);
    my $line = join " ", map { "SKU $_->{sku}" } grep { $_->{sku} eq "45" } @$printed;
    show("$reader, printed", $printed);
    my $sorted = $decode->($text);
    my @copy = sort { $a->{sku} <=> $b->{sku} } @$sorted;
    show("$reader, sorted", $sorted);
}
PL
seen=$(MOJO_NO_JSON_XS=1 /usr/bin/perl "$dir/run.pl")
/usr/bin/perl -MJSON::PP -MJSON::Validator -MMojolicious -e 'print "Perl $^V, JSON::PP $JSON::PP::VERSION, JSON::Validator $JSON::Validator::VERSION, Mojolicious $Mojolicious::VERSION\n"'
echo "seen: $seen"
text='[{"sku":"45"},{"sku":"00123"},{"sku":"7.10"},{"sku":"7.1"}]'
[ "$seen" = "JSON::PP, printed: $text, Mojo the same, valid
JSON::PP, sorted: [{\"sku\":45},{\"sku\":\"00123\"},{\"sku\":\"7.10\"},{\"sku\":7.1}], Mojo the same, refused: /0/sku: Expected string - got number. /3/sku: Expected string - got number.
Mojo::JSON, printed: $text, Mojo the same, valid
Mojo::JSON, sorted: $text, Mojo the same, refused: /0/sku: Expected string - got number. /3/sku: Expected string - got number." ]
