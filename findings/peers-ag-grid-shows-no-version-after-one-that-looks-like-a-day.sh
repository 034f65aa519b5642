#!/usr/bin/env bash
# AG Grid takes the type of a column from its first product. If that product's version is 2026-11-28, the versions 1.10 and C# of all others are shown and exported as nothing: the formatter of days has no text for them. With 1.10 first
# all are there, 2026-11-28 too. One would guess that a value of another type is shown as it is in the data, or marked: in a column whose first price is a number, a text is "Invalid Number", 19.90 as a text too.
# A table over a catalog's JSON hides versions, issues or titles by which product comes first. cellDataType: false, or "text" for the column, keeps them.
# Version: ag-grid-community 34.2.0 and 36.2.0 with jsdom 26.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund older@npm:ag-grid-community@34.2.0 newer@npm:ag-grid-community@36.2.0 jsdom@26.1.0
cat > run.js <<'JS'
import { JSDOM } from "jsdom";

const { window } = new JSDOM('<div id="shop"></div>', { pretendToBeVisual: true, url: "https://shop.example/" });
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Object.assign(window, { ResizeObserver: Observer, IntersectionObserver: Observer });
for (const name of Object.getOwnPropertyNames(window)) if (!(name in globalThis)) globalThis[name] = window[name];
Object.assign(globalThis, { window, Event: window.Event });
for (const name of ["older", "newer"]) {
  const { AllCommunityModule, ModuleRegistry, createGrid } = await import(name);
  ModuleRegistry.registerModules([AllCommunityModule]);
  function shown(field, values) {
    const grid = createGrid(window.document.getElementById("shop"), { rowData: values.map((value) => ({ [field]: value })), columnDefs: [{ field }] });
    const text = grid.getDataAsCsv().split("\r\n").slice(1).join();
    grid.destroy();
    return text;
  }
  console.log(`${name} ${shown("version", ["2026-11-28", "1.10", "C#"])} ${shown("version", ["1.10", "2026-11-28", "C#"])} ${shown("price", [19.9, "19.90", "5 or more"])}`);
}
process.exit();
JS
seen=$(node run.js | paste -sd';')
echo "ag-grid-community@34.2.0, ag-grid-community@36.2.0"
echo "seen: $seen"
versions='"2026-11-28","","" "1.10","2026-11-28","C#" "19.9","Invalid Number","Invalid Number"'
[ "$seen" = "older $versions;newer $versions" ]
