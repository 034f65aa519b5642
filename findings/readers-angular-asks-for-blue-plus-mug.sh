#!/usr/bin/env bash
# new HttpParams({ fromString: location.search }) of Angular keeps the plus of ?q=blue+mug as a plus, and sends q=blue%2Bmug: a search for the text "blue+mug". What it writes itself is right (a blank as %20, a plus as %2B). One would guess
# that it reads a query as URLSearchParams and every form of a browser write it, where + is a blank; Java, PHP and Express read it so as well.
# A page that hands its own address on to the catalog API finds nothing for two words, if a form or a link of another site made the address.
# Version: @angular/common 21.2.26, rxjs 7.8.2, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @angular/common@21.2.26 @angular/core@21.2.26 @angular/compiler@21.2.26 rxjs@7.8.2
cat > run.mjs <<'JS'
import "@angular/compiler";
import { HttpParams } from "@angular/common/http";

const query = new URLSearchParams({ q: "blue mug", size: "1+2" }).toString();
const params = new HttpParams({ fromString: query });
console.log(`${query}: q ${params.get("q")}, sent ${params}, written anew ${new HttpParams({ fromObject: { q: "blue mug" } })}`);
JS
seen=$(node run.mjs)
echo "@angular/common@21.2.26"
echo "seen: $seen"
[ "$seen" = "q=blue+mug&size=1%2B2: q blue+mug, sent q=blue%2Bmug&size=1%2B2, written anew q=blue%20mug" ]
