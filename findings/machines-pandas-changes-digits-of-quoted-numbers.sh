#!/usr/bin/env bash
# pandas.read_json turns JSON texts that look like numbers into numbers: the sku "00123" is 123, and the code "9007199254740993" ends in 2. It does so by column: one
# text with a letter in the answer, and all of them stay. One would guess that a text of JSON stays a text, which is why APIs give codes and prices as texts.
# Two pages of one catalog, read in turn and joined by sku, have two types of key. dtype=False is the way out.
# Version: Debian's python3-pandas 1.5.3.
set -euo pipefail
/usr/bin/python3 -c 'import pandas' 2> /dev/null || { echo "needs Debian's package python3-pandas"; exit 1; }
seen=$(/usr/bin/python3 - <<'PY'
import io
import pandas

first = '[{"sku":"00123","code":"9007199254740993","price":"19.90"}]'
second = '[{"sku":"00123","code":"9007199254740993","price":"19.90"},{"sku":"A1","code":"-","price":"5.00"}]'
for text in (first, second):
    print(pandas.read_json(io.StringIO(text)).to_json(orient="records"))
PY
)
echo "pandas $(/usr/bin/python3 -c 'import pandas; print(pandas.__version__)')"
echo "seen: $seen"
[ "$seen" = '[{"sku":123,"code":9007199254740992,"price":19.9}]
[{"sku":"00123","code":"9007199254740993","price":19.9},{"sku":"A1","code":"-","price":5.0}]' ]
