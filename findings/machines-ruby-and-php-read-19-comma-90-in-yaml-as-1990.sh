#!/usr/bin/env bash
# Psych, Ruby's own YAML, and php-yaml read a plain 19,90 as the whole number 1990, the sizes 38,39,40 as 383940 and 10,5 as 105; Ruby also reads 0,5 as 5. YAML 1.0 had commas in whole numbers, 1.1 and 1.2 have none, so js-yaml and
# yaml write all four without quotes. One would guess that a text that two writers leave plain is a text for every reader.
# A list of prices or sizes, exported by a program in JavaScript and read by a job in Ruby or PHP, has prices a hundred times as high, without an error.
# Write such texts in quotes (yaml: defaultStringType "QUOTE_DOUBLE"), or hand over JSON.
# Version: js-yaml 5.5.0 and yaml 2.9.1 on Node 24; psych 4.0.3 and php-yaml 2.2.2 (Debian's packages ruby and php-yaml).
set -euo pipefail
command -v ruby > /dev/null && php -m 2> /dev/null | grep -qx yaml || { echo "needs Debian's packages ruby and php-yaml"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund js-yaml@5.5.0 yaml@2.9.1
cat > write.mjs <<'JS'
import { writeFileSync } from "node:fs";
import { dump, load } from "js-yaml";
import { parse, stringify } from "yaml";

const texts = ["19,90", "38,39,40", "10,5", "0,5", "19.90"];
writeFileSync("js-yaml.yaml", dump(texts));
writeFileSync("yaml.yaml", stringify(texts));
console.log(`javascript ${JSON.stringify(load(stringify(texts)))} ${JSON.stringify(parse(dump(texts)))}`);
JS
seen=$(node write.mjs
for file in js-yaml yaml; do
  ruby -ryaml -rjson -e 'puts "ruby #{JSON.generate YAML.load_file(ARGV[0])}"' "$file.yaml"
  php -r 'echo "php ", json_encode(yaml_parse_file($argv[1])), "\n";' "$file.yaml"
done)
echo "js-yaml@5.5.0, yaml@2.9.1, psych $(ruby -ryaml -e 'print Psych::VERSION'), php-yaml $(php -r 'echo phpversion("yaml");')"
echo "seen: $seen"
[ "$seen" = 'javascript ["19,90","38,39,40","10,5","0,5","19.90"] ["19,90","38,39,40","10,5","0,5","19.90"]
ruby [1990,383940,105,5,"19.90"]
php [1990,383940,105,"0,5","19.90"]
ruby [1990,383940,105,5,"19.90"]
php [1990,383940,105,"0,5","19.90"]' ]
