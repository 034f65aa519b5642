#!/usr/bin/env bash
# Strapi 5 gives the published products for /api/products and for ?status=published. For any other word, such as status=publish, status=Published, status=live, and for status= or
# status=published twice, it gives the drafts with 200: texts and prices that nobody has released, and products that were never published. One would guess that an unknown word
# is a 400, as an unknown field, filter or order is in the same address, or means the published ones, which is what the same address without it means.
# (status=draft does so by the documentation.) A typing error in a link or a template fills a public catalog with what is not public yet.
# Version: @strapi/strapi 5.54.0, seen on Node 24 and PostgreSQL 15.
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
npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps @strapi/strapi@5.54.0 pg@8.23.1 > npm.log 2>&1 || { cat npm.log; exit 2; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
api=src/api/product
mkdir -p config public/uploads database/migrations $api/content-types/product $api/controllers $api/routes $api/services
echo '{"name":"shop","strapi":{"uuid":false}}' > package.json
echo "module.exports = () => ({ connection: { client: 'postgres', connection: { host: '$dir/socket', user: 'postgres', database: 'postgres', ssl: false } } });" > config/database.js
echo "module.exports = () => ({ host: '127.0.0.1', port: $port, app: { keys: ['invented'] } });" > config/server.js
echo "module.exports = () => ({ auth: { secret: 'invented' }, apiToken: { salt: 'invented' }, transfer: { token: { salt: 'invented' } } });" > config/admin.js
echo "module.exports = ['errors', 'security', 'cors', 'query', 'body', 'session', 'favicon', 'public'].map((name) => 'strapi::' + name);" > config/middlewares.js
echo "module.exports = require('@strapi/strapi').factories.createCoreController('api::product.product');" > $api/controllers/product.js
echo "module.exports = require('@strapi/strapi').factories.createCoreService('api::product.product');" > $api/services/product.js
echo "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::product.product', { config: { find: { auth: false } } });" > $api/routes/product.js
touch favicon.png public/favicon.png
cat > $api/content-types/product/schema.json <<'JSON'
{
  "kind": "collectionType",
  "collectionName": "products",
  "info": { "singularName": "product", "pluralName": "products", "displayName": "Product" },
  "options": { "draftAndPublish": true },
  "attributes": { "title": { "type": "string" }, "price": { "type": "decimal" } }
}
JSON
cat > run.cjs <<'JS'
process.env.STRAPI_TELEMETRY_DISABLED = "true";
const { createStrapi } = require("@strapi/strapi");
(async () => {
  const app = await createStrapi({ appDir: __dirname, distDir: __dirname, serveAdminPanel: false }).load();
  app.log.level = "error";
  await app.start();
  const products = app.documents("api::product.product");
  const { documentId } = await products.create({ data: { title: "Shirt", price: 20 }, status: "published" });
  await products.update({ documentId, data: { price: 15 } });
  await products.create({ data: { title: "Not yet", price: 1 } });
  const address = `http://127.0.0.1:${process.argv[2]}/api/products?sort=id&`;
  for (const query of ["", "status=published", "status=publish", "status=Published", "status=live", "status=", "status=published&status=published", "sort=nope"]) {
    const answer = await fetch(address + query);
    const { data } = await answer.json();
    console.log(`seen: "${query}"`, answer.status, data?.map(({ title, price }) => `${title} ${price}`).sort().join(", ") ?? "error");
  }
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(2); });
JS
echo "@strapi/strapi $(node -p 'require("./node_modules/@strapi/strapi/package.json").version'), Node $(node --version)"
node run.cjs "$port" > run.log 2>&1 || { tail -n 20 run.log; exit 2; }
seen=$(grep '^seen:' run.log)
echo "$seen"
[ "$seen" = 'seen: "" 200 Shirt 20
seen: "status=published" 200 Shirt 20
seen: "status=publish" 200 Not yet 1, Shirt 15
seen: "status=Published" 200 Not yet 1, Shirt 15
seen: "status=live" 200 Not yet 1, Shirt 15
seen: "status=" 200 Not yet 1, Shirt 15
seen: "status=published&status=published" 200 Not yet 1, Shirt 15
seen: "sort=nope" 400 error' ]
