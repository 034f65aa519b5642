#!/usr/bin/env bash
# A decimal of the database is a BigDecimal in Ruby, and to JSON, CSV and Jbuilder 19.90 is written as 0.199e2: as a text in JSON, as a bare number in CSV. One would guess 19.9
# or "19.90". A catalog that is made so is read as 0.199 by readers that take the digits in front of a letter; only the whole of ActiveSupport's JSON
# (active_support/json, in Rails) makes "19.9" of it.
# Version: Ruby 3.1 with Debian's ruby-jbuilder 2.10.0.
set -euo pipefail
ruby -e 'require "jbuilder"' 2> /dev/null || { echo "needs Debian's packages ruby and ruby-jbuilder"; exit 1; }
seen=$(ruby -e '
require "bigdecimal"; require "json"; require "csv"
price = BigDecimal("19.90")
puts JSON.generate(price: price), CSV.generate_line([price])
require "jbuilder"
puts Jbuilder.encode { |json| json.price price }
require "active_support/json"
puts({ price: price }.to_json)')
echo "$(ruby -v | cut -d' ' -f1,2), jbuilder $(dpkg-query -W -f '${Version}' ruby-jbuilder)"
echo "seen: $seen"
[ "$seen" = '{"price":"0.199e2"}
0.199e2
{"price":"0.199e2"}
{"price":"19.9"}' ]
