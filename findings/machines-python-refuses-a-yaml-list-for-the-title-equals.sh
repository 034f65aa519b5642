#!/usr/bin/env bash
# PyYAML's safe_load and ruamel.yaml's typ="safe" refuse a whole YAML file in which a value is the plain sign =: "could not determine a constructor for the tag 'tag:yaml.org,2002:value'". yaml of npm, php-yaml and Perl's YAML::XS write it plain,
# and Psych reads it as a text. One would guess a text, as any other value of such signs is (+, -1- or ==):
# YAML 1.1 gives = a type of its own, and both find it and know nothing to make of it.
# "=" is the title of an album of 2021 and the sign of a filter or an operator: the catalog with it, written by a program in JavaScript, PHP or Perl, is read by no job in Python, whatever the other products are. Write it in quotes, or JSON.
# Version: yaml 2.9.1 on Node 20 and 24; php-yaml 2.2.2, YAML::XS 0.86, PyYAML 6.0, ruamel.yaml 0.17.21, psych 4.0.3 (Debian's packages php8.2-yaml, libyaml-libyaml-perl, python3-yaml, python3-ruamel.yaml and ruby).
set -euo pipefail
for name in php8.2-yaml libyaml-libyaml-perl python3-yaml python3-ruamel.yaml ruby; do dpkg-query -W "$name" > /dev/null 2>&1 || { echo "needs Debian's package $name"; exit 1; }; done
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund yaml@2.9.1
node -p 'require("yaml").stringify([{ title: "Divide" }, { title: "=" }])' > npm.yaml
php -r 'echo yaml_emit([["title" => "Divide"], ["title" => "="]]);' > php.yaml
/usr/bin/perl -MYAML::XS -e 'print Dump([{ title => "Divide" }, { title => "=" }])' > perl.yaml
cat > read.py <<'PY'
import io
import sys
import yaml
from ruamel.yaml import YAML

text = sys.stdin.read()
for name, load in (("PyYAML", yaml.safe_load), ("ruamel", lambda text: YAML(typ="safe").load(io.StringIO(text)))):
    try:
        print(name, [product["title"] for product in load(text)])
    except Exception as error:
        print(name, type(error).__name__)
PY
seen=$(for name in npm php perl; do
  echo "$name $(grep -o 'title: .*=.*' $name.yaml) $(ruby -ryaml -e 'p YAML.safe_load(STDIN.read).map { |product| product["title"] }' < $name.yaml)"
  /usr/bin/python3 read.py < $name.yaml
done; echo 'quoted'; echo '[{ title: Divide }, { title: "=" }]' | /usr/bin/python3 read.py)
dpkg-query -W -f '${Package} ${Version}\n' php8.2-yaml libyaml-libyaml-perl python3-yaml python3-ruamel.yaml ruby
echo "seen: $seen"
[ "$seen" = "npm title: = [\"Divide\", \"=\"]
PyYAML ConstructorError
ruamel ConstructorError
php title: = [\"Divide\", \"=\"]
PyYAML ConstructorError
ruamel ConstructorError
perl title: = [\"Divide\", \"=\"]
PyYAML ConstructorError
ruamel ConstructorError
quoted
PyYAML ['Divide', '=']
ruamel ['Divide', '=']" ]
