#!/usr/bin/env bash
# pandas.read_json makes numbers of JSON texts: the sku "00123" becomes 123, "1E5" becomes 100000 and the version "1.10" becomes 1.1; a text in a column
# that happens to be called "date" becomes a moment in 1970. One would guess that JSON, unlike CSV, says what is a text. A feed's keys no longer match the
# shop's after one read and write; dtype=False leaves the texts, but not the "date".
# Version: Debian's python3-pandas 1.5.3.
set -euo pipefail
/usr/bin/python3 -c "import pandas" 2> /dev/null || { echo "pandas is missing: apt-get install python3-pandas"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.py" <<'PY'
import io
import pandas

text = '[{"sku":"00123","batch":"1E5","version":"1.10","date":"1.10"}]'
for dtype in (None, False):
    frame = pandas.read_json(io.StringIO(text), dtype=dtype)
    print(f"dtype={dtype}:", *(str(value) for value in frame.iloc[0].tolist()), sep=" ")
print("written:", pandas.read_json(io.StringIO(text)).to_json(orient="records"))
PY
seen=$(/usr/bin/python3 "$dir/run.py")
echo "pandas $(/usr/bin/python3 -c 'import pandas; print(pandas.__version__)')"
echo "seen: $seen"
[ "$seen" = 'dtype=None: 123 100000 1.1 1970-01-01 00:00:01.100000
dtype=False: 00123 1E5 1.10 1970-01-01 00:00:01.100000
written: [{"sku":123,"batch":100000,"version":1.1,"date":1100}]' ]
