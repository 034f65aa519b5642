#!/usr/bin/env bash
# React renders <shop-widget data-sale={false} aria-hidden={false}> in the browser with both attributes, "false", and on a server with neither; on a <div> both sides have them. Hydration does not put them back and says nothing.
# One would guess the same attributes from both sides, and "false" for data- and aria- names everywhere, since they are no switches. An object, such as a Date, is an attribute in the browser only, too.
# A widget that reads data-sale="false" as "hide the sale's price" shows it to who loads the page, and hides it from who comes there by a click inside the site.
# Version: react 19.3.1, react-dom 19.3.1, jsdom 26.1.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund react@19.3.1 react-dom@19.3.1 jsdom@26.1.0
cat > run.mjs <<'JS'
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
globalThis.navigator ??= window.navigator;
const { createElement } = await import("react");
const { flushSync } = await import("react-dom");
const { createRoot, hydrateRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");

const complaints = [];
console.error = (...words) => complaints.push(words.join(" "));
for (const name of ["shop-widget", "div"]) {
  const element = createElement(name, { "data-sale": false, "aria-hidden": false });
  const here = document.createElement("div");
  flushSync(() => createRoot(here).render(element));
  const there = document.createElement("div");
  there.innerHTML = renderToString(element);
  flushSync(() => hydrateRoot(there, element, { onRecoverableError: (error) => complaints.push(error.message) }));
  await new Promise((done) => setTimeout(done, 100));
  console.log(`browser ${here.innerHTML} server, hydrated ${there.innerHTML}`);
}
console.log(`complaints: ${complaints.length}`);
process.exit(0);
JS
seen=$(node run.mjs)
echo "react@19.3.1 react-dom@19.3.1 jsdom@26.1.0"
echo "seen: $seen"
[ "$seen" = 'browser <shop-widget data-sale="false" aria-hidden="false"></shop-widget> server, hydrated <shop-widget></shop-widget>
browser <div data-sale="false" aria-hidden="false"></div> server, hydrated <div data-sale="false" aria-hidden="false"></div>
complaints: 0' ]
