#!/usr/bin/env bash
# elfeed, the feed reader of Emacs, takes an Atom title as it is, whatever its type: <title type="html">Mug &amp;amp; bowl</title> becomes "Mug &amp; bowl", with type="text" the same product is "Mug & bowl". RFC 4287 3.1.1.2 says that the text of type html is HTML, escaped once more;
# the same program does look at the type of content. One would guess that it looks at it in titles.
# WordPress, and with it many shops, write every title as html: in this reader each product with an ampersand, a quotation mark or an inch sign shows the entity. A feed of products is safer with titles of type text.
# Version: elfeed 3.4.1, Emacs 28.2 (Debian's packages elpa-elfeed and emacs-nox).
set -euo pipefail
command -v emacs > /dev/null && dpkg-query -W elpa-elfeed > /dev/null 2>&1 || { echo "needs Debian's packages emacs-nox elpa-elfeed"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/feed.atom" <<'XML'
<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Shop</title><id>tag:shop.example,2026:feed</id><updated>2026-11-29T14:00:00Z</updated>
<entry><title type="html">Mug &amp;amp; bowl</title><link href="https://shop.example/1"/><id>tag:shop.example,2026:1</id><updated>2026-11-29T14:00:00Z</updated></entry>
<entry><title type="text">Mug &amp; bowl</title><link href="https://shop.example/2"/><id>tag:shop.example,2026:2</id><updated>2026-11-29T14:00:00Z</updated></entry>
</feed>
XML
elisp='(with-temp-buffer (insert-file-contents (getenv "FEED")) (dolist (entry (elfeed-entries-from-atom "https://shop.example/feed" (elfeed-xml-parse-region (point-min) (point-max)))) (princ (elfeed-entry-title entry)) (terpri)))'
seen=$(HOME=$dir FEED=$dir/feed.atom emacs --batch --eval '(package-initialize)' --eval "(require 'elfeed)" --eval "$elisp" 2> "$dir/log")
dpkg-query -W -f '${Package} ${Version}\n' elpa-elfeed emacs-nox
echo "seen: $seen"
[ "$seen" = 'Mug &amp; bowl
Mug & bowl' ]
