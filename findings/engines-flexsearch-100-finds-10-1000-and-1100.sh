#!/usr/bin/env bash
# FlexSearch's default encoder makes one of equal letters that follow each other, and does so with digits, too: 100 and 10 are the same word, and so are the beginnings of 1000 and 1100. The search for "100" finds all four.
# One would guess that letters of "Mugg" are forgiven, that a number is a number, and that its own matches come first: here "Lamp 1100" is the first answer to "100".
# Whoever types a part number or a size gets other parts among the right ones, without a rank to tell them apart. An encoder with dedupe: false keeps 100 and 10 apart.
# Version: flexsearch 0.8.212.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund flexsearch@0.8.212
cat > run.js <<'JS'
import { Encoder, Index } from "flexsearch";

const titles = ["Lamp 1100", "Lamp 1000", "Lamp 100", "Lamp 10", "Lamp 12"];
function found(words, options) {
  const index = new Index(options);
  titles.forEach((title, id) => index.add(id, title));
  return index.search(words).map((id) => titles[id].slice(5)).join("+");
}
console.log(`100: ${found("100")}, 1100: ${found("1100")}, 12: ${found("12")}`);
console.log(`without dedupe 100: ${found("100", { encoder: new Encoder({ dedupe: false }) })}`);
JS
seen=$(node run.js | paste -sd';')
echo "flexsearch@0.8.212"
echo "seen: $seen"
[ "$seen" = '100: 1100+1000+100+10, 1100: 1100+1000, 12: 12;without dedupe 100: 1000+100' ]
