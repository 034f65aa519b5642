#!/usr/bin/env bash
# Tryton: a product is called Large in English and Gross in German. Once the English name is corrected to Large 2, German users see Large 2, too, and a search for Gross in German finds nothing. The German name is still in ir_translation,
# with fuzzy = 1, until somebody saves it again. A change of a field without translations, such as the price, leaves it. One would guess that German keeps its name, as in other shops, in which a language falls back only where it has no text.
# (It is meant for the texts of the program, whose translations are checked before a release.) SQL that joins ir_translation by language alone shows a name that the shop does not show; SQL with NOT fuzzy changes language with a corrected
# typing error, and a slug made of the name changes with it: choose one, and make slugs of the code or the first language.
# Version: Debian's tryton-server and tryton-modules-product 6.0, with Debian's Python 3.11.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for package in tryton-server tryton-modules-product tryton-proteus; do dpkg-query -W "$package" > /dev/null 2>&1 || { echo "needs Debian's package $package"; exit 2; }; done
mkdir "$dir/db"; touch "$dir/db/shop.sqlite"; cd "$dir"
printf '[database]\nuri = sqlite://\npath = %s\n' "$dir/db" > trytond.conf
printf invented > password
python=/usr/bin/python3
TRYTONPASSFILE=$dir/password $python /usr/bin/trytond-admin -c trytond.conf -d shop --all --email ada@shop.example -l de > log 2>&1 || { tail log; exit 2; }
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
Product = get("product.template")
product = Product(name="Large", list_price=Decimal("5"), default_uom=unit); product.save()
identity = product.id


def change(language, **values):
    with client.set_context(language=language):
        product = Product(identity)
        for name, value in values.items():
            setattr(product, name, value)
        product.save()


seen = []


def look(what):
    with client.set_context(language="de"):
        shown, found = Product(identity).name, len(Product.find([("name", "=", "Gross")]))
    store = sqlite3.connect("db/shop.sqlite")
    rows = store.execute("SELECT value, fuzzy FROM ir_translation WHERE name = 'product.template,name' AND lang = 'de' AND res_id = ?", (identity,)).fetchall()
    seen.append((shown, found, rows))
    print(f"{what}: German shows {shown}, a search for Gross finds {found}, in the table {rows}")


print("trytond", trytond.__version__)
change("de", name="Gross"); look("translated")
change("en", list_price=Decimal("6")); look("another price")
change("en", name="Large 2"); look("a corrected English name")
change("de", name="Gross"); look("saved again in German")
kept = ("Gross", 1, [("Gross", 0)])
raise SystemExit(0 if seen == [kept, kept, ("Large 2", 0, [("Gross", 1)]), kept] else 1)
PY
$python run.py 2> log || { tail log; exit 1; }
