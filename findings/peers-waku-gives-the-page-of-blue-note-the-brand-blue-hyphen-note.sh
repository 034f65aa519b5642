#!/usr/bin/env bash
# Waku puts a hyphen for each blank of a static path before it renders it: staticPaths ["Blue Note", "Café"] makes /brand/Blue-Note, and the page is given slug "Blue-Note", which is no brand of the list. With "Blue-Note" in the list as well the
# build stops with "Duplicated component for: brand/Blue-Note/page". Other signs, é and # and +, are kept. One would guess that the page is given what the list says, with %20 in its address, as SvelteKit does. This build ends with 0.
# The pages of a catalog's brands and tags with two words look their products up by a name that is nobody's, and are empty.
# Version: waku 0.27.5, react 19.2.3, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps waku@0.27.5 react@19.2.3 react-dom@19.2.3 react-server-dom-webpack@19.2.3
mkdir -p src/pages/brand
cat > 'src/pages/brand/[slug].jsx' <<'JS'
const brands = ["Blue Note", "Café", "C#"];
export default async ({ slug }) => <h1>{slug}{brands.includes(slug) ? " is" : " is not"} in the list</h1>;
export const getConfig = async () => ({ render: "static", staticPaths: brands });
JS
code=0; node_modules/.bin/waku build > log 2>&1 < /dev/null || code=$?
seen="exit code $code:"
while read -r file; do seen="$seen $file: $(grep -o '<h1>.*</h1>' "dist/public/brand/$file/index.html" | sed -e 's/<!-- -->//g; s/<[^>]*>//g');"; done < <(cd dist/public/brand && printf '%s\n' * | LC_ALL=C sort)
echo "waku@0.27.5"
echo "seen: $seen"
[ "$seen" = 'exit code 0: Blue-Note: Blue-Note is not in the list; C#: C# is in the list; Café: Café is in the list;' ]
