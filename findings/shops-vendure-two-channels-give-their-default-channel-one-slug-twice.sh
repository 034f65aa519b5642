#!/usr/bin/env bash
# Vendure makes slugs unique: a second "Mug" in a channel gets "mug-2". It looks at the channel of who writes alone, and puts each product and collection in the default
# channel, too: the Mug and the Sale that a second seller makes in their own channel are "mug" and "sale" a second time in the default one, without an error or a warning.
# One would guess that a slug is unique where it is read. The Shop API of the default channel lists both of each and finds the first, so the other's page shows a stranger's product.
# A catalog of the default channel, which has the products of all sellers, needs another key than the slug.
# Version: @vendure/core 3.7.3 with sql.js 1.13.0, seen on Node 24 and 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --no-audit --no-fund --silent --ignore-scripts --legacy-peer-deps @vendure/core@3.7.3 sql.js@1.13.0 > npm.log 2>&1 || { cat npm.log; exit 2; }
PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'); export PORT
cat > run.js <<'JS'
const vendure = require("@vendure/core");
const { populateInitialData } = require("@vendure/core/cli");
const port = Number(process.env.PORT);
async function main() {
  const app = await vendure.bootstrap({
    apiOptions: { port, hostname: "127.0.0.1", shopApiPath: "shop-api" },
    authOptions: { superadminCredentials: { identifier: "admin", password: "invented" } },
    logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
    dbConnectionOptions: { type: "sqljs", synchronize: true, logging: false },
    paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  });
  await populateInitialData(app, {
    defaultLanguage: "en", defaultZone: "Europe", taxRates: [{ name: "Standard", percentage: 20 }], shippingMethods: [],
    paymentMethods: [], collections: [], countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  });
  const [channels, contexts] = [app.get(vendure.ChannelService), app.get(vendure.RequestContextService)];
  const user = await app.get(vendure.TransactionalConnection).rawConnection.getRepository(vendure.User)
    .findOneOrFail({ where: { identifier: "admin" }, relations: ["roles", "roles.channels"] });
  const contextOf = (channelOrToken) => contexts.create({ apiType: "admin", channelOrToken, user });
  const main = await channels.getDefaultChannel();
  const ada = await channels.create(await contextOf(main), {
    code: "ada", token: "ada", defaultLanguageCode: "en", pricesIncludeTax: true, currencyCode: "USD",
    defaultShippingZoneId: main.defaultShippingZone.id, defaultTaxZoneId: main.defaultTaxZone.id,
  });
  await app.get(vendure.RoleService).assignRoleToChannel(await contextOf(main), user.roles[0].id, ada.id);
  for (const [channel, name, by] of [[main, "Mug", "Bo"], [main, "Mug", "Cy"], [ada, "Mug", "Ada"], [main, "Sale", "Bo"], [ada, "Sale", "Ada"]]) {
    const translations = [{ languageCode: "en", name, slug: name.toLowerCase(), description: `by ${by}` }];
    const service = app.get(name === "Mug" ? vendure.ProductService : vendure.CollectionService);
    await service.create(await contextOf(channel), { translations, filters: [] });
  }
  const both = "items { slug description }";
  const query = `{ products { ${both} } collections { ${both} } product(slug: "mug") { description } collection(slug: "sale") { description } }`;
  const answer = await fetch(`http://127.0.0.1:${port}/shop-api`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query }) });
  const { products, collections, product, collection } = (await answer.json()).data;
  const listed = [...products.items, ...collections.items].map(({ slug, description }) => `${slug} ${description}`);
  console.log(`seen: ${listed.join(", ")} - mug is ${product.description}, sale ${collection.description}`);
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(2); });
JS
echo "@vendure/core $(node -p 'require("./node_modules/@vendure/core/package.json").version'), Node $(node --version)"
seen=$(node run.js 2> run.log | grep '^seen:') || { cat run.log; exit 2; }
echo "$seen"
[ "$seen" = 'seen: mug by Bo, mug-2 by Cy, mug by Ada, sale by Bo, sale by Ada - mug is by Bo, sale by Bo' ]
