/**
 * Sets up a Vendure with its own code, in an empty PostgreSQL database: its tables, its initial data, then products through its
 * services. Prints what its Shop API shows: `node vendure.cjs FOLDER-OF-VENDURE`, with DATABASE_URL and PORT.
 */
const { createRequire } = require("node:module");
const { join } = require("node:path");

const [folder = "."] = process.argv.slice(2);
const load = createRequire(join(folder, "package.json"));
const vendure = load("@vendure/core");
const { AssetServerPlugin } = load("@vendure/asset-server-plugin");
const { populateInitialData } = load("@vendure/core/cli");
const { LanguageCode, CurrencyCode, Asset } = vendure;

const PORT = Number(process.env.PORT);
const CURRENCIES = [CurrencyCode.EUR, CurrencyCode.USD];

const config = {
  apiOptions: { port: PORT, hostname: "127.0.0.1", shopApiPath: "shop-api" },
  authOptions: { superadminCredentials: { identifier: "cnry-admin", password: "CNRY-password" } },
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
  dbConnectionOptions: {
    ...{ type: "postgres", url: process.env.DATABASE_URL, synchronize: true, logging: false },
  },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  plugins: [
    AssetServerPlugin.init({ route: "assets", assetUploadDir: join(folder, "assets") }),
    vendure.DefaultSearchPlugin.init({}),
  ],
};

const initialData = {
  ...{ defaultLanguage: LanguageCode.en, defaultZone: "Europe" },
  countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  taxRates: [
    { name: "Standard Tax", percentage: 20 },
    { name: "Reduced Tax", percentage: 7 },
  ],
  shippingMethods: [{ name: "Standard Shipping", price: 500 }],
  paymentMethods: [],
  collections: [],
};

