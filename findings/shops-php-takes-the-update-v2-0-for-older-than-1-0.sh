#!/usr/bin/env bash
# PHP's version_compare(), by which plugins and themes of WordPress look for updates, puts v2.0 before 1.0, "2.0 Pro" and 2.0+wp6 before 2.0, 2.0 before 2.0.0, and 1.0c and 1.0d before 1.0; "2.0 Lite" and "2.0 Pro" are equal.
# One would guess that a leading v and a build's name do not count, as in semver.
# A shop's release "v2.0" of a plugin never reaches those who have 1.0, and no error says so.
# Version: PHP 8.2 (Debian's package php8.2-cli).
set -euo pipefail
command -v php > /dev/null || { echo "needs Debian's package php8.2-cli"; exit 1; }
seen=$(php <<'PHP'
<?php
foreach ([["v2.0", "1.0"], ["2.0 Pro", "2.0"], ["2.0+wp6", "2.0"], ["2.0", "2.0.0"], ["1.0c", "1.0"], ["1.0d", "1.0"], ["2.0 Lite", "2.0 Pro"], ["2.0-beta2", "2.0-beta10"], ["1.10", "1.9"]] as [$one, $other])
  echo "$one ", ["<", "=", ">"][version_compare($one, $other) + 1], " $other\n";
PHP
)
php --version | head -n 1
echo "seen: $seen"
[ "$seen" = 'v2.0 < 1.0
2.0 Pro < 2.0
2.0+wp6 < 2.0
2.0 < 2.0.0
1.0c < 1.0
1.0d < 1.0
2.0 Lite = 2.0 Pro
2.0-beta2 < 2.0-beta10
1.10 > 1.9' ]
