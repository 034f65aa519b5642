#!/usr/bin/env bash
# ActiveRecord: Product.order(price: :desc).limit(3).sum(:price) is the sum of all products, and so are average, minimum and maximum of three; with offset(1) the sum is 0 and the average nil. One would guess
# the sum of the three, since limit(3).count is 3: only count is asked over a subquery, the other four say SELECT SUM(price) … LIMIT 3, which limits the one row of the answer.
# "The dearest of this page" or "from 5 euros" of a list of Rails is that of the whole table on page 1, and nothing on page 2.
# Version: ActiveRecord 6.1.7 with SQLite (Debian's packages ruby-activerecord and ruby-sqlite3).
set -euo pipefail
ruby -e 'require "active_record"; require "sqlite3"' 2> /dev/null || { echo "needs Debian's packages ruby-activerecord and ruby-sqlite3"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/sums.rb" << 'END'
require "active_record"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Base.connection.create_table(:products) { |table| table.integer :price }
class Product < ActiveRecord::Base; end
[5, 10, 20, 40, 80].each { |price| Product.create!(price: price) }
page = Product.order(price: :desc).limit(3)
puts "page 1: #{page.pluck(:price)}, count #{page.count}, sum #{page.sum(:price)}, minimum #{page.minimum(:price)}, average #{page.average(:price).to_i}"
page = page.offset(3)
puts "page 2: #{page.pluck(:price)}, count #{page.count}, sum #{page.sum(:price)}, minimum #{page.minimum(:price).inspect}, average #{page.average(:price).inspect}"
puts "Active Record #{ActiveRecord::VERSION::STRING}"
END
seen="$(ruby "$dir/sums.rb")"
echo "seen: $seen"
[[ "$seen" = "page 1: [80, 40, 20], count 3, sum 155, minimum 5, average 31
page 2: [10, 5], count 2, sum 0, minimum nil, average nil"* ]]
