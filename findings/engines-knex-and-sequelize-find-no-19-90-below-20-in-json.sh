#!/usr/bin/env bash
# A condition on a number in a JSON column is guessed to compare that number. Knex, whereJsonPath("data", "$.price", "<", 20), writes for PostgreSQL (jsonb_path_query_first(data, '$.price'))::int < 20, with any number behind it; Sequelize,
# { "data.price": { [Op.lt]: 20 } }, writes for MySQL and MariaDB CAST(… AS DECIMAL) < 20, which has no decimals. 19.90 becomes 20 and is found neither below 20 nor below 19.95; 20.40 is found at "<= 20".
# Sequelize in PostgreSQL compares 19.90.
# A catalog's filter "below 20" hides 19.90, the most usual price of all, and tests with the other database pass.
# Version: knex@3.3.0, sequelize@6.37.8, mariadb@3.5.4; PostgreSQL 15 and MariaDB 10.11 (Debian's packages postgresql and mariadb-server).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
[ -n "$bin" ] || { echo "needs Debian's package postgresql"; exit 1; }
dir=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ -z "${my:-}" ] || { kill "$my" && wait "$my"; } 2> /dev/null || true
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/pg" "$dir/socket"
[ "$(id -u)" != 0 ] || chown postgres "$dir/pg" "$dir/socket"
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
sql() { psql -X -q -h "$dir/socket" -U postgres -At -c "$1" 2>&1 | sed '/^DETAIL/d' || true; }
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & my=$!
maria() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2>&1 || true; }
for _ in $(seq 100); do [ "$(maria "SELECT 1")" != 1 ] || break; sleep 0.2; done
npm install --silent --no-audit --no-fund --prefix "$dir/npm" knex@3.3.0 sequelize@6.37.8 mariadb@3.5.4 pg@8.16.3 > /dev/null
cat > "$dir/npm/knex.cjs" <<'JS'
const [, , client, operator, value] = process.argv;
console.log(require("knex")({ client, useNullAsDefault: true })("product").whereJsonPath("data", "$.price", operator, Number(value)).select("name").orderBy("name").toString());
JS
cat > "$dir/npm/sequelize.cjs" <<'JS'
const { DataTypes, Op, Sequelize } = require("sequelize");
const [, , dialect, operator, value] = process.argv;
const db = new Sequelize("shop", "root", "", { dialect, logging: false });
const model = db.define("product", { name: DataTypes.STRING, data: DataTypes.JSON }, { tableName: "product", timestamps: false });
const where = { "data.price": { [operator === "<" ? Op.lt : Op.lte]: Number(value) } };
console.log(db.getQueryInterface().queryGenerator.selectQuery("product", { attributes: ["name"], where, order: ["name"], model }, model));
JS
query() { node "$dir/npm/$1.cjs" "${@:2}"; }
rows="INSERT INTO product VALUES ('mug 19.90', '{\"price\": 19.90}'), ('tea 20.40', '{\"price\": 20.40}'), ('cup 5', '{\"price\": 5}')"
sql "CREATE TABLE product (name TEXT, data JSONB); $rows"
maria "CREATE DATABASE shop; USE shop; CREATE TABLE product (name VARCHAR(20), data JSON); $rows"
found() { echo "$1 $2: Knex, PostgreSQL: $(sql "$(query knex pg "$1" "$2")" | paste -sd,); Sequelize, MariaDB: $(maria "USE shop; $(query sequelize mariadb "$1" "$2")" | paste -sd,)"; }
seen="$(found '<' 20)
$(found '<=' 20)
$(found '<' 19.95)
Sequelize, PostgreSQL: < 20: $(sql "$(query sequelize postgres '<' 20)" | paste -sd,)"
"$bin/postgres" --version
echo "MariaDB $(maria 'SELECT version()'), knex 3.3.0, sequelize 6.37.8, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "< 20: Knex, PostgreSQL: cup 5; Sequelize, MariaDB: cup 5
<= 20: Knex, PostgreSQL: cup 5,mug 19.90,tea 20.40; Sequelize, MariaDB: cup 5,mug 19.90,tea 20.40
< 19.95: Knex, PostgreSQL: cup 5; Sequelize, MariaDB: cup 5
Sequelize, PostgreSQL: < 20: cup 5,mug 19.90" ]
