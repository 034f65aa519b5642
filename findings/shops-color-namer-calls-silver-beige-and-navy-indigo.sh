#!/usr/bin/env bash
# color-namer's list "basic", made for naming a colour in everyday words, calls silver (#c0c0c0) beige and navy (#000080) indigo; its list "pantone" calls navy "Purple Heart" and beige "Spring Green". One would guess gray and blue, as its
# list "html" has silver and navy: the nearest colour of the list is taken by distance, and the list has one gray, #808080, and one blue, #0000ff, both far away.
# A shop that makes the values of its colour filter from the pictures' or the variants' hex codes puts silver goods under beige, and a visitor who asks for gray or blue does not find them.
# Version: color-namer@1.4.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" color-namer@1.4.0
cat > "$dir/names.cjs" << 'END'
const names = require("color-namer");
for (const hex of ["#ff0000", "#808080", "#c0c0c0", "#000080", "#f5f5dc"]) {
  const { basic, html, pantone } = names(hex);
  console.log(`${hex} basic ${basic[0].name}, html ${html[0].name}, pantone ${pantone[0].name}`);
}
END
seen="$(node "$dir/names.cjs")"
echo "color-namer $(node -p "require('$dir/node_modules/color-namer/package.json').version"), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "#ff0000 basic red, html red, pantone Scarlet
#808080 basic gray, html gray, pantone Gray
#c0c0c0 basic beige, html silver, pantone Silver
#000080 basic indigo, html navy, pantone Purple Heart
#f5f5dc basic beige, html beige, pantone Spring Green" ]
