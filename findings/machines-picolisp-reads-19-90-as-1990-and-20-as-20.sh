#!/usr/bin/env bash
# PicoLisp's parseJson reads the prices [19.90, 20] as (20 20). With a scale of two decimals, (scl 2), it reads them as (1990 20): a price that is written with decimals is in cents, a whole one is not. printJson writes both as they are then, 1990 and 20.
# One would guess 19.9 or, as PicoLisp has whole numbers only, cents for both or an error; its manual calls a number with a scale fixed-point, and JSON has one kind of number.
# JavaScript writes 20.00 as 20, so in a catalog made by it some prices are a hundred times too low. An empty list comes back as {}, too.
# Version: PicoLisp 23.2 (Debian's package picolisp).
set -euo pipefail
command -v pil > /dev/null || { echo "needs Debian's package picolisp"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.l" <<'L'
(load "@lib/json.l")
(prin (glue " " (parseJson "[19.90, 20]")) "; ")
(scl 2)
(prin (glue " " (parseJson "[19.90, 20]")) "; ")
(printJson (parseJson "{\"tags\": []}"))
(bye)
L
export HOME="$dir"
seen=$(pil "$dir/run.l" 2> /dev/null < /dev/null)
echo "PicoLisp $(dpkg-query -W -f '${Version}' picolisp)"
echo "seen: $seen"
[ "$seen" = '20 20; 1990 20; {"tags": {}}' ]
