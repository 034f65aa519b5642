#!/usr/bin/env bash
# A message with {sale, number, ::percent} is "20%" in formatjs (react-intl) and "0.2%" in ICU, which PHP uses, for 0.2; {sale, number, ::percent scale/100}, which is ICU's spelling of 20%, is "2,000%" in formatjs.
# One would guess one answer, as formatjs takes its skeletons from ICU and links to ICU's description: "percent" only writes the sign there, "scale/100" multiplies. {sale, number, percent} without :: is 20% in both.
# A shop in PHP with a storefront in React that share a file of messages show one sale as 0.2% and 20%, or as 20% and 2,000%.
# Version: intl-messageformat 12.1.5 on Node 24, ICU 72 in Debian's php-intl of PHP 8.2.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund intl-messageformat@12.1.5
cat > run.js <<'JS'
import { IntlMessageFormat } from "intl-messageformat";

const message = "{sale, number, ::percent} {sale, number, ::percent scale/100} {sale, number, percent}";
console.log(new IntlMessageFormat(message, "en").format({ sale: 0.2 }));
JS
cat > run.php <<'PHP'
<?php
$message = "{sale, number, ::percent} {sale, number, ::percent scale/100} {sale, number, percent}";
echo MessageFormatter::formatMessage("en", $message, ["sale" => 0.2]), "\n";
PHP
seen="formatjs: $(node run.js); ICU: $(php run.php)"
echo "intl-messageformat@12.1.5, PHP's ICU $(php -r 'echo INTL_ICU_VERSION;')"
echo "seen: $seen"
[ "$seen" = 'formatjs: 20% 2,000% 20%; ICU: 0.2% 20% 20%' ]
