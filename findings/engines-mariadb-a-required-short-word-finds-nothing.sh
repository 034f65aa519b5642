#!/usr/bin/env bash
# In MariaDB's boolean full-text search over InnoDB, +ui +themes finds nothing, although "UI themes" is there: ui is shorter than innodb_ft_min_token_size (3)
# and never in the index, but still required; the same holds for stop words (+what, +com). MyISAM leaves such a word out of the query and finds the title.
# One would guess that InnoDB drops from the query what it drops from the index. "All words" searches of a shop fail for UI, 3D and PS titles.
# Version: MariaDB 10.11 (Debian's package mariadb-server).
set -euo pipefail
command -v mariadbd > /dev/null || { echo "needs Debian's package mariadb-server"; exit 1; }
dir=$(mktemp -d); chmod 755 "$dir"; pid=; trap '[ -z "$pid" ] || { kill "$pid" 2> /dev/null; wait "$pid" 2> /dev/null; } || true; rm -rf "$dir"' EXIT
mkdir "$dir/my"; user=$(id -un); [ "$user" != root ] || { user=mysql; chown mysql "$dir/my"; }
mariadb-install-db --no-defaults --user="$user" --datadir="$dir/my/data" --auth-root-authentication-method=normal > /dev/null 2>&1
mariadbd --no-defaults --user="$user" --datadir="$dir/my/data" --socket="$dir/my/socket" --skip-networking --pid-file="$dir/my/pid" > "$dir/log" 2>&1 & pid=$!
sql() { mariadb --no-defaults -S "$dir/my/socket" -uroot -N -e "$1"; }
for _ in $(seq 100); do sql "SELECT 1" > /dev/null 2>&1 && break; sleep 0.2; done
for engine in InnoDB MyISAM; do sql "CREATE DATABASE $engine; CREATE TABLE $engine.products (title VARCHAR(99), FULLTEXT (title)) ENGINE=$engine; INSERT INTO $engine.products VALUES ('UI themes'), ('What arrives'), ('Fonts'), ('Icons'), ('Brushes')"; done
seen=$(for engine in InnoDB MyISAM; do for query in '+ui +themes' '+themes' '+what +arrives'; do echo "$engine $query: $(sql "SELECT COUNT(*) FROM $engine.products WHERE MATCH (title) AGAINST ('$query' IN BOOLEAN MODE)")"; done; done)
echo "MariaDB $(sql 'SELECT version()')"
echo "seen: $seen"
[ "$seen" = 'InnoDB +ui +themes: 0
InnoDB +themes: 1
InnoDB +what +arrives: 0
MyISAM +ui +themes: 1
MyISAM +themes: 1
MyISAM +what +arrives: 1' ]
