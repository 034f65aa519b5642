#!/usr/bin/env bash
# column --json of util-linux, which makes JSON of a table of tabs, writes each name in small letters: "salePrice" and "SKU" become "saleprice" and "sku". The manual says of the names only that they are required; one would guess that they are keys as they were given.
# A list made so in a shell script has none of the fields that a reader of the catalog asks for, and each of them is undefined instead of an error: product.salePrice ?? product.price sells at the full price.
# Version: util-linux 2.38.1 (Debian's package bsdextrautils).
set -euo pipefail
command -v column > /dev/null || { echo "needs Debian's package bsdextrautils"; exit 1; }
seen=$(printf '00123\tMug\t19.90\t15.00\n' | column --json --separator $'\t' --table-columns SKU,title,price,salePrice --table-name Products | tr -d ' \n')
column --version
echo "seen: $seen"
[ "$seen" = '{"products":[{"sku":"00123","title":"Mug","price":"19.90","saleprice":"15.00"}]}' ]
