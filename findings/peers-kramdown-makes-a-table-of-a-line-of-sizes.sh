#!/usr/bin/env bash
# kramdown, Jekyll's Markdown, makes a table of any line with a vertical bar: "Sizes: S | M | L" is a row of three cells, without a rule of dashes below it, which GitHub's tables need, and which Jekyll's users
# see on GitHub. One would guess text, as Redcarpet and Python-Markdown give, and at least from input: GFM, Jekyll's own setting, what GitHub does.
# Titles with a bar ("Mug | Blue") and lists of sizes become tables, and the page's text and its first paragraph, from which feeds and excerpts are made, is no paragraph.
# Version: kramdown 2.4.0 with Ruby 3.1 and kramdown-parser-gfm 1.1.0 (Debian's packages ruby-kramdown and ruby-kramdown-parser-gfm).
set -euo pipefail
command -v ruby > /dev/null && ruby -rkramdown -rkramdown-parser-gfm -e 1 2> /dev/null || { echo "needs Debian's packages ruby-kramdown and ruby-kramdown-parser-gfm"; exit 1; }
seen=$(ruby -rkramdown -rkramdown-parser-gfm -e '%w[kramdown GFM].each { |input| puts Kramdown::Document.new("Sizes: S | M | L", input: input).to_html }' | tr -d ' \n')
ruby -rkramdown -e 'puts "kramdown #{Kramdown::VERSION}, Ruby #{RUBY_VERSION}"'
echo "seen: $seen"
table='<table><tbody><tr><td>Sizes:S</td><td>M</td><td>L</td></tr></tbody></table>'
[ "$seen" = "$table$table" ]
