#!/usr/bin/env bash
# R's readr knows that 00123 is no number and keeps the text, but a column that has only F and T in it, the fits of a shop's shoes for example, becomes FALSE and TRUE, as with
# read.csv; fread of data.table makes 123 of 00123 and keeps F and T. One would guess that a reader so careful with article numbers takes only true and
# false for a truth. A catalog's table is read in three ways, and none of the three keeps both columns.
# Version: readr 2.1.4 and data.table 1.14.8 with R 4.2.2 (Debian's packages r-base-core, r-cran-readr and r-cran-data.table).
set -euo pipefail
Rscript -e 'library(readr); library(data.table)' > /dev/null 2>&1 || { echo "needs Debian's packages r-base-core, r-cran-readr and r-cran-data.table"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf 'sku,fit\n00123,F\n00124,T\n' > "$dir/products.csv"
seen=$(Rscript -e 'f <- commandArgs(TRUE)[1]; s <- function(d) paste(d$sku[1], d$fit[1]); cat(s(read.csv(f)), s(suppressMessages(readr::read_csv(f, show_col_types = FALSE))), s(data.table::fread(f)), sep = "; ")' "$dir/products.csv")
echo "readr $(Rscript -e 'cat(as.character(packageVersion("readr")), "data.table", as.character(packageVersion("data.table")), R.version.string)')"
echo "seen: $seen"
[ "$seen" = '123 FALSE; 00123 FALSE; 123 F' ]
