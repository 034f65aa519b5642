#!/usr/bin/env bash
# Greenwood builds pages from a catalog API by a source plugin that gives a body per page. "Price $19.90" in the body is "Price 9.90" on the page, "$10" is "0" and "US$100" is "US00"; $5 stays. It puts the body into the
# layout with a replace, whose "$1" means "the first group". The title of the same product keeps its "$19.90", and so does a page from a Markdown file. One would guess that a body is put in as it is.
# Each price in dollars that begins with a 1 is another price, a plausible one, without a word in the build.
# What to do: write $$ for $ in the body: body.replaceAll("$", "$$$$").
# Version: @greenwood/cli 0.32.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @greenwood/cli@0.32.0
mkdir -p src/pages; echo '# Shop' > src/pages/index.md
printf -- '---\ntitle: Cup $19.90\n---\n\nCup: $19.90, $10, $5\n' > src/pages/cup.md
cat > greenwood.config.js <<'JS'
const page = (slug, body) => ({ title: `${slug} $19.90`, body, route: `/${slug}/`, id: slug, label: slug, data: {} });
const prices = "$19.90, $10, $5, US$100";
const provider = () => async () => [page("mug", `<p>Mug: ${prices}</p>`), page("jar", `<p>Jar: ${prices}</p>`.replaceAll("$", "$$$$"))];
export default { plugins: [{ type: "source", name: "shop", provider }] };
JS
npx greenwood build > log.txt 2>&1 || { cat log.txt; exit 2; }
seen=$(for page in mug jar cup; do grep -o '<title>.*</title>' "public/$page/index.html"; grep -oiE "$page: [^<]*" "public/$page/index.html" | tail -1; done)
echo "@greenwood/cli $(node -p 'JSON.parse(require("node:fs").readFileSync("node_modules/@greenwood/cli/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '<title>mug $19.90</title>
Mug: 9.90, 0, $5, US00
<title>jar $19.90</title>
Jar: $19.90, $10, $5, US$100
<title>Cup $19.90</title>
Cup: $19.90, $10, $5' ]
