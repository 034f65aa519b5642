/**
 * Sets up a Vendure with its own code, in an empty PostgreSQL database: its tables, its initial data, then products through its
 * services. Writes what its Shop API shows: `node vendure.cjs FOLDER-OF-VENDURE SHOWN.json`, with DATABASE_URL and PORT. With a third
 * argument it has another channel, `outlet`, and writes what that shows.
 */
const { createRequire } = require("node:module");
const { mkdtempSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const [folder = ".", shownFile, secondChannel] = process.argv.slice(2);
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
    AssetServerPlugin.init({ route: "assets", assetUploadDir: mkdtempSync(join(tmpdir(), "assets-")) }),
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

  const zone = main.defaultTaxZone;
  const taxCategory = async (name, rates) => {
    const made = await service("TaxCategoryService").create(ctx, { name, isDefault: false });
    for (const rate of rates)
      await service("TaxRateService").create(ctx, {
        ...{ name: `${name} ${rate.value}`, enabled: rate.enabled ?? true, value: rate.value },
        ...{ categoryId: made.id, zoneId: rate.zone ?? zone.id, customerGroupId: rate.group },
      });
    return made;
  };
  const elsewhere = await service("ZoneService").create(ctx, { name: "CNRY elsewhere", memberIds: [] });
  const members = await service("CustomerGroupService").create(ctx, { name: "CNRY members" });
  const books = await taxCategory("Books", [
    { value: 19, enabled: false },
    { value: 10, zone: elsewhere.id },
    { value: 5.5 },
  ]);
  const ofMembers = await taxCategory("Of members", [{ value: 8.875, group: members.id }]);
  const untaxed = await taxCategory("Untaxed", []);

  await service("GlobalSettingsService").updateSettings(ctx, {
    availableLanguages: [LanguageCode.en, LanguageCode.de, LanguageCode.fr, LanguageCode.es],
  });
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
      translations: more.translations ?? [
        en(name, { slug, description: `<p>${name}.</p>`.replace("&", "&amp;") }),
      ],
      ...{ filters: [{ code: "facet-value-filter", arguments: args }], inheritFilters: false },
      ...{ parentId: more.parentId, isPrivate: more.isPrivate },
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
      translations: more.translations ?? [
        en(name, { slug, description: more.description ?? `<p>${name}.</p>` }),
      ],
      facetValueIds: shelves.map(({ facetValueId }) => facetValueId),
      ...{ enabled: more.enabled ?? true, assetIds: more.assets },
      featuredAssetId: more.featured === undefined ? more.assets?.[0] : more.featured,
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
        ...(more.tax === undefined ? {} : { taxCategoryId: more.tax[size] ?? more.tax }),
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
  for (const name of ["blue.png", "blue-back.png", "blue-side.png"]) {
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
      ...{ slug: "blue-shirt", assets: assets.slice(0, 2), description: "<p>Soft &amp; <b>warm</b>.</p>" },
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

  await fillLanguages();
  await fillPrices();
  await fillOthers();
  if (secondChannel) await fillOutlet();

  /** Each empty field falls back by itself, also to the first row. */
  async function fillLanguages() {
    const texts = (languageCode, name, slug, description) => ({ languageCode, name, slug, description });
    const [de, fr, es] = [LanguageCode.de, LanguageCode.fr, LanguageCode.es];
    const of = (translations) => ({ translations });
    await product(
      "german",
      [clothes],
      { One: 2100 },
      {
        ...of([texts(de, "Nur auf Deutsch", "nur-auf-deutsch", "<p>Nur Deutsch.</p>")]),
        slug: "german",
      },
    );
    await product(
      "french",
      [clothes],
      { One: 2200 },
      {
        ...of([
          texts(fr, "Seulement en français", "seulement", ""),
          texts(es, "CNRY en español", "cnry-solo", "<p>CNRY.</p>"),
        ]),
        slug: "french",
      },
    );
    await product(
      "described",
      [clothes],
      { One: 2300 },
      {
        ...of([
          texts(de, "CNRY beschrieben", "cnry-beschrieben", "<p>Deutsch beschrieben.</p>"),
          texts(LanguageCode.en, "Described in the first row", "described-first", ""),
        ]),
        slug: "described",
      },
    );
    await product(
      "undescribed",
      [clothes],
      { One: 2400 },
      {
        ...of([
          texts(LanguageCode.en, "Described in another row", "described-other", ""),
          texts(de, "CNRY anders", "cnry-anders", "<p>CNRY.</p>"),
        ]),
        slug: "undescribed",
      },
    );
    await product("A text of blanks", [clothes], { One: 2500 }, { description: "<p> </p>" });
    await product("Without a description", [clothes], { One: 2600 }, { description: "" });
    await product("Quotes \"one\" & 'two', 50 % — ½ ☃", [clothes], { One: 2700 }, { slug: "quotes" });
    await product(`A long name ${"x".repeat(200)}`, [clothes], { One: 2800 }, { slug: "long-name" });
  }

  async function fillPrices() {
    // Net 10.00 and 20 % are more than net 10.90 and 7 %.
    const mixed = { S: taxes.find(({ name }) => name === "Standard Tax").id, M: reduced.id };
    await product("Two taxes", [clothes], { S: 1000, M: 1090 }, { tax: mixed });
    await product("Tax with a fraction", [clothes], { One: 1995 }, { tax: books.id });
    await product("Tax of members", [clothes], { One: 1995 }, { tax: ofMembers.id });
    await product("Without a tax", [clothes], { One: 1995 }, { tax: untaxed.id });
    await product("Half a cent", [clothes], { One: 1150 }, { tax: books.id });
    await product("Dear", [clothes], { One: 99_999_999 });
    const sizes = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`N${at}`, 5000 - at]));
    await product("Many variants", [clothes], sizes);
    const dollarsFirst = await product("Dollars are lower", [clothes], { One: 3100 });
    await variants.update(ctx, [
      { id: dollarsFirst.variants[0].id, prices: [{ currencyCode: CurrencyCode.USD, price: 1 }] },
    ]);
  }

  async function fillOthers() {
    await product(
      "Other pictures",
      [clothes],
      { One: 3200 },
      { assets: [assets[2], assets[0]], featured: assets[1] },
    );
    await product(
      "Pictures without a first one",
      [clothes],
      { One: 3300 },
      { assets: assets.slice(1), featured: null },
    );
    const old = await product("CNRY old address", [clothes], { One: 100 }, { slug: "taken-again" });
    await products.softDelete(ctx, old.id);
    await product("Taken again", [clothes], { One: 3400 }, { slug: "taken-again" });
    const winter = await collection("Winter", "winter");
    const coats = await collection("Coats", "coats", { parentId: winter.id });
    const passing = await collection("CNRY passing", "cnry-passing");
    await product("In three collections", [clothes, winter, coats], { One: 3500 });
    await product("In a collection that is deleted", [passing], { One: 3600 });
    await settle(app);
    await collections.delete(ctx, passing.id);
    const apart = await product("Off in one collection", [winter], { Off: 100, On: 3700 });
    await variants.update(ctx, [{ id: apart.variants[0].id, enabled: false }]);
    const renamed = await product("Before", [clothes], { One: 3800 }, { slug: "renamed" });
    await products.update(ctx, {
      id: renamed.id,
      translations: [en("Renamed", { slug: "renamed-since", description: "<p>Since.</p>" })],
    });
    await collection("Without a product", "empty-shelf");
    const publicFacet = await service("FacetService").create(ctx, {
      ...{ code: "colour", isPrivate: false, translations: [en("Colour")] },
    });
    await service("FacetValueService").create(ctx, publicFacet, {
      ...{ facetId: publicFacet.id, code: "red", translations: [en("Red")] },
    });
  }

  /** Another channel, with its own language, currency and way to write prices: in German where a field has it, in dollars, prices with tax. */
  async function fillOutlet() {
    const outlet = await channels.create(ctx, {
      ...{ code: "outlet", token: "outlet-token", defaultLanguageCode: LanguageCode.de },
      ...{ availableLanguageCodes: [LanguageCode.de, LanguageCode.en, LanguageCode.fr] },
      ...{
        pricesIncludeTax: true,
        defaultCurrencyCode: CurrencyCode.USD,
        availableCurrencyCodes: CURRENCIES,
      },
      ...{ defaultShippingZoneId: main.defaultShippingZone.id, defaultTaxZoneId: zone.id },
    });
    await service("RoleService").assignRoleToChannel(ctx, user.roles[0].id, outlet.id);
    // What the administrator may do is remembered by the context.
    const allowed = await contextOf();
    const german = (name, slug, description) => ({ languageCode: LanguageCode.de, name, slug, description });
    const french = (name, slug, description) => ({
      ...german(name, slug, description),
      languageCode: LanguageCode.fr,
    });
    const all = [];
    const assign = async (made, prices) => {
      await products.assignProductsToChannel(allowed, {
        ...{ productIds: [made.id], channelId: outlet.id, priceFactor: 1 },
      });
      const there = await contexts.create({ apiType: "admin", channelOrToken: outlet, user });
      const changes = made.variants.flatMap(({ id }, at) =>
        prices[at] === undefined
          ? []
          : [{ id, prices: [{ currencyCode: CurrencyCode.USD, price: prices[at] }] }],
      );
      if (changes.length > 0) await variants.update(there, changes);
      all.push(made.id);
    };
    const both = (name, slug, ...others) => ({
      slug,
      translations: [en(name, { slug, description: `<p>${name}.</p>` }), ...others],
    });
    await assign(
      await product(
        "x",
        [clothes],
        { One: 4100 },
        both("Whole", "whole", german("Ganz", "ganz", "<p>Ganz.</p>")),
      ),
      [4199],
    );
    await assign(
      await product(
        "x",
        [clothes],
        { One: 4200 },
        both("Undescribed in German", "undescribed-de", german("Unbeschrieben", "unbeschrieben", "")),
      ),
      [4299],
    );
    await assign(
      await product(
        "x",
        [clothes],
        { One: 4300 },
        both("Unnamed in German", "unnamed-de", german("", "unbenannt", "<p>Unbenannt.</p>")),
      ),
      [4399],
    );
    await assign(
      await product("x", [clothes], { One: 4400 }, both("English alone", "english-alone")),
      [4499],
    );
    await assign(
      await product(
        "x",
        [clothes],
        { One: 4500 },
        {
          slug: "french-first",
          translations: [
            french("Premier", "premier", "<p>En français.</p>"),
            german("Zuerst französisch", "zuerst-franzoesisch", ""),
          ],
        },
      ),
      [4599],
    );
    const part = await product(
      "x",
      [clothes],
      { S: 4600, M: 4700 },
      both("Part of it", "part", german("Ein Teil", "ein-teil", "")),
    );
    await assign(part, [100, 4799]);
    await variants.removeProductVariantsFromChannel(allowed, {
      ...{ productVariantIds: [part.variants[0].id], channelId: outlet.id },
    });
    const back = await product("Taken back", [clothes], { One: 4800 });
    await assign(back, [100]);
    await products.removeProductsFromChannel(allowed, { productIds: [back.id], channelId: outlet.id });
    // No price in dollars.
    await assign(await product("Without dollars", [clothes], { One: 4900 }), []);
    const there = await contexts.create({ apiType: "admin", channelOrToken: outlet, user });
    const shelf = await collections.create(there, {
      translations: [
        en("Outlet", { slug: "outlet", description: "<p>Outlet.</p>" }),
        german("Restposten", "restposten", ""),
      ],
      filters: [
        {
          code: "product-id-filter",
          arguments: [
            { name: "productIds", value: JSON.stringify(all.slice(0, 3)) },
            { name: "combineWithAnd", value: "true" },
          ],
        },
      ],
      inheritFilters: false,
    });
    if (shelf.id === undefined) throw new Error("no collection in the second channel");
  }

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
  for (const until = Date.now() + 300_000; ; ) {
    const { items } = await jobQueueStrategy.findMany();
    if (items.every(({ isSettled }) => isSettled)) return;
    if (Date.now() > until) throw new Error("the jobs do not end");
    await new Promise((done) => setTimeout(done, 200));
  }
}

