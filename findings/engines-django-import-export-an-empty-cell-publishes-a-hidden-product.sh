#!/usr/bin/env bash
# django-import-export: a table with an empty cell puts a product that exists back to the default of its model's field. Active False, stock 0 and the title Mug become active True, stock 1 and the title of the default, and a price without a
# default becomes NULL. A table without these columns leaves the product as it was. One would guess that an empty cell is no value, as a missing column is, or an error, which it would be for a number; a default is for rows that are made.
# (A resource takes the model's default for each empty cell, also of an update.) And a cell "yes", "on" or "x" in a column of True and False is False without an error.
# The table of a supplier or of a spreadsheet, in which only the changed cells are filled, makes withdrawn products public and in stock: leave columns out, or set skip_row, and look at the dry run.
# Version: Debian's python3-django-import-export 3.0.2, python3-django 3.2, Python 3.11.
set -euo pipefail
for package in python3-django python3-django-import-export; do dpkg-query -W "$package" > /dev/null 2>&1 || { echo "needs Debian's package $package"; exit 2; }; done
echo "import-export $(dpkg-query -W -f '${Version}' python3-django-import-export), Django $(dpkg-query -W -f '${Version}' python3-django)"
/usr/bin/python3 - <<'PY'
import sys
import django
import tablib
from django.conf import settings
settings.configure(INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "import_export"], DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField", USE_TZ=True)
django.setup()
from django.db import connection, models
from import_export import resources


class Product(models.Model):
    title = models.CharField(max_length=50, default="Untitled")
    price = models.DecimalField(max_digits=10, decimal_places=2, null=True)
    stock = models.IntegerField(default=1)
    active = models.BooleanField(default=True)

    class Meta:
        app_label = "import_export"


class ProductResource(resources.ModelResource):
    class Meta:
        model = Product


with connection.schema_editor() as editor:
    editor.create_model(Product)
tables = {
    "a title only": (["id", "title"], ["1", "Mug 2"]),
    "empty cells": (["id", "title", "price", "stock", "active"], ["1", "", "", "", ""]),
    "active: yes": (["id", "active"], ["1", "yes"]),
    "active: TRUE": (["id", "active"], ["1", "TRUE"]),
}
seen = []
for name, (headers, row) in tables.items():
    Product.objects.all().delete()
    Product.objects.create(id=1, title="Mug", price="19.90", stock=0, active=False)
    result = ProductResource().import_data(tablib.Dataset(row, headers=headers), dry_run=False)
    product = Product.objects.get(id=1)
    seen.append((result.has_errors(), result.has_validation_errors(), product.title, str(product.price), product.stock, product.active))
    print(f"{name}: errors {seen[-1][0] or seen[-1][1]}; title {product.title}, price {product.price}, stock {product.stock}, active {product.active}")
fine = (False, False)
expected = [fine + ("Mug 2", "19.90", 0, False), fine + ("Untitled", "None", 1, True), fine + ("Mug", "19.90", 0, False), fine + ("Mug", "19.90", 0, True)]
sys.exit(0 if seen == expected else 1)
PY
