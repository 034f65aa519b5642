#!/usr/bin/env bash
# gettext-parser's mo.compile, node-gettext and i18next-conv use translations that are marked "fuzzy", and so does po2json for the format mf, while it leaves them out of its other three, as its page says of all. GNU msgfmt leaves them out, and one would guess that whoever reads .po does:
# msgmerge writes that mark where it took the translation of a similar text for a new one.
# The label "Not in stock" that was added after the last translation is shown in German as "Auf Lager" (in stock), which msgmerge took from the label beside it.
# Version: gettext-parser 10.0.0, node-gettext 3.0.1, i18next-conv 16.0.0, po2json 1.0.0-beta-3; GNU gettext 0.21 (Debian's package gettext), seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund gettext-parser@10.0.0 node-gettext@3.0.1 i18next-conv@16.0.0 po2json@1.0.0-beta-3
cat > run.js <<'JS'
import { mo, po } from "gettext-parser";
import Gettext from "node-gettext";
import { gettextToI18next } from "i18next-conv";
import po2json from "po2json";
import { readFileSync, writeFileSync } from "node:fs";

const text = readFileSync("de.po", "utf8");
writeFileSync("npm.mo", mo.compile(po.parse(text)));
const gettext = new Gettext();
gettext.addTranslations("de", "messages", po.parse(text));
gettext.setLocale("de");
console.log("node-gettext:", gettext.gettext("Not in stock"));
console.log("i18next-conv:", JSON.parse(await gettextToI18next("de", text))["Not in stock"]);
for (const format of ["raw", "jed", "jed1.x", "mf"]) console.log(`po2json ${format}:`, "Not in stock" in (po2json.parse(text, { format }).locale_data?.messages ?? po2json.parse(text, { format })));
JS
printf '%s\n' 'msgid ""' 'msgstr ""' '"Content-Type: text/plain; charset=UTF-8\n"' '"Language: de\n"' '"Plural-Forms: nplurals=2; plural=(n != 1);\n"' '' 'msgid "In stock"' 'msgstr "Auf Lager"' > old.po
printf '%s\n' 'msgid ""' 'msgstr ""' '"Content-Type: text/plain; charset=UTF-8\n"' '' 'msgid "In stock"' 'msgstr ""' '' 'msgid "Not in stock"' 'msgstr ""' > labels.pot
msgmerge --quiet old.po labels.pot > de.po
msgfmt -o gnu.mo de.po
seen="$(node run.js)
msgfmt: $(msgunfmt gnu.mo | grep -c 'Not in stock' || true)
gettext-parser: $(msgunfmt npm.mo | grep -c 'Not in stock')"
echo "$(msgfmt --version | head -1)"
echo "seen: $seen"
[ "$seen" = 'node-gettext: Auf Lager
i18next-conv: Auf Lager
po2json raw: false
po2json jed: false
po2json jed1.x: false
po2json mf: true
msgfmt: 0
gettext-parser: 1' ]
