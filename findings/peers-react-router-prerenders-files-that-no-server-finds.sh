#!/usr/bin/env bash
# React Router prerenders the address of the product "Größe" into a file that is called gr%C3%B6%C3%9Fe.json on the disk, and "50% off" into 50%25-off.json. One would guess files with the decoded
# names, which Next, SvelteKit and Astro write, since a static server decodes what it is asked: express.static answers 404 to the address and gives the file for the address of its escapes
# only, encoded once more. The build ends with 0 and lists each file; the loader gets the right name.
# A prerendered catalog lacks each product with a letter beyond ASCII, a blank or a percent sign in its address, on any host that serves files.
# Version: @react-router/dev 8.4.0 with vite 8.4.0, beside express 5.3.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps @react-router/dev@8.4.0 @react-router/node@8.4.0 react-router@8.4.0 react@19.3.1 react-dom@19.3.1 vite@8.4.0 isbot@5.2.3 express@5.3.0
mkdir -p app/routes
cat > vite.config.js <<'JS'
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [reactRouter()] });
JS
cat > react-router.config.js <<'JS'
export default { prerender: ["größe", "50% off", "plain"].map((slug) => `/products/${encodeURIComponent(slug)}.json`) };
JS
cat > app/root.jsx <<'JS'
import { Outlet } from "react-router";

export default function Root() {
  return <html><body><Outlet /></body></html>;
}
JS
cat > app/routes.js <<'JS'
import { route } from "@react-router/dev/routes";

export default [route("products/:file", "routes/product.js")];
JS
echo 'export const loader = ({ params }) => Response.json({ file: params.file });' > app/routes/product.js
npx react-router build > build.log 2>&1 || { tail -n 20 build.log; exit 2; }
cat > run.js <<'JS'
import express from "express";

const server = express().use(express.static("build/client")).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
for (const path of ["gr%C3%B6%C3%9Fe.json", "50%25%20off.json", "plain.json", "gr%25C3%25B6%25C3%259Fe.json"]) {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/products/${path}`);
  console.log(path, answer.status, answer.ok ? await answer.text() : "");
}
server.closeAllConnections();
server.close();
JS
seen=$(cd build/client/products; ls -1 -- *.json; cd "$dir"; node run.js)
echo "@react-router/dev $(node -p 'require("./node_modules/@react-router/dev/package.json").version')"
echo "seen: $seen"
[ "$seen" = '50%25%20off.json
gr%C3%B6%C3%9Fe.json
plain.json
gr%C3%B6%C3%9Fe.json 404 
50%25%20off.json 404 
plain.json 200 {"file":"plain.json"}
gr%25C3%25B6%25C3%259Fe.json 200 {"file":"größe.json"}' ]
