#!/usr/bin/env bash
# next-intl's format.list, which may have React elements among its texts, shows the versions 1, <b>2</b> and 3 as "2, 2, and 3", both bold: an element's place in the list stands for it while Intl.ListFormat joins the texts, and each text that
# is the same number is taken for it. A null is a place, too: the sizes S, null, M are "S, 1, and M". One would guess that a text stays what it is, and that null is refused, as Intl.ListFormat does.
# Versions, sizes and pages are what a catalog lists with one of them marked. That version 1 is not offered is an answer that looks right; with words, as in the documentation, all works.
# Version: use-intl 4.15.0 (the core of next-intl 4), react 19.3.1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund use-intl@4.15.0 react@19.3.1 react-dom@19.3.1
cat > run.js <<'JS'
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createFormatter } from "use-intl/core";

const format = createFormatter({ locale: "en", timeZone: "UTC" });
const marked = (text) => createElement("b", { key: text }, text);
const show = (list) => renderToStaticMarkup(createElement("p", {}, format.list(list)));
console.log(show(["1", marked("2"), "3"]));
console.log(show(["38", marked("39"), "40"]));
console.log(show(["S", null, "M"]));
JS
seen=$(node run.js)
echo "use-intl@4.15.0 react@19.3.1"
echo "seen: $seen"
[ "$seen" = '<p><b>2</b>, <b>2</b>, and 3</p>
<p>38, <b>39</b>, and 40</p>
<p>S, 1, and M</p>' ]
