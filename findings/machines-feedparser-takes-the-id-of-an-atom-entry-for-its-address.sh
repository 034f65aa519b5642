#!/usr/bin/env bash
# An Atom entry has the id tag:shop.example,2026:post/1 and, as it has content, no link: feedparser's entry.link is the id, and entry.guidislink is true. rss2email writes "URL: tag:shop.example,2026:post/1" below the message.
# One would guess that link is missing, as the key of anything else that an entry lacks: RSS has a guid that is an address unless isPermaLink says otherwise, Atom's id never is one.
# Whoever follows entry.link of a catalog's news asks for an address that no program can open, for just those records that have no page; "link" in entry does not tell, compare it with the id.
# Version: feedparser 6.0.10 (Debian's package python3-feedparser).
set -euo pipefail
/usr/bin/python3 -c 'import feedparser' 2> /dev/null || { echo "needs Debian's package python3-feedparser"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/news.atom" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:shop.example,2026:blog</id><title>News</title><updated>2026-11-22T10:00:00Z</updated><author><name>A shop</name></author>
<entry><id>tag:shop.example,2026:post/1</id><title>One</title><updated>2026-11-22T10:00:00Z</updated><content>Text</content></entry>
<entry><id>tag:shop.example,2026:post/2</id><title>Two</title><link href="https://shop.example/two"/><updated>2026-11-22T10:00:00Z</updated><content>Text</content></entry>
</feed>
XML
cat > "$dir/links.py" <<'PY'
import feedparser, sys
for entry in feedparser.parse(sys.argv[1]).entries: print(entry.title, entry.get("link"), "published" in entry)
PY
seen=$(/usr/bin/python3 "$dir/links.py" "$dir/news.atom" | paste -sd/)
echo "feedparser $(/usr/bin/python3 -c 'import feedparser; print(feedparser.__version__)')"
echo "seen: $seen"
[ "$seen" = "One tag:shop.example,2026:post/1 False/Two https://shop.example/two False" ]
