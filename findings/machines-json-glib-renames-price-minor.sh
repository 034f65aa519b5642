#!/usr/bin/env bash
# json-glib reads {"price_minor": 2000} into the property price_minor of an object of GNOME's kind and writes the object as {"price-minor": 2000}.
# One would guess that the name comes back as it was read: the property was declared with "_" in Vala, and both spellings are read. GObject calls each property by its name with hyphens.
# What such a program passes on has no field of the names that a catalog API documents, but its own round trip, by which one tests it, is right. Write the names by json_object_set_member, or by serializable_find_property.
# Version: json-glib 1.6.6, Vala 0.56.3 (Debian's packages valac, libjson-glib-dev and gcc).
set -euo pipefail
command -v valac gcc > /dev/null && pkg-config --exists json-glib-1.0 || { echo "needs Debian's packages valac, libjson-glib-dev, gcc and pkg-config"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > product.vala <<'VALA'
class Product : Object {
  public int id { get; set; }
  public int price_minor { get; set; }
}

void main () {
  string text = "{\"id\":12,\"price_minor\":2000}";
  for (int times = 0; times < 2; times++) {
    try {
      var product = (Product) Json.gobject_from_data (typeof (Product), text);
      text = Json.to_string (Json.gobject_serialize (product), false);
      print ("%d as %s / ", product.price_minor, text);
    } catch (Error error) {
      print ("%s / ", error.message);
    }
  }
}
VALA
valac --pkg json-glib-1.0 product.vala 2> /dev/null
seen=$(./product)
echo "json-glib $(pkg-config --modversion json-glib-1.0), $(valac --version)"
echo "seen: $seen"
[ "$seen" = '2000 as {"id":12,"price-minor":2000} / 2000 as {"id":12,"price-minor":2000} / ' ]
