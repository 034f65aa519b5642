#!/usr/bin/env bash
# `catmandu convert JSON to YAML`, whose field is the exchange of catalogs, writes {"featured": true} as featured: !!perl/scalar:JSON::PP::Boolean 1, with exit 0. One would guess featured: true. PyYAML's safe_load refuses the whole file for
# it, and Ruby's safe_load reads the numbers 1 and 0, of which 0 is true in Ruby.
# A catalog with one boolean among its fields is handed on in a file that Python does not read, and in which Ruby finds each product featured; texts, numbers and nulls are right, and a list without booleans goes through.
# Version: Catmandu 1.2020 with YAML::XS 0.86 (Debian's packages libcatmandu-perl, python3-yaml and ruby).
set -euo pipefail
command -v catmandu > /dev/null && command -v ruby > /dev/null || { echo "needs Debian's packages libcatmandu-perl, python3-yaml and ruby"; exit 1; }
read_it() {
  /usr/bin/python3 -c 'import sys, yaml
try: print("PyYAML", yaml.safe_load(sys.stdin.read()))
except yaml.YAMLError as error: print("PyYAML", type(error).__name__)' < "$1"
  ruby -ryaml -e 'begin; puts "Psych #{YAML.safe_load(STDIN.read).to_a.flatten.join(" ")}"; rescue Psych::Exception => error; puts "Psych #{error.class}"; end' < "$1"
}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
seen=$(for record in '{"price":"19.90","sale":null,"stock":5}' '{"featured":true}' '{"featured":false}'; do
  echo "$record" | catmandu convert JSON to YAML > "$dir/out.yaml"
  grep -v '^[-.]' "$dir/out.yaml"
  read_it "$dir/out.yaml"
done)
dpkg-query -W -f '${Package} ${Version}\n' libcatmandu-perl libyaml-libyaml-perl python3-yaml ruby
echo "seen: $seen"
[ "$seen" = "price: '19.90'
sale: ~
stock: 5
PyYAML {'price': '19.90', 'sale': None, 'stock': 5}
Psych price 19.90 sale  stock 5
featured: !!perl/scalar:JSON::PP::Boolean 1
PyYAML ConstructorError
Psych featured 1
featured: !!perl/scalar:JSON::PP::Boolean 0
PyYAML ConstructorError
Psych featured 0" ]
