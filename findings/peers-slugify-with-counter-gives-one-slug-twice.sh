#!/usr/bin/env bash
# slugifyWithCounter of @sindresorhus/slugify, "to generate unique ids", gives "Kit", "Kit" and "Kit 2" the slugs kit, kit-2 and kit-2: it counts how often it saw a text, and does not look whether the numbered slug was given
# already, in either order. github-slugger and markdown-it-anchor look. One would guess that a counter made for uniqueness gives each slug once.
# A catalog has two products of one name, and a successor called "2", every day: one of them gets no page, or the other's.
# What to do: keep a set of the slugs that were given; or better, append the product's id, so that a slug does not depend on which products came before.
# Versions: @sindresorhus/slugify 3.0.1, github-slugger 2.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @sindresorhus/slugify@3.0.1 github-slugger@2.0.0
cat > run.js <<'JS'
import { slugifyWithCounter } from "@sindresorhus/slugify";
import GithubSlugger from "github-slugger";

for (const titles of [["Kit", "Kit", "Kit 2"], ["Kit 2", "Kit", "Kit"], ["Kit", "Kit", "Kit 1"]]) {
  const [slugify, slugger] = [slugifyWithCounter(), new GithubSlugger()];
  console.log(`${titles.join(", ")}: slugify ${titles.map((title) => slugify(title)).join(" ")}; github-slugger ${titles.map((title) => slugger.slug(title)).join(" ")}`);
}
JS
seen=$(node run.js)
echo "@sindresorhus/slugify 3.0.1, github-slugger 2.0.0"
echo "seen: $seen"
[ "$seen" = 'Kit, Kit, Kit 2: slugify kit kit-2 kit-2; github-slugger kit kit-1 kit-2
Kit 2, Kit, Kit: slugify kit-2 kit kit-2; github-slugger kit-2 kit kit-1
Kit, Kit, Kit 1: slugify kit kit-2 kit-1; github-slugger kit kit-1 kit-1-1' ]
