#!/usr/bin/env bash
# Perl's Locale::Currency::Format writes 19.90 dollars of Barbados as "1990 BBD", and 19.90 Serbian, Tunisian or Algerian dinars as 1990 and 19900: its table has decimals for these ten currencies and no sign to put before them.
# One would guess that a currency which the module knows has its point, or that it says it does not know. Euros, francs and Kuwaiti dinars are right.
# A price list for several countries is right in all that one looks at, and a hundred or a thousand times too dear in the others.
# Version: Locale::Currency::Format 1.35 with Perl 5.36 (Debian's package liblocale-currency-format-perl).
set -euo pipefail
perl -MLocale::Currency::Format -e 1 2> /dev/null || { echo "needs Debian's package liblocale-currency-format-perl"; exit 1; }
seen=$(perl -MLocale::Currency::Format -e 'print join "; ", map { currency_format($_, 19.9) } qw(EUR CHF KWD ALL AZN BBD BTN CDF DZD IQD KHR RSD TND)')
perl -MLocale::Currency::Format -e 'print "Locale::Currency::Format $Locale::Currency::Format::VERSION, Perl $^V\n"'
echo "seen: $seen"
[ "$seen" = '19,90 EUR; 19.90 CHF; 19.900 KWD; 1990 ALL; 1990 AZN; 1990 BBD; 1990 BTN; 1990 CDF; 1990 DZD; 19900 IQD; 1990 KHR; 1990 RSD; 19900 TND' ]
