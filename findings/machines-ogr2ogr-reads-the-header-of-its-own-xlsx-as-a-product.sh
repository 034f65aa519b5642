#!/usr/bin/env bash
# ogr2ogr of GDAL writes a table of texts (slug, title, brand) to XLSX with a header, and reads the same file back with the columns Field1, Field2, Field3 and the header as its first row: when all cells of the second
# row are texts too, it takes the first for data. A CSV file is guessed the other way: there a column named 2026 makes the whole header a row. One would guess that a program knows the header that it wrote, as it does
# in ODS. OGR_XLSX_HEADERS=FORCE and the CSV driver's HEADERS=YES say it.
# The same export is read rightly as long as one column is a price, and gains a product called "title" without one.
# Version: GDAL 3.6.2 (Debian's package gdal-bin).
set -euo pipefail
command -v ogr2ogr > /dev/null || { echo "needs Debian's package gdal-bin"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'slug,title,brand\nmug,Blue Mug,Acme\ncup,Tea Cup,Acme\n' > texts.csv
printf 'slug,title,price\nmug,Blue Mug,19.9\ncup,Tea Cup,5\n' > prices.csv
printf 'slug,title,2025,2026\nmug,Blue Mug,5,6\n' > years.csv
for name in texts prices; do
  ogr2ogr -f XLSX "$name.xlsx" "$name.csv" -oo AUTODETECT_TYPE=YES
done
ogr2ogr -f ODS texts.ods texts.csv
seen=$(for file in texts.xlsx prices.xlsx texts.ods years.csv; do ogr2ogr -f CSV /vsistdout/ "$file" | head -2 | tr '\n' ' '; echo; done)
ogr2ogr --version
echo "seen: $seen"
[ "$seen" = 'Field1,Field2,Field3 slug,title,brand 
slug,title,price mug,Blue Mug,19.9 
slug,title,brand mug,Blue Mug,Acme 
field_1,field_2,field_3,field_4 slug,title,"2025","2026" ' ]
