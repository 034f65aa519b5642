#!/usr/bin/env bash
# Oj.load of Ruby's Oj reads the JSON text ":-) mug" as a Symbol without its colon, since its default mode is "object", and a key ":sku" too: title == ":-) mug" is false, title.upcase
# gives no text, and written by any other library (JSON.generate) it is "-) mug". One would guess that load reads JSON; it does with mode: :compat, :strict or :rails.
# Of a catalog's thousand titles the one that begins with a colon is another kind of value, and loses a letter on its way on.
# Version: Oj 3.14.2 with Ruby 3.1 (Debian's packages ruby and ruby-oj).
set -euo pipefail
command -v ruby > /dev/null && ruby -roj -e 1 2> /dev/null || { echo "needs Debian's packages ruby and ruby-oj"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RB'
require "oj"
require "json"

text = '[{"title":":-) mug"},{"title":"mug"}]'
puts Oj.load(text).map { |product| product["title"].class }.join(" ")
puts JSON.generate(Oj.load(text)), JSON.generate(Oj.load(text, mode: :compat))
RB
seen=$(ruby "$dir/run.rb" | tr '\n' ' ')
ruby -roj -e 'puts "Oj #{Oj::VERSION}, Ruby #{RUBY_VERSION}"'
echo "seen: $seen"
[ "$seen" = 'Symbol String [{"title":"-) mug"},{"title":"mug"}] [{"title":":-) mug"},{"title":"mug"}] ' ]
