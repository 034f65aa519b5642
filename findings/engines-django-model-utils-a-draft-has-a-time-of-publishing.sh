#!/usr/bin/env bash
# Django's model-utils has MonitorField(monitor="status", when=["published"]), by its pages the time at which the status became "published". A product that is created as a draft has one at once: the time of its creation.
# And save(update_fields=["status"]), which publishes it, leaves that time: the product is published as of the day it was drafted. save() without a list of fields writes the real moment.
# One would guess no time until the product is published, and that the field is saved with the one it watches, as TimeStampedModel of the same package adds its own column "modified" to any list of fields.
# A catalog with published_at <= now has all drafts; and what was published today is old: no feed, no "new since", no page of newest products shows it. Ask the status, too; make the column null=True with default=None,
# and name it in update_fields.
# Version: Debian's python3-django-model-utils 4.2.0 and python3-django 3.2, Python 3.11.
set -euo pipefail
for package in python3-django python3-django-model-utils; do dpkg-query -W "$package" > /dev/null 2>&1 || { echo "needs Debian's package $package"; exit 2; }; done
echo "model-utils $(dpkg-query -W -f '${Version}' python3-django-model-utils), Django $(dpkg-query -W -f '${Version}' python3-django)"
/usr/bin/python3 - <<'PY'
import sys
from datetime import timedelta
import django
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.db import connection, models
from django.utils import timezone
from model_utils.fields import MonitorField
from model_utils.models import TimeStampedModel


class Product(TimeStampedModel):
    title = models.CharField(max_length=50)
    status = models.CharField(max_length=20, default="draft")
    published_at = MonitorField(monitor="status", when=["published"])

    class Meta:
        app_label = "shop"


with connection.schema_editor() as editor:
    editor.create_model(Product)
seen = {}
for way, fields in [("update_fields=['status']", ["status"]), ("no update_fields", None)]:
    Product.objects.create(title=way)
    draft = Product.objects.get(title=way)
    public = Product.objects.filter(title=way, published_at__lte=timezone.now()).count()
    day = timezone.now() - timedelta(days=90)
    Product.objects.filter(title=way).update(created=day, modified=day, published_at=day)
    product = Product.objects.get(title=way)
    product.status = "published"
    product.save(update_fields=fields)
    product = Product.objects.get(title=way)
    days = lambda value: (timezone.now() - value).days
    seen[way] = (draft.published_at is None, public, product.status, days(product.modified), days(product.published_at))
    print(f"{way}: the draft has {'no time' if draft.published_at is None else 'a time of publishing'}, found by published_at <= now: {public};",
          f"90 days later {product.status}, modified {days(product.modified)} days ago, published {days(product.published_at)} days ago")
sys.exit(0 if list(seen.values()) == [(False, 1, "published", 0, 90), (False, 1, "published", 0, 0)] else 1)
PY
