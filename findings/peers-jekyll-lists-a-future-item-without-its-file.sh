#!/usr/bin/env bash
# Jekyll leaves an item of a collection that is dated in the future out of the written files, but not out of site.NAME, which lists are made from:
# the list of a catalog names a product, with its address, and the address is a 404 until the first build after that day. Exit 0, no word.
# One would guess that both have it or neither.
# Version: jekyll 4.3.1 (Debian's package jekyll).
set -euo pipefail
command -v jekyll > /dev/null || { echo "needs Debian's package jekyll"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir _data _products
printf 'collections: {products: {output: true, permalink: /product/:slug.json}}\n' > _config.yml
printf -- '---\nlayout: null\n---\n{}' | tee _products/2020-01-02-past.json > _products/2999-01-01-coming.json
printf -- '---\nlayout: null\n---\n{%% for p in site.products %%}{{ p.url }} {%% endfor %%}' > list.txt
jekyll build --quiet
echo "$(jekyll --version)"
list=$(cat _site/list.txt)
files=$(cd _site/product && echo *)
echo "seen: list: $list; files: $files"
[ "$list" = "/product/past.json /product/coming.json " ] && [ "$files" = past.json ]
