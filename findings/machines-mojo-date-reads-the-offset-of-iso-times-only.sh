#!/usr/bin/env bash
# Mojo::Date of Perl's Mojolicious reads "Mon, 01 Jun 2026 10:00:00 +0200" as 10:00 GMT, and "… EST" too; 2026-06-01T10:00:00+02:00 is 08:00 GMT, as it says. One would guess 08:00 for both spellings of one moment, or no value, as for what it cannot read ("… 10:00 GMT").
# The name of a zone is skipped in times like those of HTTP headers, which are always GMT; those of mail and of RSS look the same and are not.
# A reader of a shop's RSS feed made with Mojo::DOM and Mojo::Date has every pubDate by some hours wrong, by one more in the summer; the same shop's Atom feed is right.
# Version: Mojolicious 9.31 with Perl 5.36 (Debian's package libmojolicious-perl).
set -euo pipefail
perl -MMojo::Date -e 1 2> /dev/null || { echo "needs Debian's package libmojolicious-perl"; exit 1; }
seen=$(perl -MMojo::Date -e 'print Mojo::Date->new($_)->epoch // "none", " " for @ARGV' "Mon, 01 Jun 2026 10:00:00 GMT" "Mon, 01 Jun 2026 10:00:00 +0200" "Mon, 01 Jun 2026 10:00:00 EST" "2026-06-01T10:00:00+02:00" "Mon, 01 Jun 2026 10:00 GMT")
echo "Mojolicious $(perl -MMojolicious -e 'print Mojolicious->VERSION'), Perl $(perl -e 'print $^V')"
echo "seen: $seen"
[ "$seen" = '1780308000 1780308000 1780308000 1780300800 none ' ]
