#!/usr/bin/env bash
# Eleventy's fetch keeps one file per address whatever the headers or the type: asked for German after English it gives English, for as long as
# "duration" says, and asked for "json" after "text" it gives the JSON as a text, without an error. One would guess that both belong to the key, as method and body do.
# A site in two languages built from one catalog API, or two shops with one token each, shows one of them twice.
# Version: @11ty/eleventy-fetch 5.1.3, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @11ty/eleventy-fetch@5.1.3
cat > run.js <<'JS'
import { createServer } from "node:http";
import fetchKept from "@11ty/eleventy-fetch";

const server = createServer(({ headers }, response) => {
  response.setHeader("content-type", "application/json");
  response.setHeader("vary", "accept-language");
  response.end(JSON.stringify({ title: headers["accept-language"] === "de" ? "Tasse" : "Mug" }));
});
server.listen(0, "127.0.0.1", async () => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const ask = (path, type, language) =>
    fetchKept(address + path, { type, directory: "kept", duration: "1d", verbose: false, fetchOptions: { headers: { "accept-language": language } } });
  const [english, german] = [await ask("/mug.json", "json", "en"), await ask("/mug.json", "json", "de")];
  const [, json] = [await ask("/list.json", "text", "en"), await ask("/list.json", "json", "en")];
  console.log(`en ${english.title}; de ${german.title}; json after text: ${typeof json}`);
  server.close();
  server.closeAllConnections();
});
JS
seen=$(node run.js | tail -1)
echo "@11ty/eleventy-fetch@5.1.3"
echo "seen: $seen"
[ "$seen" = 'en Mug; de Mug; json after text: string' ]
