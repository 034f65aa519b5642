#!/usr/bin/env bash
# Nunjucks, a copy of Jinja for JavaScript (in Eleventy), has its filter urlize, and drops the sign behind a link and the bracket before it: "See https://a.example/m, or call" loses its comma, "(https://a.example/c.pdf) "
# its brackets; of "(https://a.example/c.pdf)." the second bracket becomes a part of the address. One would guess that a filter that adds links leaves the text, as that of Jinja does: the comma stands behind the link.
# With autoescape, on in both, the link comes out as the text &lt;a href=…, as the result is not marked as HTML: it needs "| safe" after it, by which the rest of the description is not escaped any more.
# Descriptions of a catalog in a page or an e-mail lose signs, and no one looks for that in a filter for links.
# Version: nunjucks 3.2.4, seen on Node 24; Debian's python3-jinja2 (3.1).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund nunjucks@3.2.4
cat > run.js <<'JS'
import nunjucks from "nunjucks";

for (const autoescape of [false, true]) {
  const environment = new nunjucks.Environment(null, { autoescape });
  console.log(environment.renderString("{{ text | urlize }}", { text: "See https://a.example/m-1.5-l, or (https://a.example/c.pdf)." }));
}
JS
cat > run.py <<'PY'
import jinja2

template = jinja2.Environment(autoescape=True).from_string("{{ text | urlize(rel='') }}")
print(template.render(text="See https://a.example/m-1.5-l, or (https://a.example/c.pdf).").replace(' rel="noopener"', ""))
PY
seen="$(node run.js | paste -sd'|')|Jinja: $(/usr/bin/python3 run.py)"
echo "nunjucks@3.2.4, jinja2 $(/usr/bin/python3 -c 'import jinja2; print(jinja2.__version__)')"
echo "seen: $seen"
link() { printf '<a href="%s">%s</a>' "$1" "$1"; }
mug=$(link https://a.example/m-1.5-l); file=$(link https://a.example/c.pdf)
[[ "$seen" = "See $mug or $(link 'https://a.example/c.pdf)')|See &lt;a href"*"|Jinja: See $mug, or ($file)." ]]
