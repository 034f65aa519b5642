#!/usr/bin/env bash
# react-simple-star-rating takes initialValue as a share of a hundred until its first effect has run: rendered on a server, a rating of 4.3 has stars that are filled to 4.3 %, and the label "0.215 out of 5". In a browser the effect makes 4.3 out of 5 of it.
# One would guess that the HTML of a server says what the browser shows, or nothing.
# A page that Next.js, Astro or a prerenderer makes of a catalog's ratings tells search engines, link previews and readers without JavaScript that its best products are the worst, and its stars jump from nearly none to four in every visit.
# Version: react-simple-star-rating 5.1.7, react 19.3.1, jsdom 26.1.0. What to do: give the average in text beside it, or render it in the browser only.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps react-simple-star-rating@5.1.7 react@19.3.1 react-dom@19.3.1 jsdom@26.1.0
cat > run.js <<'JS'
import { JSDOM } from "jsdom";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import * as stars from "react-simple-star-rating";

const Rating = stars.Rating ?? stars.default.Rating;
const rating = createElement(Rating, { initialValue: 4.3, allowFraction: true, readonly: true });
const see = (html) => `${html.match(/filled-icons[^>]*title="([^"]*)"/)?.[1]}, ${html.match(/width:\s*[\d.]+%/g)}`;
const html = renderToString(rating);
console.log(`server: ${see(html)}`);
const { window } = new JSDOM(`<main>${html}</main>`, { url: "https://shop.example/" });
globalThis.navigator ??= window.navigator;
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
const { act } = await import("react");
const { hydrateRoot } = await import("react-dom/client");
const main = window.document.querySelector("main");
await act(() => hydrateRoot(main, rating));
console.log(`browser: ${see(main.innerHTML)}`);
process.exit();
JS
seen=$(node run.js)
echo "react-simple-star-rating@5.1.7 react@19.3.1"
echo "seen: $seen"
[ "$seen" = 'server: 0.215 out of 5, width:4.3%
browser: 4.3 out of 5, width: 86%' ]
