#!/usr/bin/env bash
# With timezone: Europe/Berlin, the time 2026-01-02 03:04:05 is a UTC time in a data file (YAML) and a local time in a filter on the same text:
# jsonify of the data says 04:04:05 +0100, date_to_xmlschema of the quoted text says 03:04:05+01:00. One would guess the site's zone for both.
# Whether an exporter quotes a time decides by an hour or two when a sale of the catalog begins.
# Version: jekyll 4.3.1 (Debian's package jekyll).
set -euo pipefail
command -v jekyll > /dev/null || { echo "needs Debian's package jekyll"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir _data _products
printf 'timezone: Europe/Berlin\n' > _config.yml
printf 'bare: 2026-01-02 03:04:05\nquoted: "2026-01-02 03:04:05"\n' > _data/sale.yml
printf -- '---\nlayout: null\n---\n{{ site.data.sale.bare | date_to_xmlschema }} {{ site.data.sale.quoted | date_to_xmlschema }}' > out.txt
jekyll build --quiet
echo "$(jekyll --version)"
seen=$(cat _site/out.txt)
echo "seen: $seen"
[ "$seen" = "2026-01-02T04:04:05+01:00 2026-01-02T03:04:05+01:00" ]
