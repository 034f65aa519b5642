#!/usr/bin/env bash
# Tryton, a shop and book-keeping system, writes each price into SQLite as bytes: in the column list_price NUMERIC stand the blobs 19.90, 0 and 12345678.9. The shell shows them as if they were numbers.
# One would guess numbers, which a column declared NUMERIC makes of texts; SQLite leaves bytes as they are, and to it bytes are greater than each number and each text. So list_price < 20 finds no product,
# list_price > 1000000 finds all, also the free one, list_price = 0 none, the largest price by MAX() is the text that is last by letters, and JSON functions refuse the column.
# SUM() and arithmetic are right, which hides it. SQL that reads such a store for a catalog: CAST(list_price AS TEXT) for the value, + 0 in each comparison and order. (Tryton's own adapter writes every
# Decimal so; PostgreSQL has real numbers.)
# Version: Debian's tryton-server and tryton-modules-product 6.0, with Debian's Python 3.11 and SQLite 3.40.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
[ -d /usr/lib/python3/dist-packages/trytond/modules/product ] || { echo "needs Debian's packages tryton-server, tryton-modules-product and tryton-proteus"; exit 2; }
mkdir "$dir/db"; touch "$dir/db/shop.sqlite"; cd "$dir"
printf '[database]\nuri = sqlite://\npath = %s\n' "$dir/db" > trytond.conf
printf invented > password
python=/usr/bin/python3
TRYTONPASSFILE=$dir/password $python /usr/bin/trytond-admin -c trytond.conf -d shop --all --email ada@shop.example > log 2>&1 || { tail log; exit 2; }
$python /usr/bin/trytond-admin -c trytond.conf -d shop -u product --activate-dependencies > log 2>&1 || { tail log; exit 2; }
cat > run.py <<'PY'
import sqlite3
from decimal import Decimal
from proteus import Model, config
import trytond
client = config.set_trytond("shop", config_file="trytond.conf")
get = Model.get
euro = get("currency.currency")(name="Euro", code="EUR", symbol="E", rounding=Decimal("0.01")); euro.save()
party = get("party.party")(name="Shop"); party.save()
company = get("company.company")(party=party, currency=euro); company.save()
user = get("res.user")(1); user.companies.append(company); user.company = company; user.save()
client._context = get("res.user").get_preferences(True, client.context)
unit, = get("product.uom").find([("name", "=", "Unit")])
for name, price in [("Kit", "19.90"), ("Free", "0"), ("Large", "12345678.9"), ("Set", "5")]:
    get("product.template")(name=name, list_price=Decimal(price), default_uom=unit).save()
store = sqlite3.connect("db/shop.sqlite")
ask = lambda sql: store.execute(sql).fetchall()
print("trytond", trytond.__version__, "sqlite", sqlite3.sqlite_version)
print("declared:", [row[2] for row in ask("PRAGMA table_info(product_list_price)") if row[1] == "list_price"], "held:", ask("SELECT DISTINCT typeof(list_price) FROM product_list_price"))
names = lambda condition: sorted(row[0] for row in ask(f"SELECT t.name FROM product_list_price AS l JOIN product_template AS t ON t.id = l.template WHERE {condition}"))
seen = [names(condition) for condition in ("l.list_price < 20", "l.list_price > 1000000", "l.list_price = 0", "l.list_price + 0 < 20")]
largest = ask("SELECT MAX(list_price), SUM(list_price) FROM product_list_price")[0]
print("below 20:", seen[0], "above 1000000:", seen[1], "for 0:", seen[2], "below 20 with + 0:", seen[3], "MAX and SUM:", largest)
holds = (ask("SELECT DISTINCT typeof(list_price) FROM product_list_price") == [("blob",)] and seen == [[], ["Free", "Kit", "Large", "Set"], [], ["Free", "Kit", "Set"]]
         and largest[0] == b"5" and abs(largest[1] - 12345703.8) < 0.001)
raise SystemExit(0 if holds else 1)
PY
$python run.py 2> log || { tail log; exit 1; }
