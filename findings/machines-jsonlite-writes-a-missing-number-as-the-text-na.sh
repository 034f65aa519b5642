#!/usr/bin/env bash
# R's jsonlite reads [1, null] and writes [1, "NA"]: a missing number in a list goes out as a text of two letters, a missing text as null. And it keeps four decimals: the weight
# 0.12345 goes out as 0.1234. One would guess that what it read it writes again, as its texts do. A price list that passes through R has a text
# where its readers expect a number or null, in the rows without a price only, and weights in kilograms lose their grams' fractions.
# Version: jsonlite 1.8.4 with R 4.2.2 (Debian's packages r-base-core and r-cran-jsonlite).
set -euo pipefail
Rscript -e 'library(jsonlite)' > /dev/null 2>&1 || { echo "needs Debian's packages r-base-core and r-cran-jsonlite"; exit 1; }
seen=$(Rscript -e 'library(jsonlite); cat(toJSON(fromJSON("[1,null]")), toJSON(fromJSON("[\"S\",null]")), toJSON(fromJSON("[0.12345]")))')
echo "jsonlite $(Rscript -e 'cat(as.character(packageVersion("jsonlite")), "with", R.version.string)')"
echo "seen: $seen"
[ "$seen" = '[1,"NA"] ["S",null] [0.1234]' ]
