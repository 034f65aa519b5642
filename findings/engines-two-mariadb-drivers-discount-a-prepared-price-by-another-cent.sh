#!/usr/bin/env bash
# 15 % off a price of 4.5 that is a parameter, ROUND(? * 0.85, 2), is 3.83 by query() and 3.82 by execute(), the prepared form, in mysql2 and in mariadb alike; total = ? * 3 with 19.9 finds the total 59.70 by query() and not by execute().
# One would guess that a parameter means the same by both. query() writes 4.5 into the SQL, where it is a DECIMAL with exact arithmetic; execute() sends a JavaScript number as a DOUBLE, whose 3.825 is a little less.
# A shop's sale prices move by a cent once a query is prepared, for a safer or a quicker one, and a catalog made from them changes; of the prices up to 50.00, 145 have another cent at 15 % off (19.90 has not) and 628 at 25 %. Give the price as text, ROUND(CAST(? AS DECIMAL(10,2)) * 0.85, 2), or count in cents.
# Version: mysql2@3.24.6 and mariadb@3.5.4 with MariaDB 10.11 (Debian's package mariadb-server), seen on Node 24.
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N "$@" 2>&1; }
for _ in $(seq 100); do sql -e "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
npm install --silent --no-fund --no-audit --prefix "$dir" mysql2@3.24.6 mariadb@3.5.4
cat > "$dir/discount.mjs" << 'END'
import mariadb from "mariadb";
import mysql2 from "mysql2/promise";

const at = { socketPath: process.argv[2], user: "root" };
const QUERY = `SELECT CAST(ROUND(? * 0.85, 2) AS CHAR) AS sale, CAST(ROUND(CAST(? AS DECIMAL(10,2)) * 0.85, 2) AS CHAR) AS sale_by_cast,
  (SELECT COUNT(*) FROM (SELECT CAST(59.70 AS DECIMAL(10,2)) AS total) AS orders WHERE total = ? * 3) AS found`;
const PRICES = [4.5, 4.5, 19.9];
const show = (name, { sale, sale_by_cast, found }) => console.log(`${name}: sale ${sale}, by CAST ${sale_by_cast}, found ${found}`);
const first = await mysql2.createConnection(at);
show("mysql2 query", (await first.query(QUERY, PRICES))[0][0]);
show("mysql2 execute", (await first.execute(QUERY, PRICES))[0][0]);
await first.end();
const second = await mariadb.createConnection(at);
show("mariadb query", (await second.query(QUERY, PRICES))[0]);
show("mariadb execute", (await second.execute(QUERY, PRICES))[0]);
await second.end();
END
seen="$(node "$dir/discount.mjs" "$dir/my/socket")"
echo "MariaDB $(sql -e 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = "mysql2 query: sale 3.83, by CAST 3.83, found 1
mysql2 execute: sale 3.82, by CAST 3.83, found 0
mariadb query: sale 3.83, by CAST 3.83, found 1
mariadb execute: sale 3.82, by CAST 3.83, found 0" ]
