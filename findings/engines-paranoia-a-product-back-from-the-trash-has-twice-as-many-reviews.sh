#!/usr/bin/env bash
# Paranoia, a trash for ActiveRecord: a product with two reviews says reviews_count 2; put it into the trash and restore it with its reviews (restore(recursive: true)): now it says 4 with two reviews, after the
# next time 6. A single review that is trashed and restored counts down and up, so one would guess the same here, or a count of 0 while the product is in the trash. ActiveRecord takes nothing
# off the counter while the owner of the reviews is destroyed, too, for usually the counter dies with it; Paranoia adds one for each that comes back.
# Who shows or sorts by the counter column, or divides a sum by it, has wrong numbers of reviews for each product that was withdrawn for a day: count the rows, or call reset_counters after a restore.
# Version: Debian's ruby-paranoia 2.4.3, ruby-activerecord 6.1.7, Ruby 3.1.
set -euo pipefail
for package in ruby-paranoia ruby-activerecord ruby-sqlite3; do
  dpkg-query -W "$package" > /dev/null 2>&1 || { echo "needs Debian's packages ruby-paranoia, ruby-activerecord and ruby-sqlite3"; exit 2; }
done
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RUBY'
require "active_record"
require "paranoia"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:products) { |t| t.string :title; t.integer :reviews_count, default: 0; t.datetime :deleted_at }
  create_table(:reviews) { |t| t.references :product; t.integer :rating; t.datetime :deleted_at }
end
class Review < ActiveRecord::Base
  acts_as_paranoid
  belongs_to :product, counter_cache: true
end
class Product < ActiveRecord::Base
  acts_as_paranoid
  has_many :reviews, dependent: :destroy
end
kit = Product.create!(title: "Kit")
[5, 4].each { |rating| kit.reviews.create!(rating: rating) }
seen = []
look = ->(what) do
  seen << [Product.with_deleted.pick(:reviews_count), Review.count]
  puts "#{what}: counter #{seen.last[0]}, reviews #{seen.last[1]}"
end
look.call("at first")
Review.first.destroy
look.call("a review into the trash")
Review.only_deleted.first.restore
look.call("and back")
2.times do
  Product.find(kit.id).destroy
  look.call("the product into the trash")
  Product.only_deleted.find(kit.id).restore(recursive: true)
  look.call("and back")
end
exit seen == [[2, 2], [1, 1], [2, 2], [2, 0], [4, 2], [4, 0], [6, 2]]
RUBY
echo "paranoia $(dpkg-query -W -f '${Version}' ruby-paranoia), activerecord $(dpkg-query -W -f '${Version}' ruby-activerecord), $(/usr/bin/ruby -e 'print RUBY_VERSION')"
/usr/bin/ruby "$dir/run.rb"