/** Texts that visitors must not see contain the word CNRY. */
async function fill(app) {
  const service = (name) => app.get(vendure[name]);
  const connection = service("TransactionalConnection");
  const contexts = service("RequestContextService");
  const user = await connection.rawConnection
    .getRepository(vendure.User)
    .findOneOrFail({ where: { identifier: "cnry-admin" }, relations: ["roles", "roles.channels"] });
  const contextOf = (channelOrToken) => contexts.create({ apiType: "admin", channelOrToken, user });

  const channels = service("ChannelService");
  const main = await channels.getDefaultChannel();
  const currencies = { availableCurrencyCodes: CURRENCIES, defaultCurrencyCode: CurrencyCode.EUR };
  await channels.update(await contextOf(), { id: main.id, ...currencies });
  const ctx = await contextOf();
  const wholesale = await channels.create(ctx, {
    ...{ code: "CNRY-wholesale", token: "CNRY-token", defaultLanguageCode: LanguageCode.en },
    ...{ pricesIncludeTax: true, currencyCode: CurrencyCode.EUR },
    ...{ defaultShippingZoneId: main.defaultShippingZone.id, defaultTaxZoneId: main.defaultTaxZone.id },
  });
  // The administrator may work in the new channel, too.
  await service("RoleService").assignRoleToChannel(ctx, user.roles[0].id, wholesale.id);

  const { items: taxes } = await service("TaxCategoryService").findAll(ctx);
  const reduced = taxes.find(({ name }) => name === "Reduced Tax");
  const en = (name, more) => ({ languageCode: LanguageCode.en, name, ...more });

  const facet = await service("FacetService").create(ctx, {
    ...{ code: "shelf", isPrivate: true, translations: [en("CNRY shelf")] },
  });
  const products = service("ProductService");
  const variants = service("ProductVariantService");
  const collections = service("CollectionService");

  /** A collection of the products with its own value of the private facet. */
  async function collection(name, slug, more = {}) {
    const value = await service("FacetValueService").create(ctx, facet, {
      ...{ facetId: facet.id, code: slug, translations: [en(`CNRY ${name}`)] },
    });
    const args = [
      { name: "facetValueIds", value: JSON.stringify([value.id]) },
      { name: "containsAny", value: "false" },
    ];
    const made = await collections.create(ctx, {
      translations: [en(name, { slug, description: `<p>${name}.</p>`.replace("&", "&amp;") })],
      ...{ filters: [{ code: "facet-value-filter", arguments: args }], inheritFilters: false },
      ...more,
    });
    return { id: made.id, facetValueId: value.id };
  }
  const clothes = await collection("Clothes & Shoes", "clothes-shoes");
  const shirts = await collection("Shirts", "shirts", { parentId: clothes.id });
  const internal = await collection("CNRY internal", "cnry-internal", { isPrivate: true });
  const below = await collection("Below an internal one", "below-internal", { parentId: internal.id });

  async function product(name, shelves, prices, more = {}) {
    const slug = more.slug ?? name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    const made = await products.create(ctx, {
      translations: [en(name, { slug, description: more.description ?? `<p>${name}.</p>` })],
      facetValueIds: shelves.map(({ facetValueId }) => facetValueId),
      ...{ enabled: more.enabled ?? true, featuredAssetId: more.assets?.[0], assetIds: more.assets },
    });
    const group = await service("ProductOptionGroupService").create(ctx, {
      ...{ code: `${slug}-size`, translations: [en("Size")], options: [] },
    });
    await products.addOptionGroupToProduct(ctx, made.id, group.id);
    const inputs = [];
    for (const [size, price] of Object.entries(prices)) {
      const option = await service("ProductOptionService").create(ctx, group, {
        ...{ code: size.toLowerCase(), translations: [en(size)] },
      });
      inputs.push({
        ...{ productId: made.id, sku: `CNRY-${slug}-${size}`, optionIds: [option.id] },
        ...{ translations: [en(`${name} ${size}`)], stockOnHand: more.stock ?? 10, trackInventory: "TRUE" },
        ...(typeof price === "number" ? { price } : { prices: price }),
        ...(more.tax === undefined ? {} : { taxCategoryId: more.tax }),
      });
    }
    const found = inputs.length === 0 ? [] : await variants.create(ctx, inputs);
    return { id: made.id, variants: found };
  }

  const picture = await load("sharp")({
    create: { width: 40, height: 30, channels: 3, background: "#336699" },
  })
    .png()
    .toBuffer();
  const assets = [];
  for (const name of ["blue.png", "blue-back.png"]) {
    const { Readable } = require("node:stream");
    const made = await service("AssetService").createFromFileStream(Readable.from(picture), name, ctx);
    if (!(made instanceof Asset)) throw new Error(`no picture: ${JSON.stringify(made)}`);
    assets.push(made.id);
  }

  const shirt = await product(
    "Blue <Shirt>",
    [shirts, clothes],
    { S: 1999, M: 2450 },
    {
      ...{ slug: "blue-shirt", assets, description: "<p>Soft &amp; <b>warm</b>.</p>" },
    },
  );
  await product("Größen-Übersicht", [clothes], { One: 123450 }, { slug: "groessen-uebersicht" });
  await product("Free sample", [clothes], { One: 0 });
  await product("A book", [clothes], { One: 1995 }, { tax: reduced.id });
  await product("Rounded", [clothes], { One: 1 });
  await product("Without a collection", [], { One: 500 });
  await product("In an internal collection", [internal], { One: 700 });
  await product("In one below it", [below], { One: 800 });
  await product("Out of stock", [clothes], { One: 900 }, { stock: 0 });
  await product("Without variants", [clothes], {});
  const dollars = await product("In dollars alone", [clothes], {
    One: [{ currencyCode: CurrencyCode.USD, price: 1100 }],
  });
  await connection.rawConnection
    .getRepository(vendure.ProductVariantPrice)
    .delete({ variant: { id: dollars.variants[0].id }, currencyCode: CurrencyCode.EUR });
  const both = await product("In both currencies", [clothes], { One: 1300 });
  await variants.update(ctx, [
    {
      id: both.variants[0].id,
      prices: [
        { currencyCode: CurrencyCode.USD, price: 100 },
        { currencyCode: CurrencyCode.EUR, price: 1300 },
      ],
    },
  ]);
  const cheaper = await product("Cheapest variants are hidden", [clothes], { Off: 100, Gone: 200, On: 1500 });
  await variants.update(ctx, [{ id: cheaper.variants[0].id, enabled: false }]);
  await variants.softDelete(ctx, cheaper.variants[1].id);
  const off = await product("All variants are off", [clothes], { One: 100 });
  await variants.update(ctx, [{ id: off.variants[0].id, enabled: false }]);
  const german = { languageCode: LanguageCode.de, slug: "cnry-deutsch", description: "CNRY" };
  const translated = await product("In two languages", [clothes], { One: 1600 });
  await products.update(ctx, { id: translated.id, translations: [{ ...german, name: "CNRY Deutsch" }] });
  // The default channel has the products of all others; a price belongs to a channel.
  const shared = await product("In both channels", [clothes], { One: 1700 });
  await products.assignProductsToChannel(ctx, {
    ...{ productIds: [shared.id], channelId: wholesale.id, priceFactor: 0.5 },
  });

  await product("CNRY off", [clothes], { One: 100 }, { enabled: false });
  const gone = await product("CNRY deleted", [clothes], { One: 100 });
  await products.softDelete(ctx, gone.id);
  const emailAddress = "cnry.customer@canary.example";
  const customer = await service("CustomerService").create(ctx, {
    ...{ emailAddress, firstName: "CNRY", lastName: "CNRY", phoneNumber: "CNRY 1" },
  });
  await service("CustomerGroupService").create(ctx, { name: "CNRY friends", customerIds: [customer.id] });
  const shopCtx = await contexts.create({ apiType: "shop" });
  const order = await service("OrderService").create(shopCtx);
  await service("OrderService").addItemToOrder(shopCtx, order.id, shirt.variants[0].id, 1);
  await service("OrderService").addCustomerToOrder(shopCtx, order.id, customer);
}

