#!/usr/bin/env bash
# ogr2ogr of GDAL writes an SQLite table with "id INTEGER PRIMARY KEY" to CSV, GeoJSON and XLSX without the column id: it takes the key for the number of a feature, which these formats have no place for.
# With -preserve_fid GeoJSON has it, as a member beside the properties; CSV has none even then. One would guess that a table's columns are all there. -sql "SELECT id AS product_id, *" writes it.
# The tool that makes a spreadsheet of any database loses the one column that reviews, links and the next import refer to, and says nothing.
# Version: GDAL 3.6.2 (Debian's packages gdal-bin and sqlite3).
set -euo pipefail
command -v ogr2ogr > /dev/null && command -v sqlite3 > /dev/null || { echo "needs Debian's packages gdal-bin and sqlite3"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
sqlite3 shop.db "CREATE TABLE products (id INTEGER PRIMARY KEY, slug TEXT, price_minor INTEGER); INSERT INTO products VALUES (17, 'mug', 1990), (42, 'cup', 500)"
seen=$(ogr2ogr -f CSV /vsistdout/ shop.db products | tr '\n' ' ')
seen+=$(ogr2ogr -f CSV -preserve_fid /vsistdout/ shop.db products | head -1)
seen+=" $(ogr2ogr -f GeoJSON /vsistdout/ shop.db products | grep -o '"Feature".*1990 }')"
ogr2ogr --version
echo "seen: $seen"
[ "$seen" = 'slug,price_minor mug,"1990" cup,"500" slug,price_minor "Feature", "properties": { "slug": "mug", "price_minor": 1990 }' ]
