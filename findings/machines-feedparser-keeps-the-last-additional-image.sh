#!/usr/bin/env bash
# feedparser keeps only the last of repeated elements of a namespace that it does not know: of a product's g:additional_image_link (up to ten in Google's product feed)
# the others are gone, without a word in bozo. It does keep lists of repeated enclosures and categories. One would guess a list, or the first.
# Also an author's address ends inside a new top-level domain: shop@mug.coffee is read as shop@mug.coff, and the rest becomes the name.
# Version: Debian's python3-feedparser 6.0.10.
set -euo pipefail
/usr/bin/python3 -c 'import feedparser' 2> /dev/null || { echo "needs Debian's package python3-feedparser"; exit 1; }
seen=$(/usr/bin/python3 - <<'PY'
import feedparser

item = "<item><title>Mug</title><author>shop@mug.coffee (Ann)</author><category>a</category><category>b</category>%s</item>" % "".join(
    "<g:additional_image_link>https://shop.example/%d.png</g:additional_image_link>" % n for n in (1, 2, 3))
feed = feedparser.parse('<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>%s</channel></rss>' % item)
entry = feed.entries[0]
print(feedparser.__version__, feed.bozo, len(entry.tags), entry.g_additional_image_link, entry.authors)
PY
)
echo "seen: $seen"
[ "$seen" = '6.0.10 False 2 https://shop.example/3.png [{'\''name'\'': '\''ee (Ann'\'', '\''email'\'': '\''shop@mug.coff'\''}]' ]
