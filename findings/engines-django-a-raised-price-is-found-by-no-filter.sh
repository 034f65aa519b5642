#!/usr/bin/env bash
# Django on SQLite: update(price=F("price") * Decimal("1.1")) of a DecimalField with two decimals stores 21.989 for 19.99. Reading it gives Decimal("21.99"), and filter(price=Decimal("21.99")) finds nothing.
# One would guess that the two decimals hold in the table too: create(price=Decimal("21.989")) stores 21.99, and PostgreSQL rounds either way. But only the value that Python gives or gets is rounded, not what SQL reckons.
# Whoever reads the shop's table by SQL has a third decimal that no page of the shop shows; sorting, max_price=21.98 and a filter on the price that the page says go by it.
# Version: Django 3.2 (Debian's package python3-django) with SQLite 3.40.
set -euo pipefail
/usr/bin/python3 -c 'import django' || { echo "needs Debian's package python3-django"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/prices.py" << 'END'
from decimal import Decimal
import django
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.db import connection, models
class Product(models.Model):
    slug = models.CharField(max_length=9)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    class Meta:
        app_label = "shop"
with connection.schema_editor() as editor:
    editor.create_model(Product)
Product.objects.create(slug="created", price=Decimal("21.989"))
Product.objects.create(slug="raised", price=Decimal("19.99"))
Product.objects.filter(slug="raised").update(price=models.F("price") * Decimal("1.1"))
print("shown:", *Product.objects.values_list("slug", "price"))
cursor = connection.cursor().execute("SELECT slug, round(price, 4) FROM shop_product")
print("stored:", *cursor.fetchall())
print("filter(price=21.99):", *Product.objects.filter(price=Decimal("21.99")).values_list("slug", flat=True))
END
seen="$(/usr/bin/python3 "$dir/prices.py")"
echo "Django $(/usr/bin/python3 -m django --version)"
echo "seen: $seen"
[ "$seen" = "shown: ('created', Decimal('21.99')) ('raised', Decimal('21.99'))
stored: ('created', 21.99) ('raised', 21.989)
filter(price=21.99): created" ]
