#!/usr/bin/env bash
# Firebird's AVG has as many decimals as its column: the average of 5, 5 and 4 stars is 4, and of the prices 5.00, 20.00 and 19.90 it is 14.96, cut, not rounded. One would guess 4.67 and 14.97 with more digits,
# as PostgreSQL, MariaDB and SQLite say of the same tables. Division is so too: price / 3 of 5.00 is 1.66, and price * 85 / 100 of 19.90 is 16.91, while price * 0.85 is 16.9150.
# Shops on ERP systems bring Firebird tables with them: a rating from AVG(stars) shows every product but the perfect ones a star too low; CAST(stars AS NUMERIC(9, 4)) inside AVG helps.
# Version: Firebird 3.0.11 (Debian's packages firebird3.0-server-core and firebird3.0-utils).
set -euo pipefail
command -v isql-fb > /dev/null || { echo "needs Debian's packages firebird3.0-server-core and firebird3.0-utils"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/stars.sql" << END
SET SQL DIALECT 3;
CREATE DATABASE '$dir/shop.fdb';
CREATE TABLE review (stars INT);
CREATE TABLE product (price NUMERIC(8, 2));
COMMIT;
INSERT INTO review VALUES (5);
INSERT INTO review VALUES (5);
INSERT INTO review VALUES (4);
INSERT INTO product VALUES (5.00);
INSERT INTO product VALUES (20.00);
INSERT INTO product VALUES (19.90);
COMMIT;
SET HEADING OFF;
SELECT 'stars', AVG(stars), AVG(CAST(stars AS NUMERIC(9, 4))) FROM review;
SELECT 'price', AVG(price), MIN(price) / 3 FROM product;
SELECT 'sale', price * 85 / 100, price * 0.85 FROM product WHERE price = 19.90;
SHOW VERSION;
END
out="$(cd "$dir" && isql-fb -q -i stars.sql 2>&1)"
seen="$(grep -E '^(stars|price|sale)' <<< "$out" | tr -s ' ' | sed 's/ *$//')"
grep -o 'Firebird.*' <<< "$out" | sort -u | sed -n 1p || true
echo "seen: $seen"
[ "$seen" = "stars 4 4.6666
price 14.96 1.66
sale 16.91 16.9150" ]
