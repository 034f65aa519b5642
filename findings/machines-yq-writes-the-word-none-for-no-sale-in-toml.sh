#!/usr/bin/env bash
# yq -t, of Debian's yq (Python's), writes {"sales": [19.9, null], "sale": null} as sales = [ 19.9, "None",], and leaves sale out, with exit 0.
# TOML has no null, so one would guess an error, or that both are left out: a null in a list becomes the text None, a word of Python, through its library toml.
# A list of sale prices, one a product, has a text among its numbers: a program that reads numbers refuses it, and one that takes any value shows "None".
# Version: yq 3.1.0 with toml 0.10.2 and jq 1.6 (Debian's package yq).
set -euo pipefail
[ "$(dpkg-query -W -f '${Package}' yq 2> /dev/null)" = yq ] || { echo "needs Debian's package yq"; exit 1; }
products='{"data":[{"id":1,"sale_price":19.9},{"id":2,"sale_price":null}]}'
seen=$(/usr/bin/yq -t '{sales: [.data[].sale_price], sale: .data[1].sale_price}' <<< "$products")
echo "yq $(dpkg-query -W -f '${Version}' yq), toml $(dpkg-query -W -f '${Version}' python3-toml)"
echo "seen: $seen"
[ "$seen" = 'sales = [ 19.9, "None",]' ]
