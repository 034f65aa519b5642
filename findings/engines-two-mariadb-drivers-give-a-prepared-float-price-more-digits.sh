#!/usr/bin/env bash
# A price of 19.9 in a FLOAT column of MariaDB is 19.9 by query() and 19.899999618530273 by execute(), the prepared form, in mysql2 and in mariadb alike, also of a FLOAT(7,2). A DOUBLE and a DECIMAL are the same by both.
# One would guess that both forms differ only in how parameters are sent; the one gets the server's text, the other four bytes that are widened. What the shop's page, the mariadb shell and a dump show is 19.9.
# Once a catalog's query gets its first parameter, and with it execute(), each price has sixteen digits, and is a change to all who compare; price * 100 is no whole number of cents. Write CAST(price AS DECIMAL(10,2)), or ROUND(price, 2), which is a DOUBLE.
# Version: mysql2@3.24.6 and mariadb@3.5.4 with MariaDB 10.11 (Debian's package mariadb-server), seen on Node 24.
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N "$@" 2>&1; }
for _ in $(seq 100); do sql -e "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql -e "CREATE DATABASE shop; CREATE TABLE shop.product (price FLOAT, list_price FLOAT(7,2), net DOUBLE, tax DECIMAL(7,2)); INSERT INTO shop.product VALUES (19.9, 19.9, 19.9, 19.9)"
npm install --silent --no-fund --no-audit --prefix "$dir" mysql2@3.24.6 mariadb@3.5.4
cat > "$dir/prices.mjs" << 'END'
import mariadb from "mariadb";
import mysql2 from "mysql2/promise";

const at = { socketPath: process.argv[2], user: "root", database: "shop" };
const QUERY = "SELECT price, list_price, net, tax, ROUND(price, 2) AS rounded FROM product";
const show = (name, row) => console.log(`${name}:`, JSON.stringify(row));
const first = await mysql2.createConnection(at);
show("mysql2 query", (await first.query(QUERY))[0][0]);
show("mysql2 execute", (await first.execute(QUERY))[0][0]);
await first.end();
const second = await mariadb.createConnection(at);
show("mariadb query", (await second.query(QUERY))[0]);
show("mariadb execute", (await second.execute(QUERY))[0]);
await second.end();
END
seen="$(node "$dir/prices.mjs" "$dir/my/socket")"
echo "MariaDB $(sql -e 'SELECT version()')"
echo "seen: $seen"
text='{"price":19.9,"list_price":19.9,"net":19.9,"tax":"19.90","rounded":19.9}'
bytes='{"price":19.899999618530273,"list_price":19.899999618530273,"net":19.9,"tax":"19.90","rounded":19.9}'
[ "$seen" = "mysql2 query: $text
mysql2 execute: $bytes
mariadb query: $text
mariadb execute: $bytes" ]
