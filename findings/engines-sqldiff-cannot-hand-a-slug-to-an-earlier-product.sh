#!/usr/bin/env bash
# SQLite's sqldiff writes the SQL that makes one database of another. If product 2 got a new slug and product 1 took its old one (UNIQUE), that SQL fails: it goes by id, so that product 1 is given a slug that product 2 still has. The sqlite3
# shell goes on, and the copy has neither: product 2 is renamed, product 1 is not, and of two that exchanged their slugs both keep them, with all else that their statements change (a price); with --transaction and -bail nothing is changed.
# A column that was added comes without its type and its default, too, so that a row that is added later differs. One would guess that a difference of two valid databases can be applied.
# A copy that is kept by differences is stuck, or is another shop than the one it copies, from the first reused slug on.
# Version: sqldiff and sqlite3 3.40.1 (Debian's packages sqlite3-tools and sqlite3).
set -euo pipefail
command -v sqldiff sqlite3 > /dev/null || { echo "needs Debian's packages sqlite3-tools and sqlite3"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
sqlite3 old.db "CREATE TABLE product (id INTEGER PRIMARY KEY, slug TEXT UNIQUE, price NUMERIC); INSERT INTO product VALUES (1, 'mug', 10), (2, 'cup', 20), (3, 'pan', 30), (4, 'pot', 40)"
cp old.db new.db
sqlite3 new.db "UPDATE product SET slug = 'tea-cup' WHERE id = 2; UPDATE product SET slug = 'cup', price = 11 WHERE id = 1;
UPDATE product SET slug = 'x' WHERE id = 3; UPDATE product SET slug = 'pan', price = 41 WHERE id = 4; UPDATE product SET slug = 'pot' WHERE id = 3;
ALTER TABLE product ADD COLUMN stock INTEGER DEFAULT 5"
sqldiff --table product old.db new.db > all.sql
apply() {
  local code=0
  cp old.db copy.db
  sqldiff "$@" old.db new.db | sqlite3 "${bail[@]}" copy.db > log 2>&1 || code=$?
  echo "exit $code, $(grep -c UNIQUE log) refused: $(sqlite3 copy.db 'SELECT group_concat(slug || " " || price, ", ") FROM (SELECT * FROM product ORDER BY id)')"
}
bail=(-batch); seen="$(apply)"
bail=(-batch -bail); seen="$seen
$(apply --transaction)
$(grep '^ALTER' all.sql)"
sqlite3 --version | cut -d' ' -f1
echo "seen: $seen"
[ "$seen" = "exit 1, 3 refused: mug 10, tea-cup 20, pan 30, pot 40
exit 1, 1 refused: mug 10, cup 20, pan 30, pot 40
ALTER TABLE product ADD COLUMN stock;" ]
