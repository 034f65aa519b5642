#!/usr/bin/env bash
# staticsite publishes a page that says "draft: true", in Markdown and in reStructuredText, also without --draft: only a date in the future holds a page back. Its own page of fields says of draft "the page is still a draft
# and will not appear in the destination site", and the field is read, but nobody asks it. One would guess that the word does what the date does, as in Hugo, Jekyll and Eleventy.
# A product that was written for the launch next week, with "draft: true" and no date yet, is on the site after the next build.
# What to do: give a draft a date in the far future, or keep it in a folder outside of the content.
# Version: staticsite 2.3 (Debian's package).
set -euo pipefail
command -v ssite > /dev/null || { echo "needs Debian's package staticsite"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir -p content/products
printf 'SITE_NAME = "Shop"\nSITE_URL = "https://shop.example"\nSITE_AUTHOR = "Shop"\nCONTENT = "content"\nOUTPUT = "web"\n' > settings.py
printf -- '---\ndate: 2026-01-02 10:00:00\n---\n\n# Mug\n' > content/products/mug.md
printf -- '---\ndraft: true\ndate: 2026-01-02 10:00:00\n---\n\n# Secret cup\n' > content/products/cup.md
printf -- ':draft: true\n:date: 2026-01-02 10:00:00\n\nSecret jar\n==========\n\nA jar.\n' > content/products/jar.rst
printf -- '---\ndate: 2099-01-02 10:00:00\n---\n\n# Later bowl\n' > content/products/bowl.md
ssite build . > log.txt 2>&1 || { cat log.txt; exit 2; }
seen="$(cd web/products && for page in bowl cup jar mug; do echo "$page $(test -f "$page/index.html" && echo public || echo left out)"; done)
in the list: $(grep -o 'Secret [a-z]*' web/products/index.html | sort -u | paste -sd, -)"
echo "staticsite $(dpkg-query --show --showformat '${Version}' staticsite)"
echo "seen: $seen"
[ "$seen" = 'bowl left out
cup public
jar public
mug public
in the list: Secret cup,Secret jar' ]
