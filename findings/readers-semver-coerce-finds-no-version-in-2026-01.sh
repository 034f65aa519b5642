#!/usr/bin/env bash
# semver.coerce(), which is there to make a version of what people write, gives null for 2026.01, 2026.01.15, v1.02 and 1.2.03, and 2026.10.0 for 2026.10; of 2026-11-28 it makes 2026.0.0, as of any day of the year. One would
# guess 2026.1.0, since it drops so much else ("1.2.3.4 Pro" is 1.2.3): with { loose: true } it does.
# A release list that is sorted, or asked for what is newer, by such a version loses all releases from January to September of a shop that counts by months, and nobody notices before New Year.
# Version: semver 7.8.6, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund semver@7.8.6
cat > run.js <<'JS'
import semver from "semver";

for (const version of ["1.2.3.4 Pro", "2026.10", "2026.01", "2026.01.15", "v1.02", "1.2.03", "2026-11-28"])
  console.log(version, "|", semver.coerce(version)?.version, "|", semver.coerce(version, { loose: true })?.version);
JS
seen=$(node run.js)
echo "semver@$(node -p 'require("semver/package.json").version')"
echo "seen: $seen"
[ "$seen" = '1.2.3.4 Pro | 1.2.3 | 1.2.3
2026.10 | 2026.10.0 | 2026.10.0
2026.01 | undefined | 2026.1.0
2026.01.15 | undefined | 2026.1.15
v1.02 | undefined | 1.2.0
1.2.03 | undefined | 1.2.3
2026-11-28 | 2026.0.0 | 2026.0.0' ]