/** Jobs assign products to collections. */
async function settle(app) {
  await app.get(vendure.JobQueueService).start();
  const { jobQueueStrategy } = app.get(vendure.ConfigService).jobQueueOptions;
  for (const until = Date.now() + 60_000; ; ) {
    const { items } = await jobQueueStrategy.findMany();
    if (items.every(({ isSettled }) => isSettled)) return;
    if (Date.now() > until) throw new Error("the jobs do not end");
    await new Promise((done) => setTimeout(done, 200));
  }
}

async function ask(query) {
  const response = await fetch(`http://127.0.0.1:${PORT}/shop-api`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query }) },
  });
  return response.json();
}

/** The lowest price of a product; null if it has no variant, or one without a price in the shop. */
async function lowest(id) {
  const { data, errors } = await ask(`{ product(id: ${id}) { variants { priceWithTax } } }`);
  if (errors) {
    if (errors.every(({ message }) => message.startsWith("No price information"))) return null;
    throw new Error(JSON.stringify(errors));
  }
  const prices = data.product.variants.map(({ priceWithTax }) => priceWithTax);
  return prices.length === 0 ? null : Math.min(...prices) / 100;
}

async function shown() {
  const { data, errors } = await ask(`{
    activeChannel { defaultCurrencyCode }
    products(options: { take: 100, sort: { id: ASC } }) { items { id name slug collections { slug } } }
    collections(options: { take: 100, sort: { id: ASC } }) { items { name slug } }
  }`);
  if (errors) throw new Error(JSON.stringify(errors));
  const products = [];
  for (const { id, name, slug, collections } of data.products.items)
    products.push({
      ...{ id, title: name, url: `/products/${slug}`, price: await lowest(id) },
      categories: collections.map((each) => each.slug),
    });
  return {
    made: { vendure: vendure.VENDURE_VERSION, at: `${new Date().toISOString().slice(0, 19)}Z` },
    currency: data.activeChannel.defaultCurrencyCode,
    api: products.map(({ title }) => title),
    products,
    categories: data.collections.items.map(({ name, slug }) => ({ slug, name, url: `/collections/${slug}` })),
  };
}

async function main() {
  const app = await vendure.bootstrap(config);
  await populateInitialData(app, initialData);
  await fill(app);
  await settle(app);
  process.stdout.write(`${JSON.stringify(await shown(), null, 2)}\n`);
  await app.close();
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
