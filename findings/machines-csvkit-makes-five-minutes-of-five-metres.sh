#!/usr/bin/env bash
# csvjson of csvkit guesses a type for each column: a length 5m becomes the duration 0:05:00, a stock of 1 and 0 becomes true and false, $5 and 5% both 5.0, 1,5 becomes 15.0. in2csv does it with JSON
# too, where the types are given: the text "00123" is written as 123, and the number 1 as True or 1, as the other rows decide.
# One would guess that a text stays and that JSON's own types hold. --no-inference is the way out.
# Version: Debian's csvkit 1.0.7.
set -euo pipefail
command -v csvjson > /dev/null || { echo "needs Debian's package csvkit"; exit 1; }
seen="$(printf 'cable,stock,rebate,size\n5m,1,$5,"1,5"\n2h,0,5%%,"2,5"\n' | csvjson)
$(echo '[{"sku":"00123","stock":1},{"sku":"00077","stock":0}]' | in2csv -f json | tr '\n' ' ')
$(echo '[{"sku":"00123","stock":1},{"sku":"00077","stock":2}]' | in2csv -f json | tr '\n' ' ')"
echo "$(csvjson --version 2>&1)"
echo "seen: $seen"
[ "$seen" = '[{"cable": "0:05:00", "stock": true, "rebate": 5.0, "size": 15.0}, {"cable": "2:00:00", "stock": false, "rebate": 5.0, "size": 25.0}]
sku,stock 123,True 77,False 
sku,stock 123,1 77,2 ' ]
