#!/usr/bin/env bash
# fread() of R's data.table reads the CSV cell "Mug ""XL"" steel" as Mug ""XL"" steel, with the doubled quotes of the file, and fwrite() of the same package doubles them again: """"XL"""". One would guess the title as
# RFC 4180 and read.csv(), in the same R, read it, and the same file after reading and writing it.
# Each round through the two functions doubles the quotes of a title, without a warning; joined or compared with the same data from JSON, products with a quote in the title (inches, sizes, names) do not match.
# Version: data.table 1.14.8, R 4.2.2 (Debian's packages r-cran-data.table and r-base-core).
set -euo pipefail
Rscript -e 'library(data.table)' > /dev/null 2>&1 || { echo "needs Debian's package r-cran-data.table"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; printf 'id,title\n1,"Mug ""XL"" steel"\n2,"Cup, red"\n' > products.csv
cat > run.R <<'R'
library(data.table)
cat("read.csv:", read.csv("products.csv")$title[1], "\n")
for (round in 1:2) {
  products <- fread("products.csv")
  cat("fread, round", round, ":", products$title[1], "\n")
  fwrite(products, "products.csv")
}
cat("file:", readLines("products.csv")[2], "\n")
R
seen=$(Rscript run.R 2>&1)
dpkg-query -W -f '${Package} ${Version}\n' r-cran-data.table r-base-core
echo "seen: $seen"
[ "$seen" = 'read.csv: Mug "XL" steel 
fread, round 1 : Mug ""XL"" steel 
fread, round 2 : Mug """"XL"""" steel 
file: 1,"Mug """"""""XL"""""""" steel" ' ]
