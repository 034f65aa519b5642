#!/usr/bin/env bash
# Directus on PostgreSQL: seven products, five of them cost the same. /items/products?sort=price, two a page, gives product 3 on pages 1 and 2 and product 4 on none: the query has ORDER BY price alone. With
# no sort at all it adds the id. One would guess that a CMS ends every order with the id, as Payload does, and that pages of data that nobody touches are disjoint.
# A mirror or a search engine that reads such a list in pages lacks a product and has another twice, with a count that agrees.
# Version: directus 12.4.0, seen on Node 24 and PostgreSQL 15.
set -euo pipefail
dir=$(mktemp -d)
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"; mkdir "$dir/pg" "$dir/socket"
[ "$(id -u)" != 0 ] || chown postgres "$dir/pg" "$dir/socket"
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps directus@12.4.0 > npm.log 2>&1 || { cat npm.log; exit 2; }
# Its scripts build this module for operations that run code; nothing here does.
echo 'module.exports = {};' > node_modules/isolated-vm/isolated-vm.js
export DB_CLIENT=pg DB_HOST="$dir/socket" DB_PORT=5432 DB_USER=postgres DB_DATABASE=postgres SECRET=invented HOST=127.0.0.1 TELEMETRY=false
export ADMIN_EMAIL=admin@example.com ADMIN_PASSWORD=invented-1
PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'); export PORT
npx directus bootstrap > boot.log 2>&1 || { tail -n 20 boot.log; exit 2; }
cat > run.js <<'JS'
import { spawn } from "node:child_process";

const server = spawn(process.execPath, ["node_modules/directus/cli.js", "start"], { stdio: "ignore" });
const base = `http://127.0.0.1:${process.env.PORT}`;
let token;
const ask = async (method, path, body) => {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  return (await answer.json()).data;
};
try {
  for (const until = Date.now() + 120_000; !(await fetch(`${base}/server/ping`).catch(() => null))?.ok; ) {
    if (Date.now() > until) throw new Error("Directus does not start");
    await new Promise((done) => setTimeout(done, 300));
  }
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env;
  token = (await ask("POST", "/auth/login", { email, password })).access_token;
  const id = { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true }, meta: {} };
  const price = { field: "price", type: "decimal", schema: { numeric_precision: 10, numeric_scale: 2 }, meta: {} };
  await ask("POST", "/collections", { collection: "products", schema: {}, meta: {}, fields: [id, price] });
  for (const each of [19.9, 5, 5, 5, null, 5, 5]) await ask("POST", "/items/products", { price: each });
  for (const sort of ["price", "price,id"]) {
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await ask("GET", `/items/products?limit=2&page=${page}&sort=${sort}`)).map((row) => row.id).join(","));
    console.log(`seen: sort=${sort}:`, pages.join(" | "));
  }
} finally {
  server.kill();
}
JS
echo "directus $(node -p 'require("./node_modules/directus/package.json").version'), PostgreSQL $(psql -h "$dir/socket" -U postgres -Atc 'SHOW server_version')"
seen=$(node run.js)
echo "$seen"
[ "$seen" = 'seen: sort=price: 2,3 | 3,6 | 7,1 | 5
seen: sort=price,id: 2,3 | 4,6 | 7,1 | 5' ]
