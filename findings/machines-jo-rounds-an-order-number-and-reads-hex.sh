#!/usr/bin/env bash
# jo makes a number of whatever C's strtod reads: the sku 00123 becomes 123, the code 0x1F becomes 31, the price 19.90 becomes 19.9 and the id
# 12345678901234567 another one, 12345678901234570, in exponent form. One would guess that it writes the digits given, if they are a JSON number, and a text
# if they are not. A shell script that posts a product with jo changes its keys; each field needs a "-s" before it.
# Version: Debian's jo 1.9.
set -euo pipefail
command -v jo > /dev/null || { echo "jo is missing: apt-get install jo"; exit 1; }
seen=$(jo sku=00123 code=0x1F price=19.90 id=12345678901234567; jo -- -s sku=00123 -s code=0x1F)
jo -v
echo "seen: $seen"
[ "$seen" = '{"sku":123,"code":31,"price":19.9,"id":1.234567890123457e+16}
{"sku":"00123","code":"0x1F"}' ]