async function ask(query, token) {
  const headers = { "content-type": "application/json", ...(token ? { "vendure-token": token } : {}) };
  const response = await fetch(`http://127.0.0.1:${PORT}/shop-api`, {
    ...{ method: "POST", headers, body: JSON.stringify({ query }) },
  });
  return response.json();
}

/** The lowest price of a product; null if it has no variant, or one without a price in the shop. */
async function lowest(id, token) {
  const { data, errors } = await ask(`{ product(id: ${id}) { variants { priceWithTax } } }`, token);
  if (errors) {
    if (errors.every(({ message }) => message.startsWith("No price information"))) return null;
    throw new Error(JSON.stringify(errors));
  }
  const prices = data.product.variants.map(({ priceWithTax }) => priceWithTax);
  return prices.length === 0 ? null : Math.min(...prices) / 100;
}

async function shown(token) {
  const { data, errors } = await ask(
    `{
    activeChannel { defaultCurrencyCode }
    products(options: { take: 100, sort: { id: ASC } }) {
      items { id name slug description createdAt collections { slug } featuredAsset { preview } assets { preview } }
    }
    collections(options: { take: 100, sort: { id: ASC } }) { items { name slug description } }
    facets { items { name } }
  }`,
    token,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  const path = (asset) => (asset ? `/assets/${asset.preview.split("/assets/").at(-1)}` : "");
  const products = [];
  for (const { id, name, slug, description, createdAt, collections, featuredAsset, assets } of data.products
    .items)
    products.push({
      ...{ id, title: name, url: `/products/${slug}`, price: await lowest(id, token), description },
      ...{ createdAt, image: path(featuredAsset), gallery: assets.map(path) },
      categories: collections.map((each) => each.slug),
    });
  return {
    made: { vendure: vendure.VENDURE_VERSION, at: `${new Date().toISOString().slice(0, 19)}Z` },
    currency: data.activeChannel.defaultCurrencyCode,
    api: products.map(({ title }) => title),
    products,
    categories: data.collections.items.map(({ name, slug, description }) => ({
      ...{ slug, name, url: `/collections/${slug}`, description },
    })),
    facets: data.facets.items.map(({ name }) => name),
  };
}

async function main() {
  const app = await vendure.bootstrap(config);
  await populateInitialData(app, initialData);
  await fill(app);
  await settle(app);
  const token = secondChannel ? "outlet-token" : undefined;
  writeFileSync(shownFile, `${JSON.stringify(await shown(token), null, 2)}\n`);
  await app.close();
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
