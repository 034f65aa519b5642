#!/usr/bin/env bash
# A column price DECIMAL(8,2) of SQLite keeps 5.00 as the integer 5 and 19.90 as a real, so price * 85 / 100, fifteen per cent off, is 4 for the first and 16.915 for the second: SQLite cuts the quotient of two integers.
# A good engineer knows that 5 / 2 is 2 and guesses that a decimal column is not concerned, as in PostgreSQL and MariaDB, or that all rows are; only whole prices are wrong, and no price of a test that ends in .90 shows it.
# ORMs write the same SQL: Django's F("price") * 85 / 100 on its DecimalField gives 4, 16.915 and 42.
# Version: SQLite 3.40.1 (Debian's package sqlite3) and Django 3.2 (python3-django).
set -euo pipefail
/usr/bin/python3 -c 'import django' && command -v sqlite3 > /dev/null || { echo "needs Debian's packages sqlite3 and python3-django"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/sale.sql" << 'END'
CREATE TABLE product (slug TEXT, price DECIMAL(8,2));
INSERT INTO product VALUES ('mug', 5.00), ('jug', 19.90), ('set', '50.00');
SELECT slug, typeof(price), price * 85 / 100 FROM product;
END
cat > "$dir/sale.py" << 'END'
from decimal import Decimal
import django
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.db import connection, models
class Product(models.Model):
    price = models.DecimalField(max_digits=8, decimal_places=2)
    class Meta:
        app_label = "shop"
with connection.schema_editor() as editor:
    editor.create_model(Product)
for price in ("5.00", "19.90", "50.00"):
    Product.objects.create(price=Decimal(price))
sale = Product.objects.annotate(sale=models.F("price") * 85 / 100).values_list("sale", flat=True)
print("Django:", *(float(price) for price in sale))
END
seen="$(sqlite3 :memory: < "$dir/sale.sql"; /usr/bin/python3 "$dir/sale.py")"
echo "SQLite $(sqlite3 --version | cut -d' ' -f1), Django $(/usr/bin/python3 -m django --version)"
echo "seen: $seen"
[ "$seen" = "mug|integer|4
jug|real|16.915
set|integer|42
Django: 4.0 16.915 42.0" ]
