#!/usr/bin/env bash
# A variant in Medusa costs 20. One active sale asks for 12 everywhere, another one for 19 in the visitor's region. A good engineer
# expects 12: of two sales for everybody the lowest counts, and Medusa's own words are "the lowest price". It asks for 19: the
# sale with more rules comes first, and only that one is compared with the variant's own price. The same with a list that replaces
# prices: 19 in the region hides a sale of 12.
# A catalog that shows the lowest sale that is valid advertises a price which no cart grants.
# Version: @medusajs/pricing@2.21.2 with @medusajs/framework@2.21.2, seen on Node 24 and PostgreSQL 15.
set -euo pipefail
dir=$(mktemp -d)
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$*"; else sh -c "$*"; fi; }
end() {
  [ ! -f "$dir/pg/postmaster.pid" ] || as "$bin/pg_ctl -D $dir/pg -m immediate stop" > /dev/null 2>&1 || true
  rm -rf "$dir"
}
trap end EXIT
chmod 755 "$dir"
mkdir "$dir/pg" "$dir/socket"
[ "$(id -u)" != 0 ] || chown postgres "$dir/pg" "$dir/socket"
as "$bin/initdb -D $dir/pg -A trust -U postgres -E UTF8 --locale=C.UTF-8" > /dev/null
as "$bin/pg_ctl -D $dir/pg -w -l $dir/pg/log -o \"-c listen_addresses= -c unix_socket_directories=$dir/socket -c fsync=off\" start" > /dev/null
npm install --silent --no-audit --no-fund --prefix "$dir" @medusajs/pricing@2.21.2 @medusajs/framework@2.21.2 > /dev/null
psql -q -h "$dir/socket" -U postgres <<'SQL'
CREATE TABLE price (id TEXT, price_set_id TEXT, currency_code TEXT DEFAULT 'eur', amount NUMERIC, raw_amount JSONB, min_quantity NUMERIC,
  max_quantity NUMERIC, rules_count INTEGER DEFAULT 0, price_list_id TEXT, deleted_at TIMESTAMPTZ);
CREATE TABLE price_rule (id TEXT, price_id TEXT, attribute TEXT, operator TEXT DEFAULT 'eq', value TEXT, deleted_at TIMESTAMPTZ);
CREATE TABLE price_list (id TEXT, type TEXT, status TEXT DEFAULT 'active', starts_at TIMESTAMPTZ, ends_at TIMESTAMPTZ,
  rules_count INTEGER DEFAULT 0, deleted_at TIMESTAMPTZ);
CREATE TABLE price_list_rule (id TEXT, price_list_id TEXT, attribute TEXT, value JSONB, deleted_at TIMESTAMPTZ);
INSERT INTO price_list (id, type, rules_count) VALUES ('everywhere', 'sale', 0), ('region', 'sale', 1), ('replaces', 'override', 1);
INSERT INTO price_list_rule (id, price_list_id, attribute, value)
  VALUES ('1', 'region', 'region_id', '["europe"]'), ('2', 'replaces', 'region_id', '["europe"]');
INSERT INTO price (id, price_set_id, amount, price_list_id) VALUES ('a', 'two sales', 20, NULL), ('b', 'two sales', 12, 'everywhere'),
  ('c', 'two sales', 19, 'region'), ('d', 'list and sale', 20, NULL), ('e', 'list and sale', 12, 'everywhere'),
  ('f', 'list and sale', 19, 'replaces');
SQL
cat > "$dir/run.cjs" <<'JS'
const { PricingRepository } = require("@medusajs/pricing/dist/repositories");
const { PricingModuleService } = require("@medusajs/pricing/dist/services");
const { knex } = require("@medusajs/framework/mikro-orm/knex");
(async () => {
  const connection = { host: process.argv[2], user: "postgres", database: "postgres" };
  const database = knex({ client: "pg", connection });
  const manager = { getKnex: () => database };
  const service = Object.create(PricingModuleService.prototype);
  service.baseRepository_ = { getFreshManager: () => manager };
  service.pricingRepository_ = new PricingRepository({ manager });
  // Whether prices include tax does not matter here.
  service.listPriceRules = service.listPricePreferences_ = async () => [];
  const context = { currency_code: "eur", region_id: "europe" };
  const prices = await service.calculatePrices({ id: ["two sales", "list and sale"] }, { context });
  for (const { id, calculated_amount, original_amount } of prices)
    console.log(`seen: ${id}: ${calculated_amount}, original ${original_amount}`);
  await database.destroy();
  const [sales, list] = prices;
  const isSame = sales.calculated_amount === 19 && sales.original_amount === 20 && list.calculated_amount === 19;
  process.exit(isSame ? 0 : 1);
})();
JS
echo "version: $(node -p "require('$dir/node_modules/@medusajs/pricing/package.json').version"), Node $(node --version), PostgreSQL $(psql -h "$dir/socket" -U postgres -Atc 'SHOW server_version')"
node "$dir/run.cjs" "$dir/socket"
