#!/usr/bin/env bash
# clean-css removes an @scope or @starting-style block and the ordinary rule that follows it, with warnings and no error: one would guess that an unknown block stays as it is, as @view-transition does,
# or fails. csso keeps all of it.
# A theme that styles embedded product cards within @scope loses those styles and its next rule in production only, with a build that succeeded.
# Version: clean-css 5.3.3, csso 5.0.5, seen on Node 20.20 and 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund clean-css@5.3.3 csso@5.0.5
cat > run.js <<'JS'
import CleanCSS from "clean-css";
import { minify } from "csso";

const blocks = {
  "@scope": "@scope (.card){img{width:90px}}",
  "@starting-style": "@starting-style{.card{opacity:0}}",
  "@view-transition": "@view-transition{navigation:auto}",
};
for (const [name, block] of Object.entries(blocks)) {
  const css = `h1{color:red}${block}.price{color:navy}`;
  const { styles, errors } = new CleanCSS().minify(css);
  const has = (text) => [text.includes(name) && "block", text.includes(".price") && "next rule"].filter(Boolean).join(" and ") || "neither";
  console.log(`${name}: clean-css keeps ${has(styles)}, ${errors.length} errors; csso keeps ${has(minify(css).css)}`);
}
JS
seen=$(node run.js)
echo "clean-css $(node -p 'require("./node_modules/clean-css/package.json").version')"
echo "seen: $seen"
[ "$seen" = '@scope: clean-css keeps neither, 0 errors; csso keeps block and next rule
@starting-style: clean-css keeps neither, 0 errors; csso keeps block and next rule
@view-transition: clean-css keeps block and next rule, 0 errors; csso keeps block and next rule' ]
