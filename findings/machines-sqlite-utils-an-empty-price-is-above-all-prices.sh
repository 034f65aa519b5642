#!/usr/bin/env bash
# sqlite-utils insert --csv --detect-types makes a column FLOAT of the prices it saw and puts an empty cell into it as the empty text, which SQLite takes for greater than every
# number: "price > 100" finds the products without a price, MAX(price) is empty, and "price IS NULL" finds none. One would guess NULL, as it leaves the empty
# cells aside when it chooses the type. It also makes 123 of the article number 00123.
# Version: sqlite-utils 3.30 (Debian's package sqlite-utils).
set -euo pipefail
command -v sqlite-utils > /dev/null || { echo "needs Debian's package sqlite-utils"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf 'slug,sku,price\nmug,00123,19.90\ngift,00124,\nlamp,00125,30\n' | sqlite-utils insert "$dir/catalog.db" product - --csv --detect-types
ask() { sqlite-utils query "$dir/catalog.db" --csv --no-headers "$1" | tr -d '\r' | tr '\n' ' '; }
seen="above 100: $(ask 'select slug from product where price > 100')without a price: $(ask 'select count(*) from product where price is null')first: $(ask 'select sku, typeof(price) from product limit 1')"
sqlite-utils --version
echo "seen: $seen"
[ "$seen" = 'above 100: gift without a price: 0 first: 123,real ' ]
