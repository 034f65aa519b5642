#!/usr/bin/env bash
# Jekyll reads _data/*.json with its YAML parser, to which 1e2 is a text: a valid JSON number turns
# into a string on its way through the site. One would guess a JSON parser, by the ending. JSON.stringify writes 1e21 and 1e-7 like that, so
# tiny prices of an API unit (0.0000001 each) arrive as texts that sort and compare as texts.
# Version: jekyll 4.3.1 (Debian's package jekyll).
set -euo pipefail
command -v jekyll > /dev/null || { echo "needs Debian's package jekyll"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir _data _products
printf '{"price": 1e2, "unit": 1e-7, "whole": 100}' > _data/product.json
printf -- '---\nlayout: null\n---\n{{ site.data.product | jsonify }}' > out.json
jekyll build --quiet
echo "$(jekyll --version)"
seen=$(cat _site/out.json)
echo "seen: $seen"
[ "$seen" = '{"price":"1e2","unit":"1e-7","whole":100}' ]
