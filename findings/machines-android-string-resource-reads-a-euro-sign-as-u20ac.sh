#!/usr/bin/env bash
# android-string-resource, which turns Android's strings.xml into JSON and back, drops the backslash of a Unicode escape and keeps the rest: the text 5\u00a0\u20ac (a no-break space and a euro sign, as Android's pages tell to write them) becomes 5u00a0u20ac. Of \' and \n it makes ' and a line end.
# One would guess that a reader of a format's escapes knows all of them, or leaves the unknown as they are.
# An app's labels that are shared with a site or go to translators show "u20ac" beside each price, and are written back so.
# Version: android-string-resource 2.3.10, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund android-string-resource@2.3.10
cat > run.js <<'JS'
import * as android from "android-string-resource";

const { asr2js, js2asr } = android.asr2js ? android : android.default;
const labels = await asr2js(String.raw`<resources><string name="price">%s\u00a0\u20ac</string><string name="stock">Don\'t wait\n%d left</string></resources>`);
console.log(JSON.stringify(labels));
console.log((await js2asr(labels)).match(/>(%s.*)</)[1]);
JS
seen=$(node run.js)
echo "android-string-resource 2.3.10"
echo "seen: $seen"
[ "$seen" = '{"price":"%su00a0u20ac","stock":"Don'"'"'t wait\n%d left"}
%su00a0u20ac' ]
