#!/usr/bin/env bash
# A DATE of zeros, '0000-00-00', with which shops on MySQL and MariaDB write "no date", is 30 November 1899 by query() of mysql2 and an Invalid Date by its execute(); mariadb gives null, and mysql, from which mysql2 stems, the text.
# One would guess one of the last three for all: mysql2 itself gives an Invalid Date for a DATETIME of zeros by both, and for '0000-00-00' at query() a real one, which passes each check. It is a date that sorts, formats and compares.
# A product without an end of its sale has one in 1899 and is never on sale, a release without a date is the oldest; or toISOString() raises an error once the same query is prepared. Write NULLIF(at, '0000-00-00'), or set dateStrings: true.
# Version: mysql2@3.24.6, mariadb@3.5.4 and mysql@2.18.1 with MariaDB 10.11 (Debian's package mariadb-server), seen on Node 24 in UTC.
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N "$@" 2>&1; }
for _ in $(seq 100); do sql -e "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
sql -e "CREATE DATABASE shop; SET sql_mode = ''; CREATE TABLE shop.sale (ends DATE, ended DATETIME); INSERT INTO shop.sale VALUES ('0000-00-00', '0000-00-00 00:00:00')"
npm install --silent --no-fund --no-audit --prefix "$dir" mysql2@3.24.6 mariadb@3.5.4 mysql@2.18.1
cat > "$dir/dates.mjs" << 'END'
import mariadb from "mariadb";
import mysql from "mysql";
import mysql2 from "mysql2/promise";

const at = { socketPath: process.argv[2], user: "root", database: "shop" };
const QUERY = "SELECT ends, ended FROM sale";
const said = (value) => (value instanceof Date ? (Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()) : JSON.stringify(value));
const show = (name, { ends, ended }) => console.log(`${name}: DATE ${said(ends)}, DATETIME ${said(ended)}`);
const first = await mysql2.createConnection(at);
show("mysql2 query", (await first.query(QUERY))[0][0]);
show("mysql2 execute", (await first.execute(QUERY))[0][0]);
await first.end();
const second = await mariadb.createConnection(at);
show("mariadb query", (await second.query(QUERY))[0]);
await second.end();
const third = mysql.createConnection(at);
show("mysql query", await new Promise((resolve, reject) => third.query(QUERY, (error, [row] = []) => (error ? reject(error) : resolve(row)))));
third.end();
END
seen="$(TZ=UTC node "$dir/dates.mjs" "$dir/my/socket")"
echo "MariaDB $(sql -e 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = 'mysql2 query: DATE 1899-11-30T00:00:00.000Z, DATETIME Invalid Date
mysql2 execute: DATE Invalid Date, DATETIME Invalid Date
mariadb query: DATE null, DATETIME null
mysql query: DATE "0000-00-00", DATETIME "0000-00-00 00:00:00"' ]
