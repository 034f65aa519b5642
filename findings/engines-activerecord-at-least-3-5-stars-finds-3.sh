#!/usr/bin/env bash
# ActiveRecord cuts the number of a condition to the column's type before it asks: where(stars: 3.5..) of an integer column finds the products of three stars, where(price_minor: ...1990.5) leaves out the one of 1990,
# and where(stars: 3.7) finds three. One would guess what the database says to the same numbers, or Django, which rounds each bound the right way: stars__gte=3.5 finds 4 and 5, price_minor__lt=1990.5 finds 1990.
# An average or a reckoned price as a filter's bound gives other products than the same question in SQL, one too many at the one end and one too few at the other.
# Version: ActiveRecord 6.1.7 with SQLite (Debian's packages ruby-activerecord and ruby-sqlite3).
set -euo pipefail
ruby -e 'require "active_record"; require "sqlite3"' 2> /dev/null || { echo "needs Debian's packages ruby-activerecord and ruby-sqlite3"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/bounds.rb" << 'END'
require "active_record"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Base.connection.create_table(:products) { |table| table.integer :stars; table.integer :price_minor }
class Product < ActiveRecord::Base; end
[[3, 500], [4, 1990], [5, 2500]].each { |stars, price| Product.create!(stars: stars, price_minor: price) }
puts "stars from 3.5: #{Product.where(stars: 3.5..).pluck(:stars)}, in SQL #{Product.where("stars >= ?", 3.5).pluck(:stars)}"
puts "below 1990.5: #{Product.where(price_minor: ...1990.5).pluck(:price_minor)}, in SQL #{Product.where("price_minor < ?", 1990.5).pluck(:price_minor)}"
puts "3.7 stars: #{Product.where(stars: 3.7).pluck(:stars)}, in SQL #{Product.where("stars = ?", 3.7).pluck(:stars)}"
puts "Active Record #{ActiveRecord::VERSION::STRING}"
END
seen="$(ruby "$dir/bounds.rb")"
echo "seen: $seen"
[[ "$seen" = "stars from 3.5: [3, 4, 5], in SQL [4, 5]
below 1990.5: [500], in SQL [500, 1990]
3.7 stars: [3], in SQL []"* ]]
