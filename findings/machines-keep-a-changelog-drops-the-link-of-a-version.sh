#!/usr/bin/env bash
# keep-a-changelog reads a changelog whose version 1.10.0 is a link to its release notes and writes it again without the link: "## [1.10.0]" becomes "## 1.10.0", and the target below is gone. One would guess
# that what was read is written, for this file format has these links in its own example. It keeps no target: it makes links from a repository's address only. Who adds one
# version to a product's changelog by program deletes where all the others led.
# Version: keep-a-changelog@3.1.0, seen on Node 24.21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" keep-a-changelog@3.1.0 > /dev/null
cat > "$dir/run.mjs" <<'JS'
import { parser } from 'keep-a-changelog';
const text = ['# Changelog', '', 'Of the field guide.', '', '## [1.10.0] - 2026-11-01', '', '### Added', '', '- A chapter, see [the plan](https://shop.example/plan)', '',
  '[1.10.0]: https://shop.example/guide/1.10.0', ''].join('\n');
const written = parser(text).toString();
console.log(`${written.split('\n').find((line) => line.startsWith('## '))}; the version's target is there: ${written.includes('guide/1.10.0')}, the link in the text: ${written.includes('(https://shop.example/plan)')}`);
JS
node --version
seen=$(node "$dir/run.mjs")
echo "seen: $seen"
[ "$seen" = "## 1.10.0 - 2026-11-01; the version's target is there: false, the link in the text: true" ]
