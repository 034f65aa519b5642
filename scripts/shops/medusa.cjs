/** Fills a Medusa through its own workflows: `medusa exec medusa.cjs`; prints the publishable key of its Store API and the region. */

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
  const [region] = await run("create-regions", {
    regions: [{ name: "Europe", currency_code: "eur", countries: ["de", "fr"] }],
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
  const internal = await category("CNRY internal", { is_internal: true });
  const inactive = await category("CNRY inactive", { is_active: false });

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
  const shirt = await product("Blue Shirt", [shirts], {
    S: { eur: 19.99, usd: 21 },
    M: { eur: 24.5, usd: 26 },
  });
  await product("Größen-Übersicht", [clothes, shirts], { One: { eur: 1234.5 } });
  await product("Free sample", [clothes], { One: { eur: 0 } });
  const onSale = await product("On sale", [clothes], { One: { eur: 20 } });
  const toCome = await product("Sale to come", [clothes], { One: { eur: 20 } });
  const over = await product("Sale is over", [clothes], { One: { eur: 20 } });
  const draftSale = await product("Sale in draft", [clothes], { One: { eur: 20 } });
  const forGroup = await product("Cheaper for friends", [clothes], { One: { eur: 20 } });
  const override = await product("Overridden", [clothes], { One: { eur: 20 } });
  await product("No category", [], { One: { eur: 5 } });
  await product("In an internal category", [internal], { One: { eur: 6 } });
  await product("In an inactive category", [inactive], { One: { eur: 6 } });
  await product("In both kinds of category", [internal, shirts], { One: { eur: 7 } });
  await product("In dollars alone", [clothes], { One: { usd: 8 } });
  await product(
    "Without variants",
    [clothes],
    {},
    { options: [{ title: "Size", values: ["One"] }], variants: [] },
  );
  await product("CNRY draft", [clothes], { One: { eur: 1 } }, { status: "draft" });
  await product("CNRY proposed", [clothes], { One: { eur: 1 } }, { status: "proposed" });
  await product("CNRY rejected", [clothes], { One: { eur: 1 } }, { status: "rejected" });
  await product("CNRY elsewhere", [clothes], { One: { eur: 1 } }, { sales_channels: [{ id: other.id }] });
  await product("CNRY nowhere", [clothes], { One: { eur: 1 } }, { sales_channels: [] });
  const gone = await product("CNRY deleted", [clothes], { One: { eur: 1 } });
  await run("delete-products", { ids: [gone.id] });

  const [group] = await run("create-customer-groups", { customersData: [{ name: "CNRY friends" }] });
  const list = (made, amount, more = {}) =>
    run("create-price-lists", {
      price_lists_data: [
        {
          ...{ title: "CNRY list", description: "CNRY", type: "sale", status: "active", rules: {} },
          prices: [{ amount, currency_code: "eur", variant_id: made.variants[0].id }],
          ...more,
        },
      ],
    });
  await list(onSale, 15.5, { starts_at: "2020-01-01T00:00:00Z", ends_at: "2098-01-01T00:00:00Z" });
  await list(toCome, 11, { starts_at: "2098-01-01T00:00:00Z" });
  await list(over, 10, { ends_at: "2020-02-01T00:00:00Z" });
  await list(draftSale, 9, { status: "draft" });
  await list(forGroup, 8, { rules: { "customer.groups.id": [group.id] } });
  await list(override, 18, { type: "override" });

  const email = "cnry.customer@canary.example";
  await run("create-customers", { customersData: [{ email, first_name: "CNRY", last_name: "CNRY" }] });
  await run("create-orders", {
    ...{ region_id: region.id, email, currency_code: "eur", sales_channel_id: channel.id },
    shipping_address: { first_name: "CNRY", address_1: "CNRY street 1", country_code: "de" },
    items: [{ title: "CNRY item", variant_id: shirt.variants[0].id, quantity: 1, unit_price: 19.99 }],
  });
  console.log(`KEY ${key.token} REGION ${region.id}`);
};
