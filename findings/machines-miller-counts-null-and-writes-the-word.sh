#!/usr/bin/env bash
# One expects of Miller that JSON null is like its empty value: an empty cell in CSV, not counted. It writes the word null, is_empty
# says false, a count has it but the mean does not (sum / count differs), and the greatest of 10 and null is the one that came last.
# A catalog has null for "no sale": a spreadsheet gets a text in the column of prices, and a report counts sales that nobody made.
# Version: Debian's miller 6.6.0, seen on Debian 12.
set -euo pipefail
command -v mlr >/dev/null || { echo "mlr is missing: apt-get install miller"; exit 1; }
mlr --version
lines='{"sku":"cup","sale":null}
{"sku":"jug","sale":10}'
csv=$(mlr --ijsonl --ocsv head -n 1 <<< "$lines" | tail -1)
stats=$(mlr --ijsonl --onidx stats1 -a count,sum,mean,max -f sale <<< "$lines")
turned=$(tac <<< "$lines" | mlr --ijsonl --onidx stats1 -a max -f sale)
empty=$(mlr --ijsonl --onidx head -n 1 then put -q 'print is_empty($sale) . " " . is_null($sale)' <<< "$lines")
blank=$(mlr --icsv --onidx stats1 -a count,sum,mean,max -f sale <<< $'sku,sale\ncup,\njug,10')
echo "seen: as CSV: $csv; count, sum, mean, max: $stats (of an empty cell instead: $blank); max in the other order: $turned; is_empty, is_null: $empty"
[ "$csv" = "cup,null" ] && [ "$stats" = "2 10 10 10" ] && [ "$turned" = null ] && [ "$blank" = "1 10 10 10" ] && [ "$empty" = "false true" ]
