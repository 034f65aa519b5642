#!/usr/bin/env bash
# A product of a channel lists, in its field `collections`, also those that the channel does not have: the query `collections` does
# not give them there, and `collection` finds none by their slug. A good engineer guesses that both go by the channel.
# A catalog API that takes a product's categories from its own field links to pages that the channel's storefront answers with 404.
# Version: @vendure/core 3.7.3 with sql.js 1.13.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix "$dir" @vendure/core@3.7.3 sql.js@1.13.0 > npm.log 2>&1 || { cat npm.log; exit 2; }
cat > shop.cjs <<'JS'
const vendure = require("@vendure/core");
const { populateInitialData } = require("@vendure/core/cli");
const PORT = 18290;
const en = (name, more) => ({ languageCode: "en", name, ...more });
async function main() {
  const app = await vendure.bootstrap({
    apiOptions: { port: PORT, hostname: "127.0.0.1", shopApiPath: "shop-api" },
    authOptions: { superadminCredentials: { identifier: "admin", password: "admin" } },
    logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
    dbConnectionOptions: { type: "sqljs", synchronize: true, logging: false },
    paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
    plugins: [],
  });
  await populateInitialData(app, {
    defaultLanguage: "en", defaultZone: "Europe", taxRates: [{ name: "Standard", percentage: 20 }], shippingMethods: [],
    paymentMethods: [], collections: [], countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  });
  const service = (name) => app.get(vendure[name]);
  const user = await service("TransactionalConnection").rawConnection.getRepository(vendure.User)
    .findOneOrFail({ where: { identifier: "admin" }, relations: ["roles", "roles.channels"] });
  const context = (channelOrToken) => service("RequestContextService").create({ apiType: "admin", channelOrToken, user });
  const main = await service("ChannelService").getDefaultChannel();
  const ctx = await context();
  const zone = main.defaultTaxZone.id;
  const outlet = await service("ChannelService").create(ctx, {
    code: "outlet", token: "outlet", defaultLanguageCode: "en", pricesIncludeTax: true, defaultCurrencyCode: main.defaultCurrencyCode,
    defaultTaxZoneId: zone, defaultShippingZoneId: zone,
  });
  await service("RoleService").assignRoleToChannel(ctx, user.roles[0].id, outlet.id);
  const shirt = await service("ProductService").create(ctx, { translations: [en("Shirt", { slug: "shirt", description: "" })] });
  await service("ProductVariantService").create(ctx, [
    { productId: shirt.id, sku: "1", price: 1000, optionIds: [], translations: [en("Shirt")] },
  ]);
  const filters = [{ code: "product-id-filter", arguments: [
    { name: "productIds", value: JSON.stringify([shirt.id]) }, { name: "combineWithAnd", value: "true" },
  ] }];
  await service("CollectionService").create(ctx, { translations: [en("Clothes", { slug: "clothes", description: "" })], filters });
  await service("ProductService").assignProductsToChannel(ctx, { productIds: [shirt.id], channelId: outlet.id, priceFactor: 1 });
  await service("JobQueueService").start();
  const ask = async (query, token) => {
    const headers = { "content-type": "application/json", "vendure-token": token };
    const body = JSON.stringify({ query });
    return (await (await fetch(`http://127.0.0.1:${PORT}/shop-api`, { method: "POST", headers, body })).json()).data;
  };
  const look = async (token) => {
    const { product, collections, collection } = await ask(`{ product(slug: "shirt") { collections { slug } }
      collections { items { slug } } collection(slug: "clothes") { slug } }`, token);
    return { ofProduct: product.collections.map((each) => each.slug), all: collections.items.map((each) => each.slug), bySlug: collection?.slug ?? null };
  };
  for (const until = Date.now() + 60_000; (await look(main.token)).ofProduct.length === 0; ) {
    if (Date.now() > until) throw new Error("the collection stays empty");
    await new Promise((done) => setTimeout(done, 200));
  }
  const seen = await look("outlet");
  console.log(`Vendure ${vendure.VENDURE_VERSION}, Node ${process.version}`);
  console.log(`seen in the channel outlet: the product's collections ${JSON.stringify(seen.ofProduct)}, all collections ${JSON.stringify(seen.all)}, by slug ${seen.bySlug}`);
  process.exit(seen.ofProduct.includes("clothes") && seen.all.length === 0 && seen.bySlug === null ? 0 : 1);
}
main().catch((error) => { console.error(error); process.exit(2); });
JS
node shop.cjs
