#!/usr/bin/env bash
# EverShop's search looks in the JSON that its editor makes of a description, with the names of its fields: the words columns, paragraph and size find every product that has a description. And max_price=0 is no limit, it gives all
# products, while min_price and max_price are limits otherwise. One would guess that a search looks in what a visitor reads, and that nothing costs less than 0.
# A search for "size" or "columns" shows the whole shop, with a total that looks right, and the filter for free products shows what is not free.
# Version: @evershop/evershop 2.2.1 with its own services on PostgreSQL 15, seen on Node 24.
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
cd "$dir"; echo '{"type":"module"}' > package.json; mkdir config
# It imports concat-stream without asking for it.
npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps @evershop/evershop@2.2.1 concat-stream@2.0.0 > npm.log 2>&1 || { cat npm.log; exit 2; }
export DB_HOST="$dir/socket" DB_PORT=5432 DB_USER=postgres DB_NAME=postgres DB_PASSWORD=invented NODE_ENV=production SUPPRESS_NO_CONFIG_WARNING=1 ALLOW_CONFIG_MUTATIONS=true
cat > run.js <<'JS'
const own = (path) => import(`./node_modules/@evershop/evershop/dist/${path}.js`);
const { getCoreModules } = await own("bin/lib/loadModules");
const { loadBootstrapScript } = await own("bin/lib/bootstrap/bootstrap");
const { migrate } = await own("bin/lib/bootstrap/migrate");
const modules = getCoreModules();
for (const module of modules) await loadBootstrapScript(module, { command: "start", env: "production", process: "main" });
await migrate(modules);
const { default: createProduct } = await own("modules/catalog/services/product/createProduct");
const { ProductCollection } = await own("modules/catalog/services/ProductCollection");
const { getProductsBaseQuery } = await own("modules/catalog/services/getProductsBaseQuery");

const block = (text) => [
  { id: "r1", size: 1, columns: [{ id: "c1", size: 1, data: { blocks: [{ id: "b1", type: "paragraph", data: { text } }] } }] },
];
const mugs = [["Red mug", 20, block("Holds a lot of tea.")], ["Blue mug", 15], ["Old cup", 10, block("Chipped.")]];
for (const [row, [name, price, description]] of mugs.entries()) {
  await createProduct({
    name, price, sku: `M${row}`, url_key: `m${row}`, status: 1, visibility: 1, qty: 5, manage_stock: 1, stock_availability: 1,
    group_id: 1, no_shipping_required: true, ...(description && { description }),
  }, {});
}
for (const [key, value] of [["cat", ""], ["keyword", "tea"], ["keyword", "mug"], ["keyword", "paragraph"], ["keyword", "columns"], ["keyword", "size"], ["max_price", "15"], ["max_price", "0"]]) {
  const products = new ProductCollection(getProductsBaseQuery());
  await products.init(value === "" ? [] : [{ key, operation: "eq", value }]);
  console.log("seen:", value === "" ? "all" : `${key}=${value}`, (await products.items()).map(({ name }) => name).sort().join(", "));
}
process.exit(0);
JS
echo "@evershop/evershop $(node -p 'JSON.parse(fs.readFileSync("node_modules/@evershop/evershop/package.json")).version')"
seen=$(node run.js 2> error.log | grep '^seen:') || { tail -n 20 error.log; exit 1; }
echo "$seen"
[ "$seen" = 'seen: all Blue mug, Old cup, Red mug
seen: keyword=tea Red mug
seen: keyword=mug Blue mug, Red mug
seen: keyword=paragraph Old cup, Red mug
seen: keyword=columns Old cup, Red mug
seen: keyword=size Old cup, Red mug
seen: max_price=15 Blue mug, Old cup
seen: max_price=0 Blue mug, Old cup, Red mug' ]
