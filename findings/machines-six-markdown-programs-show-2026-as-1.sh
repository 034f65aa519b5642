#!/usr/bin/env bash
# "2026. The year of the mug." is a list of one in Markdown, and CommonMark keeps its number (<ol start="2026">). kramdown (Jekyll), Redcarpet, RDiscount, Python-Markdown, markdown2 and Perl's Text::Markdown
# drop it: the reader sees "1. The year of the mug." One would guess the number that is written there, or plain text.
# A description that begins with a year, an article or a model number says another one, differently in each front end of a catalog that hands out Markdown; "2026\." helps in all.
# Version: kramdown 2.4.0, Redcarpet 3.5.1, RDiscount 2.1.8, Python-Markdown 3.4.1, markdown2 2.4.1, Text::Markdown 1.000031, beside cmark 0.30.2 and Parsedown 1.7.4 (Debian's packages ruby-kramdown, ruby-redcarpet, ruby-rdiscount,
# python3-markdown, python3-markdown2, libtext-markdown-perl, cmark and php-parsedown).
set -euo pipefail
ruby -rkramdown -rredcarpet -rrdiscount -e 1 2> /dev/null && /usr/bin/python3 -c 'import markdown, markdown2' 2> /dev/null && perl -MText::Markdown -e 1 2> /dev/null && command -v cmark php > /dev/null && [ -f /usr/share/php/Parsedown/autoload.php ] ||
  { echo "needs Debian's packages ruby-kramdown, ruby-redcarpet, ruby-rdiscount, python3-markdown, python3-markdown2, libtext-markdown-perl, cmark and php-parsedown"; exit 1; }
text='2026. The year of the mug.'
seen=$({
  ruby -rkramdown -rredcarpet -rrdiscount -e 'text = ARGV[0]; puts Kramdown::Document.new(text).to_html, Redcarpet::Markdown.new(Redcarpet::Render::HTML).render(text), RDiscount.new(text).to_html' "$text"
  /usr/bin/python3 -c 'import markdown, markdown2, sys; print(markdown.markdown(sys.argv[1]), markdown2.markdown(sys.argv[1]))' "$text"
  perl -MText::Markdown -e 'print Text::Markdown::markdown($ARGV[0])' "$text"
  echo "$text" | cmark
  php -r 'require "/usr/share/php/Parsedown/autoload.php"; echo (new Parsedown())->text($argv[1]);' "$text"
} | grep -oE '<ol[^>]*>' | tr '\n' ' ')
dpkg-query -W -f '${Package} ${Version}, ' ruby-kramdown ruby-redcarpet ruby-rdiscount python3-markdown python3-markdown2 libtext-markdown-perl cmark php-parsedown; echo
echo "seen: $seen"
[ "$seen" = '<ol> <ol> <ol> <ol> <ol> <ol> <ol start="2026"> <ol start="2026"> ' ]
