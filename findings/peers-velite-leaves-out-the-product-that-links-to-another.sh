#!/usr/bin/env bash
# Velite takes each relative link in the Markdown of a record for a file to copy: a mug whose text says [the cup](cup) or [the cup](../cup/) is not in products.json, as there is no such file; the build prints an error
# among its notes and ends with 0. With [the cup](cup.md) the mug is there, and the cup's source is copied into the public folder, front matter and all: what it costs the shop can be read by everybody.
# Only "/cup" and "#cup" stay links. One would guess that a link to a page stays as it is, as an image might not, or that a product that is left out fails the build.
# What to do: write links with a leading slash, or markdown: { copyLinkedFiles: false }; and always "velite build --strict", which ends with 1.
# Version: velite 0.4.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund velite@0.4.0
cat > velite.config.js <<'JS'
import { defineConfig, s } from "velite";

const schema = s.object({ title: s.string(), body: s.markdown() });
export default defineConfig({ root: "content", collections: { products: { name: "Product", pattern: "*.md", schema } } });
JS
mkdir content; printf -- '---\ntitle: Cup\ncostMinor: 210\n---\n\nA cup.\n' > content/cup.md
for link in cup ../cup/ /cup cup.md; do
  printf -- '---\ntitle: Mug\n---\n\nGoes with [the cup](%s).\n' "$link" > content/mug.md
  status=0; npx velite build > log.txt 2>&1 || status=$?
  body=$(node -p 'JSON.parse(require("node:fs").readFileSync(".velite/products.json")).find(({ title }) => title === "Mug")?.body ?? "no mug"')
  echo "$link: exit $status, $body"
done > seen.txt
strict=0; printf -- '---\ntitle: Mug\n---\n\nGoes with [the cup](cup).\n' > content/mug.md; npx velite build --strict > log.txt 2>&1 || strict=$?
seen="$(sed 's/-[0-9a-f]*\.md/-….md/' seen.txt)
public: $(cat public/static/*.md | grep cost)
strict: exit $strict"
echo "velite 0.4.0"
echo "seen: $seen"
[ "$seen" = 'cup: exit 0, no mug
../cup/: exit 0, no mug
/cup: exit 0, <p>Goes with <a href="/cup">the cup</a>.</p>
cup.md: exit 0, <p>Goes with <a href="/static/cup-….md">the cup</a>.</p>
public: costMinor: 210
strict: exit 1' ]
