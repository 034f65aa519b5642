#!/usr/bin/env bash
# R's jsonlite reads a JSON list with one kind of value as that kind: a size "NA" or "Inf" beside a number is lost, true beside a number becomes 1, and null
# beside the text "NA" becomes the text. It writes four decimals (52.520008 is 52.52) and, with auto_unbox, a list of one image as a text.
# One would guess that toJSON(fromJSON(x)) is x. A shop's statistics written back to a catalog change the answers' types and values.
# Version: Debian's r-cran-jsonlite 1.8.4.
set -euo pipefail
Rscript -e "library(jsonlite)" > /dev/null 2>&1 || { echo "jsonlite is missing: apt-get install r-cran-jsonlite"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.R" <<'R'
library(jsonlite)
for (text in c('[{"size":1},{"size":"NA"}]', "[true,2]", '[1,"NA",null]', '{"lat":52.520008,"images":["a.jpg"]}'))
  cat(text, "->", toJSON(fromJSON(text), auto_unbox = TRUE), "\n")
R
seen=$(Rscript "$dir/run.R" 2> /dev/null | sed 's/ $//')
echo "jsonlite $(Rscript -e 'cat(as.character(packageVersion("jsonlite")))' 2> /dev/null)"
echo "seen: $seen"
[ "$seen" = '[{"size":1},{"size":"NA"}] -> [{"size":1},{}]
[true,2] -> [1,2]
[1,"NA",null] -> [1,"NA","NA"]
{"lat":52.520008,"images":["a.jpg"]} -> {"lat":52.52,"images":"a.jpg"}' ]
