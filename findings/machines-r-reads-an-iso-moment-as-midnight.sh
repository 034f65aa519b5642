#!/usr/bin/env bash
# as.POSIXct("2026-06-01T10:00:00Z") of R in Debian 12 is 2026-06-01 00:00:00 of the local zone: hours, minutes and Z are dropped without a warning. With a blank in place of the T the time is read, and Z is ignored. In a column where one value has no time, "2026-06-02", all lose theirs.
# One would guess the moment, or NA, as for any text that no format fits: a format fits if the text only begins with it.
# Reports over a catalog count everything on its day at midnight, "changed in the last hour" is empty, and joins by time find all of a day. as.POSIXct(x, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC").
# Version: R 4.2.2 (Debian's package r-base-core).
set -euo pipefail
command -v Rscript > /dev/null || { echo "needs Debian's package r-base-core"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.R" <<'R'
show <- function(times) cat(format(times, "%Y-%m-%d %H:%M %Z", tz = "UTC"), "", sep = "; ")
show(as.POSIXct("2026-06-01T10:00:00Z"))
show(as.POSIXct("2026-06-01 10:00:00Z"))
show(as.POSIXct(c("2026-06-01 10:00:00", "2026-06-02")))
show(as.POSIXct("2026-06-01T10:00:00Z", format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"))
R
seen=$(TZ=America/New_York Rscript --vanilla "$dir/run.R")
echo "$(Rscript --version 2>&1)"
echo "seen: $seen"
[ "$seen" = '2026-06-01 04:00 UTC; 2026-06-01 14:00 UTC; 2026-06-01 04:00 UTC; 2026-06-02 04:00 UTC; 2026-06-01 10:00 UTC; ' ]
