/** Fills a Medusa through its own workflows: `medusa exec medusa.cjs`; prints the publishable key of its Store API and its regions. */

/** Texts that visitors must not see contain the word CNRY. */
module.exports.default = async ({ container }) => {
  const run = async (workflow, input) => {
    const { result, errors } = await container
      .resolve("workflows")
      .run(workflow, { input, throwOnError: true });
    if (errors?.length > 0) throw errors[0].error;
    return result;
  };
  const query = async (entity, fields) => (await container.resolve("query").graph({ entity, fields })).data;

  const [store] = await query("store", ["id"]);
  const [channel, other] = await run("create-sales-channels", {
    salesChannelsData: [{ name: "Shop" }, { name: "CNRY wholesale", description: "CNRY" }],
  });
  await run("update-stores", {
    selector: { id: store.id },
    update: {
      name: "Ada & Sons",
      supported_currencies: [{ currency_code: "usd" }, { currency_code: "eur", is_default: true }],
      default_sales_channel_id: channel.id,
    },
  });
  const [region, dollars] = await run("create-regions", {
    regions: [
      { name: "Europe", currency_code: "eur", countries: ["de", "fr"] },
      { name: "America", currency_code: "usd", countries: ["us"] },
    ],
  });
  const [key] = await run("create-api-keys", {
    api_keys: [{ title: "CNRY key", type: "publishable", created_by: "" }],
  });
  await run("link-sales-channels-to-api-key", { id: key.id, add: [channel.id] });

  const category = async (name, more) =>
    (await run("create-product-categories", { product_categories: [{ name, is_active: true, ...more }] }))[0]
      .id;
  const clothes = await category("Clothes & Shoes", { description: "To wear." });
  const shirts = await category("Shirts", { parent_category_id: clothes });
  const [type] = await run("create-product-types", { product_types: [{ value: "Men's wear" }] });
  const internal = await category("CNRY internal", { is_internal: true });
  const inactive = await category("CNRY inactive", { is_active: false });
  const below = await category("Below an internal one", { parent_category_id: internal });

  const variants = (prices) =>
    Object.entries(prices).map(([size, amounts]) => ({
      ...{ title: size, options: { Size: size }, manage_inventory: false, sku: `CNRY-${Math.random()}` },
      prices: Object.entries(amounts).map(([currency_code, amount]) => ({ currency_code, amount })),
    }));
  const product = async (title, category_ids, prices, more = {}) => {
    const [made] = await run("create-products", {
      products: [
        {
          ...{ title, status: "published", category_ids, sales_channels: [{ id: channel.id }] },
          ...{ options: [{ title: "Size", values: Object.keys(prices) }], variants: variants(prices) },
          ...{ metadata: { note: "CNRY" }, external_id: "CNRY" },
          ...more,
        },
      ],
    });
    return made;
  };
  const shirt = await product(
    "Blue Shirt",
    [shirts],
    { S: { eur: 19.99, usd: 21 }, M: { eur: 24.5, usd: 26 } },
    {
      subtitle: "Soft & blue",
      description: "First line.\nSecond <line>.\n\nThird & last.",
      thumbnail: "https://cdn.example/blue.png",
      images: [{ url: "https://cdn.example/second.png" }, { url: "https://cdn.example/first.png" }],
      type_id: type.id,
    },
  );
  await product("Größen-Übersicht", [clothes, shirts], { One: { eur: 1234.5 } });
  await product("Free sample", [clothes], { One: { eur: 0 } });
  const one = (title, prices = { One: { eur: 20 } }, more = {}) => product(title, [clothes], prices, more);
  const onePiece = await one("One piece");
  await product("No category", [], { One: { eur: 5 } });
  await product("In an internal category", [internal], { One: { eur: 6 } });
  await product("In an inactive category", [inactive], { One: { eur: 6 } });
  await product("Below an internal category", [below], { One: { eur: 6 } });
  await product("In both kinds of category", [internal, shirts], { One: { eur: 7 } });
  await one("In dollars alone", { One: { usd: 8 } });
  await one("Without variants", {}, { options: [{ title: "Size", values: ["One"] }], variants: [] });
  await one("Gift card", { One: { eur: 50 } }, { is_giftcard: true });
  await one("Three decimals", { One: { eur: 3.333 } });
  await one("In both channels", undefined, { sales_channels: [{ id: channel.id }, { id: other.id }] });
  await one("With a handle of its own", undefined, { handle: "own-handle", subtitle: "Only a subtitle" });
  await one("CNRY draft", { One: { eur: 1 } }, { status: "draft" });
  await one("CNRY proposed", { One: { eur: 1 } }, { status: "proposed" });
  await one("CNRY rejected", { One: { eur: 1 } }, { status: "rejected" });
  await one("CNRY elsewhere", { One: { eur: 1 } }, { sales_channels: [{ id: other.id }] });
  await one("CNRY nowhere", { One: { eur: 1 } }, { sales_channels: [] });
  const gone = await one("CNRY deleted", { One: { eur: 1 } });
  await run("delete-products", { ids: [gone.id] });
  const cheaper = await one("A cheaper variant is gone", { One: { eur: 20 }, Two: { eur: 2 } });
  await run("delete-product-variants", { ids: [cheaper.variants.find(({ title }) => title === "Two").id] });

  // Sold out, and a kit of two stocked parts: products are shown whatever the stock is.
  await one("Sold out", undefined, {
    variants: variants({ One: { eur: 20 } }).map((each) => ({ ...each, manage_inventory: true })),
  });
  const parts = await run("create-inventory-items-workflow", {
    items: [{ sku: "CNRY-frame" }, { sku: "CNRY-wheel" }],
  });
  await one("Kit of a frame and two wheels", undefined, {
    variants: variants({ One: { eur: 20 } }).map((each) => ({
      ...each,
      manage_inventory: true,
      inventory_items: parts.map(({ id }, at) => ({ inventory_item_id: id, required_quantity: at + 1 })),
    })),
  });

  const [group] = await run("create-customer-groups", { customersData: [{ name: "CNRY friends" }] });
  const list = (made, amount, more = {}, price = {}) =>
    run("create-price-lists", {
      price_lists_data: [
        {
          ...{ title: "CNRY list", description: "CNRY", type: "sale", status: "active", rules: {} },
          prices: [{ amount, currency_code: "eur", variant_id: made.variants[0].id, ...price }],
          ...more,
        },
      ],
    });
  const override = { type: "override" };
  const now = { starts_at: "2020-01-01T00:00:00Z", ends_at: "2098-01-01T00:00:00Z" };
  const toCome = { starts_at: "2098-01-01T00:00:00Z" };
  const inRegion = { rules: { region_id: [region.id, dollars.id] } };
  const elsewhere = { rules: { region_id: [dollars.id] } };
  await list(await one("On sale"), 15.5, now);
  await list(await one("Sale to come"), 11, toCome);
  await list(await one("Sale is over"), 10, { ends_at: "2020-02-01T00:00:00Z" });
  await list(await one("Sale in draft"), 9, { status: "draft" });
  await list(await one("Cheaper for friends"), 8, { rules: { "customer.groups.id": [group.id] } });
  await list(await one("Overridden"), 18, override);
  await list(await one("Raised"), 30, override);
  const raisedOnSale = await one("Raised and on sale");
  await list(raisedOnSale, 30, override);
  await list(raisedOnSale, 25);
  const loweredOnSale = await one("Lowered and on sale");
  await list(loweredOnSale, 18, override);
  await list(loweredOnSale, 15);
  const loweredMore = await one("Lowered below its sale");
  await list(loweredMore, 15, override);
  await list(loweredMore, 18);
  await list(await one("Sale above its price"), 25);
  await list(await one("Free, with a sale", { One: { eur: 0 } }), 5);
  await list(await one("In a sale alone", { One: {} }), 5);
  await list(await one("In a list alone", { One: {} }), 6, override);
  await list(await one("In a sale to come alone", { One: {} }), 5, toCome);
  const twoSales = await one("Two sales");
  await list(twoSales, 15);
  await list(twoSales, 12);
  const twoLists = await one("Two lists");
  await list(twoLists, 30, override);
  await list(twoLists, 28, override);
  await list(await one("Sale from ten pieces"), 9, {}, { min_quantity: 10 });
  await list(await one("One variant on sale", { One: { eur: 30 }, Two: { eur: 25 } }), 20);
  await list(await one("Sale in the region"), 16, inRegion);
  await list(await one("Sale in another region"), 11, elsewhere);
  const twoKinds = await one("Sale in the region, and a lower one");
  await list(twoKinds, 19, inRegion);
  await list(twoKinds, 12);
  const listAndSale = await one("List in the region, and a lower sale");
  await list(listAndSale, 19, { ...override, ...inRegion });
  await list(listAndSale, 12);
  const saleAndList = await one("Sale in the region, and a lower list");
  await list(saleAndList, 19, inRegion);
  await list(saleAndList, 12, override);
  const euro = (amount, more = {}) => ({ amount, currency_code: "eur", ...more });
  const rule = (amount, { id }) => euro(amount, { rules: { region_id: id } });
  const own = (title, ...prices) =>
    one(title, undefined, { variants: variants({ One: {} }).map((each) => ({ ...each, prices })) });
  await own("From one piece", euro(20), euro(18, { min_quantity: 1 }));
  await own("From ten pieces", euro(20), euro(8, { min_quantity: 10 }));
  await own("Up to five pieces", euro(20), euro(17, { min_quantity: 1, max_quantity: 5 }));
  await own("Price of the region", euro(20), rule(16, region));
  await own("Higher in the region", euro(20), rule(25, region));
  await own("In the region alone", rule(14, region));
  await own("Price of another region", euro(20), rule(10, dollars));
  await list(await own("Higher in the region, on sale", euro(20), rule(25, region)), 22);

  const locale_code = "de-DE";
  const german = async (reference, reference_id, translations) =>
    run("create-translations", { translations: [{ reference, reference_id, locale_code, translations }] });
  await german("product", shirt.id, { title: "Blaues Hemd", subtitle: "  ", description: "Eine Zeile." });
  await german("product", onePiece.id, { title: "Ein Teil", subtitle: "Untertitel", description: "Text" });
  await german("product_category", shirts, { name: "Hemden" });

  const email = "cnry.customer@canary.example";
  await run("create-customers", { customersData: [{ email, first_name: "CNRY", last_name: "CNRY" }] });
  await run("create-orders", {
    ...{ region_id: region.id, email, currency_code: "eur", sales_channel_id: channel.id },
    shipping_address: { first_name: "CNRY", address_1: "CNRY street 1", country_code: "de" },
    items: [{ title: "CNRY item", variant_id: shirt.variants[0].id, quantity: 1, unit_price: 19.99 }],
  });
  console.log(`KEY ${key.token} REGIONS ${region.id} ${dollars.id}`);
};
