#!/usr/bin/env bash
# JSON::Validator.validate of Ruby's json-schema answers false for every product if the schema names a draft that it does not know, such as that of OpenAPI 3.1 ("$schema" of 2020-12, or draft-07): the error "Schema not found" ends as
# "not valid". The same schema without the line takes the product, and what it does not know, const, it leaves unchecked without a word: the draft that the line names would be read as well as any.
# One would guess an exception, as validate! and fully_validate give, or a note: a method that answers yes or no has no third answer for "I cannot tell".
# A job that imports only what is valid then imports nothing from a catalog that raised its "$schema", and its log says that all records are wrong.
# Version: json-schema 2.8.1 with Ruby 3.1 (Debian's packages ruby and ruby-json-schema).
set -euo pipefail
command -v ruby > /dev/null && ruby -rjson-schema -e 1 2> /dev/null || { echo "needs Debian's packages ruby and ruby-json-schema"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RB'
require "json-schema"

product = { "title" => "Mug", "price" => 19.9 }
schema = { "type" => "object", "properties" => { "title" => { "type" => "string" }, "price" => { "type" => "number" } } }
drafts = [nil, "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]
puts drafts.map { |draft| JSON::Validator.validate(draft ? schema.merge("$schema" => draft) : schema, product) }.join(" ")
begin
  JSON::Validator.validate!(schema.merge("$schema" => drafts.last), product)
rescue JSON::Schema::SchemaError => error
  puts error.message
end
RB
seen=$(ruby "$dir/run.rb")
ruby -rjson-schema -e 'puts "json-schema #{Gem.loaded_specs["json-schema"].version}, Ruby #{RUBY_VERSION}"'
echo "seen: $seen"
[ "$seen" = 'true true false false
Schema not found: https://json-schema.org/draft/2020-12/schema' ]
