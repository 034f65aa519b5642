#!/usr/bin/env bash
# Pony ORM: select((p.slug, p.brand.name) for p in Product) gives no line for a product without a brand, ordering by p.brand.name drops it from the list, p.brand.name is None finds nothing, and
# p.stock == 5 or p.brand.name == "Acme" does not find it although its stock is 5. One would guess None for the name, as Python would fail and Django joins it (LEFT JOIN); (p.slug, p.brand) does give the product and None.
# Pony writes an inner join wherever a name behind the dot is used: whoever adds the brand's name to an export, or sorts by it, has fewer products and no error.
# Version: Pony 0.7.16 (Debian's package python3-pony) with SQLite.
set -euo pipefail
/usr/bin/python3 -c 'import pony.orm' || { echo "needs Debian's package python3-pony"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/brands.py" << 'END'
from pony.orm import *
db = Database("sqlite", ":memory:")
class Brand(db.Entity):
    name = Required(str)
    products = Set("Product")
class Product(db.Entity):
    slug = Required(str)
    stock = Required(int)
    brand = Optional(Brand)
db.generate_mapping(create_tables=True)
with db_session:
    Product(slug="mug", stock=7, brand=Brand(name="Acme"))
    Product(slug="cup", stock=5)
    flush()
    print("with the brand:", *select((p.slug, p.brand) for p in Product))
    print("with its name:", *select((p.slug, p.brand.name) for p in Product))
    print("by its name:", *(p.slug for p in Product.select().order_by(lambda p: p.brand.name)))
    print("no name:", *select(p.slug for p in Product if p.brand.name is None))
    print("stock 5 or Acme:", *select(p.slug for p in Product if p.stock == 5 or p.brand.name == "Acme"))
END
seen="$(/usr/bin/python3 "$dir/brands.py")"
echo "Pony $(/usr/bin/python3 -c 'import pony; print(pony.__version__)')"
echo "seen: $seen"
[ "$seen" = "with the brand: ('mug', Brand[1]) ('cup', None)
with its name: ('mug', 'Acme')
by its name: mug
no name:
stock 5 or Acme: mug" ]
