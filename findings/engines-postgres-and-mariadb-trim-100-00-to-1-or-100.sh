#!/usr/bin/env bash
# TRIM(TRAILING '.00' FROM '100.00'), to show a whole price without its decimals, is '100' in MariaDB and '1' in PostgreSQL; TRIM(LEADING 'www.' FROM 'www.wood.example') is 'wood.example' and 'ood.example'.
# One would guess that a form of SQL's standard, which neither refuses, removes that text in both. PostgreSQL removes any of its characters, as RTRIM of PostgreSQL and SQLite does; the standard allows one character only.
# 19.00 is 19 in both, and the tests pass: after the move from one database to the other, prices of whole tens and hundreds are a tenth or a hundredth of themselves.
# Version: PostgreSQL 15 and MariaDB 10.11 (Debian's packages postgresql and mariadb-server).
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
[ -n "$bin" ] && command -v mariadbd > /dev/null || { echo "needs Debian's packages postgresql and mariadb-server"; exit 1; }
dir=$(mktemp -d); pid=
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  [ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2> /dev/null || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/pg" "$dir/socket" "$dir/my"; user=$(id -un)
[ "$user" != root ] || { user=mysql; chown postgres "$dir/pg" "$dir/socket"; chown mysql "$dir/my"; }
as "$bin/initdb -D $dir/pg -A trust -U postgres --locale=C --no-sync" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
maria() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1" 2> /dev/null | xargs; }
postgres() { psql -X -q -h "$dir/socket" -U postgres -At -F ' ' -c "$1" 2>&1; }
for _ in $(seq 100); do [ "$(maria "SELECT 1" || true)" != 1 ] || break; sleep 0.2; done
ask="SELECT TRIM(TRAILING '.00' FROM '19.00'), TRIM(TRAILING '.00' FROM '100.00'), TRIM(LEADING 'www.' FROM 'www.wood.example')"
seen="MariaDB: $(maria "$ask")
PostgreSQL: $(postgres "$ask")"
"$bin/postgres" --version; echo "MariaDB $(maria "SELECT version()")"
echo "seen: $seen"
[ "$seen" = "MariaDB: 19 100 wood.example
PostgreSQL: 19 1 ood.example" ]
