#!/usr/bin/env bash
# Offered zh-Hans and zh-Hant, negotiator (in Express), accept-language-parser and @hapi/accept answer "zh-TW,zh;q=0.9,en;q=0.7", as Chrome in Taiwan sends it,
# with zh-Hans: they compare prefixes and know no scripts, so the second wish takes the first in the list. "loose" of accept-language-parser gives de-DE for de-CH though
# de-CH is offered. One would guess the traditional script and the exact match; of these only @formatjs/intl-localematcher gives both. A catalog
# in two kinds of Chinese needs that, or its own table from regions to scripts.
# Version: negotiator 1.1.0, accept-language-parser 1.5.0, @hapi/accept 6.0.3, @formatjs/intl-localematcher 0.10.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund negotiator@1.1.0 accept-language-parser@1.5.0 @hapi/accept@6.0.3 @formatjs/intl-localematcher@0.10.1
cat > run.js <<'JS'
import { match } from "@formatjs/intl-localematcher";
import hapi from "@hapi/accept";
import parser from "accept-language-parser";
import Negotiator from "negotiator";

const readers = {
  negotiator: (header, offered) => new Negotiator({ headers: { "accept-language": header } }).language(offered),
  "accept-language-parser": (header, offered) => parser.pick(offered, header),
  "accept-language-parser, loose": (header, offered) => parser.pick(offered, header, { loose: true }),
  "@hapi/accept": (header, offered) => hapi.language(header, offered),
  "intl-localematcher": (header, offered) => match(header.split(",").map((wish) => wish.split(";")[0]), offered, offered[0]),
};
for (const [name, read] of Object.entries(readers))
  console.log(`${name}: ${read("zh-TW,zh;q=0.9,en;q=0.7", ["en", "zh-Hans", "zh-Hant"])} ${read("de-CH,de;q=0.9", ["en", "de-DE", "de-CH"])}`);
JS
seen=$(node run.js)
echo "negotiator@1.1.0 accept-language-parser@1.5.0 @hapi/accept@6.0.3 @formatjs/intl-localematcher@0.10.1"
echo "seen: $seen"
[ "$seen" = 'negotiator: zh-Hans de-CH
accept-language-parser: zh-Hans de-CH
accept-language-parser, loose: zh-Hans de-DE
@hapi/accept: zh-Hans de-CH
intl-localematcher: zh-Hant de-CH' ]
