#!/usr/bin/env bash
# The sanitizer insane drops everything after a "<" that begins no tag: of "for pipes < 5 cm, price <b>19</b>" only "for pipes " is left. It also decodes "&sect" and
# "&reg" inside an address, where HTML does not if a letter or "=" follows: ?section=2&region=eu stays good text in the source and becomes another query.
# One would guess what HTML says and sanitize-html, xss and DOMPurify do: the sign is text, and goes out as &lt;. A description is cut with no error.
# Version: insane 2.6.2, beside sanitize-html 2.18.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund insane@2.6.2 sanitize-html@2.18.1
cat > run.js <<'JS'
import insane from "insane";
import sanitize from "sanitize-html";

for (const html of ["for pipes < 5 cm, price <b>19</b>", '<a href="/list?page=2&section=2&region=eu">x</a>']) {
  console.log("insane:", insane(html));
  console.log("sanitize-html:", sanitize(html));
}
JS
seen=$(node run.js)
echo "insane $(node -p 'require("./node_modules/insane/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'insane: for pipes 
sanitize-html: for pipes &lt; 5 cm, price <b>19</b>
insane: <a href="/list?page=2&#xA7;ion=2&#xAE;ion=eu">x</a>
sanitize-html: <a href="/list?page=2&amp;section=2&amp;region=eu">x</a>' ]
