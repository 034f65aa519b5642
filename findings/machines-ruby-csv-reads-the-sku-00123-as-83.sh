#!/usr/bin/env bash
# Ruby's CSV with converters: :numeric (and so :all) reads a number as Ruby source does: 00123 is octal and gives 83, 0x1F gives 31, 1_000 gives 1000, and 00189, which
# is no octal number, gives 189.0 as a float. One would guess 123, or that it stays a text because of its zeros. Article numbers of one column of a catalog table become other numbers,
# and two may become one.
# Version: Ruby 3.1, csv 3.2.2 (Debian's package ruby).
set -euo pipefail
command -v ruby > /dev/null || { echo "needs Debian's package ruby"; exit 1; }
seen=$(ruby -rcsv -e 'puts CSV.parse("00123\n83\n0x1F\n1_000\n00189\n", converters: :numeric).flatten.map(&:inspect).join(" ")')
echo "$(ruby -rcsv -e 'puts "ruby #{RUBY_VERSION}, csv #{CSV::VERSION}"')"
echo "seen: $seen"
[ "$seen" = '83 83 31 1000 189.0' ]
