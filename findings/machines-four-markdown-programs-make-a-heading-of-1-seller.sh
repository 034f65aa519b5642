#!/usr/bin/env bash
# "#1 seller of 2026" at the beginning of a description is the heading "1 seller of 2026" for Parsedown, Redcarpet, kramdown and Python-Markdown: the sign is gone and the words are as big as the page's title.
# One would guess that a heading needs a blank after its sign, as CommonMark has had it since 2014 and cmark and markdown-it do. In "The best mug, newline, #2 in size" three of them end the paragraph; kramdown does not.
# A catalog that renders Markdown in Node shows "#1 seller", and the shop in PHP or Ruby shows a second title; so a number such as "#5 screws" at the beginning of a line.
# Version: Parsedown 1.7.4, Redcarpet 3.5.1, kramdown 2.4.0 and Python-Markdown 3.4.1, beside cmark 0.30.2 (Debian's packages php-parsedown, ruby-redcarpet, ruby-kramdown, python3-markdown and cmark).
set -euo pipefail
command -v cmark php ruby > /dev/null && [ -f /usr/share/php/Parsedown/autoload.php ] && /usr/bin/python3 -c 'import markdown' 2> /dev/null && ruby -e 'require "redcarpet"; require "kramdown"' 2> /dev/null ||
  { echo "needs Debian's packages php-parsedown, ruby-redcarpet, ruby-kramdown, python3-markdown and cmark"; exit 1; }
php -r 'require "/usr/share/php/Parsedown/autoload.php"; echo "Parsedown ", Parsedown::version;'
ruby -e 'require "redcarpet"; require "kramdown"; print ", Redcarpet ", Redcarpet::VERSION, ", kramdown ", Kramdown::VERSION'
/usr/bin/python3 -c 'import markdown; print(", Python-Markdown", markdown.__version__)'
render() {
  php -r 'require "/usr/share/php/Parsedown/autoload.php"; echo (new Parsedown())->text($argv[1]), "\n";' "$1"
  ruby -e 'require "redcarpet"; puts Redcarpet::Markdown.new(Redcarpet::Render::HTML).render(ARGV[0])' "$1"
  ruby -e 'require "kramdown"; puts Kramdown::Document.new(ARGV[0], auto_ids: false).to_html' "$1"
  /usr/bin/python3 -c 'import markdown, sys; print(markdown.markdown(sys.argv[1]))' "$1"
  cmark <<< "$1"
}
first="$(render '#1 seller of 2026' | grep -v '^$')"
second="$(render $'The best mug\n#2 in size' | grep -c '^<h1>2 in size</h1>$')"
echo "seen: $first"
echo "seen: $second of 4 end a paragraph"
heading='<h1>1 seller of 2026</h1>'
[ "$first" = "$(printf '%s\n%s\n%s\n%s\n%s' "$heading" "$heading" "$heading" "$heading" '<p>#1 seller of 2026</p>')" ] && [ "$second" = 3 ]
