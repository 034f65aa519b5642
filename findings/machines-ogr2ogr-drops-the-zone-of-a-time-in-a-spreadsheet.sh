#!/usr/bin/env bash
# ogr2ogr of GDAL knows the zone of a time (2026-01-02T03:04:05+02:00 stays +02 in CSV and GeoJSON), but writes it to XLSX and ODS without: 03:04:05, beside 02:30:00 of a time in UTC, with no warning.
# Spreadsheets have no zones, so one would guess that all times are moved to one zone, such as UTC.
# In the spreadsheet of a catalog whose rows come from two systems the oldest change is the newest, and nothing shows which rows are two hours off.
# Version: GDAL 3.6.2 (Debian's package gdal-bin).
set -euo pipefail
command -v ogr2ogr > /dev/null || { echo "needs Debian's package gdal-bin"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'id,updated_at\n1,2026-01-02T03:04:05+02:00\n2,2026-01-02T02:30:00Z\n' > products.csv
seen=$(for format in CSV XLSX ODS; do
  ogr2ogr -f "$format" "again.${format,,}" products.csv -oo AUTODETECT_TYPE=YES
  ogr2ogr -f CSV /vsistdout/ "again.${format,,}" | tr '\n' ' '; echo
done)
ogr2ogr --version
echo "seen: $seen"
[ "$seen" = 'id,updated_at "1",2026/01/02 03:04:05+02 "2",2026/01/02 02:30:00+00 
id,updated_at "1",2026/01/02 03:04:05 "2",2026/01/02 02:30:00 
id,updated_at "1",2026/01/02 03:04:05 "2",2026/01/02 02:30:00 ' ]
