#!/usr/bin/env bash
# Runs findings/*.sh, or those of the named themes: scripts/findings.sh [THEME …]. A line for each; exits 1 if any no longer shows what it says.
set -uo pipefail
cd "$(dirname "$0")/../findings"
log=$(mktemp); trap 'rm -f "$log"' EXIT
themes=("$@"); [ $# -gt 0 ] || themes=("")
passed=0 failed=0
for theme in "${themes[@]}"; do
  for finding in "$theme"*.sh; do
    if timeout 600 bash "$finding" > "$log" 2>&1; then passed=$((passed + 1)); echo "as written  $finding"
    else failed=$((failed + 1)); echo "CHANGED     $finding"; sed 's/^/    /' "$log" | tail -n 15; fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
