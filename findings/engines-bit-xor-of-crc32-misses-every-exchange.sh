#!/usr/bin/env bash
# A checksum of a table, BIT_XOR(CRC32(CONCAT_WS('|', product, category))), looks as if it depended on which product has which
# category. It does not: CRC32 is linear, so any two rows that exchange values of the same length leave it as it was, always.
# SUM instead of BIT_XOR misses about one exchange in ten thousand, always the same ones. CRC32 of the CRC32's digits sees them all.
# A catalog API that asks its shop "has anything changed?" by such a sum never hears of two products that changed places.
# Version: MariaDB of Debian 12 (mariadb-server 10.11), the functions are those of MySQL.
set -euo pipefail
dir=$(mktemp -d)
chmod 755 "$dir"
pid=
end() {
  if [ -n "$pid" ]; then kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; fi
  rm -rf "$dir"
}
trap end EXIT
user=$(id -un)
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/data" --auth-root-authentication-method=normal > "$dir/log" 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/data" --socket="$dir/socket" --skip-networking --pid-file="$dir/pid" > "$dir/log" 2>&1 &
pid=$!
ask() { mariadb --no-defaults --socket="$dir/socket" --user=root --skip-column-names --batch "$@"; }
for _ in $(seq 150); do ask --execute 'SELECT 1' > /dev/null 2>&1 && break; sleep 0.2; done
echo "MariaDB $(ask --execute 'SELECT VERSION()')"
ask --execute "CREATE DATABASE shop"
ask shop --execute "CREATE TABLE places (product INT PRIMARY KEY, category INT);
  INSERT INTO places SELECT seq, 10 + seq * 37 % 89 FROM seq_1000_to_1999"
# Every pair of 1,000 products exchanges its categories: how many exchanges does a checksum of the two rows not see?
row() { printf "CRC32(CONCAT_WS('|', %s, %s))" "$1" "$2"; }
twice() { printf "CRC32(CRC32(CONCAT_WS('|', %s, %s)))" "$1" "$2"; }
seen=$(ask shop --execute "SELECT COUNT(*),
    SUM($(row a.product a.category) ^ $(row b.product b.category) = $(row a.product b.category) ^ $(row b.product a.category)),
    SUM($(row a.product a.category) + $(row b.product b.category) = $(row a.product b.category) + $(row b.product a.category)),
    SUM($(twice a.product a.category) + $(twice b.product b.category) = $(twice a.product b.category) + $(twice b.product a.category))
  FROM places AS a JOIN places AS b ON a.product < b.product AND a.category <> b.category")
read -r exchanges xor sum twice <<< "$seen"
echo "seen: of $exchanges exchanges, BIT_XOR of CRC32 misses $xor, SUM of CRC32 misses $sum, SUM of CRC32 of CRC32 misses $twice"
[ "$exchanges" -gt 400000 ] && [ "$xor" = "$exchanges" ] && [ "$sum" -gt 0 ] && [ "$twice" = 0 ]
