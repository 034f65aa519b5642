#!/usr/bin/env bash
# peewee on SQLite: a DateTimeField that was given datetime(…, tzinfo=utc) comes back as the text '2026-01-02 03:04:05+00:00', one that was given a datetime without a zone as a datetime; 2026-01-02T03:04:05Z stays a text too.
# One would guess a datetime for every row, or an error when writing: the field does not know zones. It tries three formats and hands on what fits none. product.updated_at.isoformat() works until the first such product,
# and > compares texts: of one moment, the one with the zone is later.
# Version: peewee 3.14.10 (Debian's package python3-peewee) with SQLite.
set -euo pipefail
/usr/bin/python3 -c 'import peewee' || { echo "needs Debian's package python3-peewee"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/times.py" << 'END'
from datetime import datetime, timezone
import peewee
db = peewee.SqliteDatabase(":memory:")
class Product(peewee.Model):
    slug = peewee.CharField()
    updated_at = peewee.DateTimeField()
    class Meta:
        database = db
db.create_tables([Product])
Product.create(slug="plain", updated_at=datetime(2026, 1, 2, 3, 4, 5))
Product.create(slug="zoned", updated_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc))
for product in Product.select():
    print(product.slug, type(product.updated_at).__name__, product.updated_at)
later = Product.select().where(Product.updated_at > datetime(2026, 1, 2, 3, 4, 5))
print("later:", *(product.slug for product in later))
END
seen="$(/usr/bin/python3 "$dir/times.py")"
echo "peewee $(/usr/bin/python3 -c 'import peewee; print(peewee.__version__)')"
echo "seen: $seen"
[ "$seen" = "plain datetime 2026-01-02 03:04:05
zoned str 2026-01-02 03:04:05+00:00
later: zoned" ]
