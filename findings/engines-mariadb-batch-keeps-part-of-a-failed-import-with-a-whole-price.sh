#!/usr/bin/env bash
# batch() of the npm package mariadb sends prices as one statement, and stores none if one is refused. With a whole price among them, 20 beside 19.9, it sends several: a refused price leaves the others stored, and the answer is a list of results, whose affectedRows is undefined.
# One would guess that one call of INSERT … VALUES (?) behaves alike whatever its numbers are, since 20 and 19.9 are both numbers to JavaScript; the driver makes an INT of the one and a DOUBLE of the other, and begins a new statement where the type changes.
# An import that was tested with 9.95 and 19.9 is repeated after an error and has some products twice, and its count of rows is NaN, as soon as a product costs 20. Call beginTransaction() before batch(), and give all prices as texts ("20.00").
# Version: mariadb@3.5.4 with MariaDB 10.11 (Debian's package mariadb-server), seen on Node 24.
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N "$@" 2>&1; }
for _ in $(seq 100); do sql -e "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql -e "CREATE DATABASE shop; CREATE TABLE shop.product (id INT AUTO_INCREMENT PRIMARY KEY, price DECIMAL(7,2))"
npm install --silent --no-fund --no-audit --prefix "$dir" mariadb@3.5.4
cat > "$dir/import.mjs" << 'END'
import mariadb from "mariadb";

const connection = await mariadb.createConnection({ socketPath: process.argv[2], user: "root", database: "shop" });
for (const prices of [[19.9, 24.9, 5.5], [19.9, 24.9, 20], ["19.9", "24.9", "20"], [19.9, 1234567.5, 5.5], [19.9, 1234567.5, 20], ["19.9", "1234567.5", "20"]]) {
  await connection.query("TRUNCATE product");
  const said = await connection.batch("INSERT INTO product (price) VALUES (?)", prices.map((price) => [price])).then(
    (result) => `${Array.isArray(result) ? `a list of ${result.length}` : "a result"}, affectedRows ${result.affectedRows}`,
    (error) => error.code,
  );
  const stored = (await connection.query("SELECT price FROM product ORDER BY id")).map(({ price }) => price);
  console.log(`${JSON.stringify(prices)}: ${said}; stored ${stored.join(" ") || "none"}`);
}
await connection.end();
END
seen="$(node "$dir/import.mjs" "$dir/my/socket")"
echo "MariaDB $(sql -e 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = '[19.9,24.9,5.5]: a result, affectedRows 3; stored 19.90 24.90 5.50
[19.9,24.9,20]: a list of 2, affectedRows undefined; stored 19.90 24.90 20.00
["19.9","24.9","20"]: a result, affectedRows 3; stored 19.90 24.90 20.00
[19.9,1234567.5,5.5]: ER_WARN_DATA_OUT_OF_RANGE; stored none
[19.9,1234567.5,20]: ER_WARN_DATA_OUT_OF_RANGE; stored 20.00
["19.9","1234567.5","20"]: ER_WARN_DATA_OUT_OF_RANGE; stored none' ]
