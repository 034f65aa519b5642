#!/usr/bin/env bash
# django_filters.FilterSet reads ?featured=1 and ?featured=0 as no filter at all and gives the whole list; ?featured=2 is true and ?featured=3 is false. Its twin for Django REST
# framework, django_filters.rest_framework.FilterSet, reads 1 and 0 as true and false, and 2, 3 and "yes" as no filter. One would guess one reading in one package, and that a value which is
# none is refused, as price=abc is. REST views take both classes.
# ?in_stock=1 lists what is sold out, ?adult=0 what is for adults, with a good status and a count that agrees.
# Version: django-filter 23.1 with Django 3.2.25 (Debian's packages python3-django-filters, python3-djangorestframework and python3-django).
set -euo pipefail
/usr/bin/python3 -c 'import django_filters.rest_framework' 2> /dev/null || { echo "needs Debian's packages python3-django-filters and python3-djangorestframework"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir shop; touch shop/__init__.py
cat > shop/models.py <<'PY'
from django.db import models


class Product(models.Model):
    title = models.TextField()
    price = models.DecimalField(max_digits=10, decimal_places=2)
    featured = models.BooleanField()
PY
cat > run.py <<'PY'
import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["rest_framework", "django_filters", "shop"], DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)
django.setup()
import django_filters
import django_filters.rest_framework as rest
from django.db import connection
from django.http import QueryDict
from shop.models import Product

with connection.schema_editor() as editor:
    editor.create_model(Product)
for title, featured in (("a", True), ("b", False), ("c", False)):
    Product.objects.create(title=title, price=5, featured=featured)


class Fields:
    model = Product
    fields = ["featured", "price"]


plain = type("Plain", (django_filters.FilterSet,), {"Meta": Fields})
ofRest = type("OfRest", (rest.FilterSet,), {"Meta": Fields})
for query in ("featured=true", "featured=false", "featured=1", "featured=0", "featured=yes", "featured=2", "featured=3", "price=abc"):
    answers = []
    for each in (plain, ofRest):
        asked = each(QueryDict(query), queryset=Product.objects.order_by("title"))
        answers.append(",".join(row.title for row in asked.qs) if asked.is_valid() else "refused")
    print(query, *answers)
print("version", django_filters.__version__, django.__version__)
PY
seen=$(/usr/bin/python3 run.py)
echo "seen: $seen"
[ "$(grep -v '^version' <<< "$seen")" = 'featured=true a a
featured=false b,c b,c
featured=1 a,b,c a
featured=0 a,b,c b,c
featured=yes a,b,c a,b,c
featured=2 a a,b,c
featured=3 b,c a,b,c
price=abc refused refused' ]
