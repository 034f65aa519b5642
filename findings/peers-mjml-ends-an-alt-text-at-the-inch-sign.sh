#!/usr/bin/env bash
# MJML writes the attribute alt='3/4" pipe' of an e-mail's picture as alt="3/4" pipe": it reads XML with either kind of quotes, and writes the value between double ones as it stood. One would guess that it escapes
# what it writes, as XML and HTML libraries do. A reader of mail sees the text 3/4 and an attribute named pipe". With &quot; in the source it is right, as the entity is left as it is.
# mjml's own validation, on "strict", has no complaint. A template that quotes with ' since its titles are measured in inches sends broken pictures.
# Version: mjml 4.15.3 and 5.4.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund four@npm:mjml@4.15.3 five@npm:mjml@5.4.1
cat > run.js <<'JS'
const image = (alt) => `<mjml><mj-body><mj-section><mj-column><mj-image src="a.jpg" alt=${alt} /></mj-column></mj-section></mj-body></mjml>`;
for (const name of ["four", "five"]) {
  const { default: mjml } = await import(name);
  const seen = [];
  for (const alt of ["'3/4\" pipe'", '"3/4&quot; pipe"']) {
    const { html } = await mjml(image(alt), { validationLevel: "strict" });
    seen.push(/alt=".*?(?= src| height| style|\n)/.exec(html)[0]);
  }
  console.log(`${name}: ${seen.join(" ")}`);
}
JS
seen=$(node run.js | paste -sd';')
echo "mjml@4.15.3, mjml@5.4.1"
echo "seen: $seen"
[ "$seen" = 'four: alt="3/4" pipe" alt="3/4&quot; pipe";five: alt="3/4" pipe" alt="3/4&quot; pipe"' ]
