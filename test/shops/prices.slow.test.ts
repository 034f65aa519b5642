/**
 * Prices in real shops: the price that the shop shows a visitor who buys one piece, with the digits that it shows. Cases are
 * written into tables that the shops' own code made; many at once, one product each.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Product } from "../../src/api/types.ts";
import { build } from "../../src/pipeline/build.ts";
import { eachLeftOut } from "../../src/pipeline/left-out.ts";
import { openPublicCatalog } from "../../src/serve/read-catalog.ts";
import { planInit } from "../../src/setup/init.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";
import { writeSmallInit } from "../support/small-init.ts";

const folder = temporaryFolder();
const NOW = "2026-11-25T12:00:00Z";

/** A shop's database with its allow-list in a folder. */
class Shop implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly #project: string;

  private constructor(database: TestDatabase, project: string) {
    this.database = database;
    this.#project = project;
  }

  static async open(
    create: (sql: string) => Promise<TestDatabase>,
    name: string,
    sql: string,
  ): Promise<Shop> {
    const shop = new Shop(await create(sql), join(folder, name));
    const plan = await planInit({
      store: shop.database.address,
      folder: shop.#project,
      siteUrl: "https://shop.example",
    });
    writeSmallInit(shop.#project, plan);
    return shop;
  }

  get #inputs() {
    const configFile = join(this.#project, "vitrine.config.json");
    const store = this.database.address;
    return { configFile, store, queries: join(this.#project, "queries") };
  }

  /** Builds, and returns the products by id; `next` is the next scheduled change. */
  async build(now = NOW): Promise<{ products: Map<number, Product>; next: string | null }> {
    const out = join(this.#project, "out");
    const report = await build({ ...this.#inputs, out, now: new Date(now), allowShrink: 100_000 });
    const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
    const { body } = catalog.get("/products?per_page=100");
    catalog.close();
    const { data } = JSON.parse(body) as { readonly data: readonly Product[] };
    return { products: new Map(data.map((product) => [product.id, product])), next: report.nextChangeAt };
  }

  /** Reasons of left-out products, by id. */
  async leftOut(): Promise<Map<string, string>> {
    const { store, queries } = this.#inputs;
    const now = NOW.replace("T", " ").replace("Z", "");
    const reasons = new Map<string, string>();
    for await (const { id, reason } of eachLeftOut({ store, queries, now })) reasons.set(String(id), reason);
    return reasons;
  }

  async [Symbol.asyncDispose]() {
    await this.database.close();
  }
}

/** The regular price, and that of a sale. */
const priceOf = (product: Product | undefined) => product && [product.price, product.sale_price];

interface Offer {
  readonly product: number;
  readonly [column: string]: number | string;
}

const FOREVER = "0000-00-00 00:00:00";

function offerSql({ product, ...change }: Offer): string {
  const row = {
    id_specific_price_rule: 0,
    id_cart: 0,
    id_product: product,
    id_shop: 0,
    id_shop_group: 0,
    id_currency: 0,
    id_country: 0,
    id_group: 0,
    id_customer: 0,
    id_product_attribute: 0,
    price: -1,
    from_quantity: 1,
    reduction: 0,
    reduction_tax: 0,
    reduction_type: "amount",
    from: FOREVER,
    to: FOREVER,
    ...change,
  };
  const columns = Object.keys(row).map((column) => `\`${column}\``);
  const values = Object.values(row).map((value) => `'${value}'`);
  return `INSERT INTO ps_specific_price (${columns.join(", ")}) VALUES (${values.join(", ")});`;
}

/** A PrestaShop product of 100: its price with offers and other settings. */
interface Case {
  readonly says: string;
  readonly offers?: readonly Omit<Offer, "product">[];
  /** `ID` is the product's id. */
  readonly sql?: string;
  readonly costs: readonly [price: number, sale: number | null];
}

const COMBINATION =
  "INSERT INTO ps_product_attribute_shop (id_product, id_product_attribute, id_shop, price, default_on) VALUES ";

const CASES: readonly Case[] = [
  { says: "without any offer", costs: [100, null] },
  {
    says: "an offer for visitors comes before one for all groups",
    offers: [{ id_group: 1, price: 90 }, { price: 89 }],
    costs: [90, null],
  },
  {
    says: "its own offer comes before a rule's",
    offers: [
      { reduction: 0.5, reduction_type: "percentage", id_specific_price_rule: 7 },
      { reduction: 0.1, reduction_type: "percentage" },
    ],
    costs: [100, 90],
  },
  {
    says: "an offer from one piece comes before one from none",
    offers: [
      { from_quantity: 0, price: 80 },
      { from_quantity: 1, price: 85 },
    ],
    costs: [85, null],
  },
  {
    says: "an offer from no piece applies from the first",
    offers: [{ from_quantity: 0, price: 80 }],
    costs: [80, null],
  },
  {
    says: "offers for others do not apply",
    offers: [
      { from_quantity: 2, price: 1 },
      { id_country: 21, price: 2 },
      { id_customer: 7, price: 3 },
      { id_group: 3, price: 4 },
      { id_currency: 2, price: 5 },
      { id_shop: 2, price: 6 },
      { id_cart: 9, price: 7 },
      { id_product_attribute: 4711, price: 8 },
    ],
    costs: [100, null],
  },
  {
    says: "an offer for the shop's country applies: visitors are taken to be there",
    offers: [{ id_country: 26, reduction: 20 }, { reduction: 30 }],
    costs: [100, 80],
  },
  {
    says: "an offer's own price is the price, without an old one; a share of it makes a sale",
    offers: [{ price: 90, reduction: 0.1, reduction_type: "percentage" }],
    costs: [90, 81],
  },
  {
    says: "past and future offers do not apply",
    offers: [
      { price: 50, to: "2026-11-01 00:00:00" },
      { price: 60, from: "2027-03-01 00:00:00" },
    ],
    costs: [100, null],
  },
  {
    says: "the currency comes before the group if the product's order says so",
    offers: [
      { id_group: 1, price: 60 },
      { id_currency: 1, price: 70 },
    ],
    sql: "INSERT INTO ps_specific_price_priority (id_product, priority) VALUES (ID, 'id_currency;id_group;id_country;id_shop')",
    costs: [70, null],
  },
  {
    says: "the group comes before the currency if the shop's order says so",
    offers: [
      { id_currency: 1, price: 70 },
      { id_group: 1, price: 60 },
    ],
    costs: [60, null],
  },
  { says: "20 off with tax", offers: [{ reduction: 20, reduction_tax: 1 }], costs: [100, 83.74] },
  { says: "20 off without tax", offers: [{ reduction: 20 }], costs: [100, 80] },
  {
    says: "20 off with tax for a product without tax",
    offers: [{ reduction: 20, reduction_tax: 1 }],
    sql: "UPDATE ps_product_shop SET id_tax_rules_group = 0 WHERE id_product = ID",
    costs: [100, 80],
  },
  {
    says: "off with two taxes together",
    offers: [{ reduction: 23, reduction_tax: 1 }],
    sql: "UPDATE ps_product_shop SET id_tax_rules_group = 901 WHERE id_product = ID",
    costs: [100, 80],
  },
  {
    says: "off with one tax on the other",
    offers: [{ reduction: 23.1, reduction_tax: 1 }],
    sql: "UPDATE ps_product_shop SET id_tax_rules_group = 902 WHERE id_product = ID",
    costs: [100, 80],
  },
  {
    says: "a tenth off, with any tax",
    offers: [{ reduction: 0.1, reduction_type: "percentage", reduction_tax: 1 }],
    costs: [100, 90],
  },
  { says: "more off than it costs", offers: [{ reduction: 120 }], costs: [100, 0] },
  { says: "an offer that costs more", offers: [{ price: 120 }], costs: [120, null] },
  {
    says: "the combination that is selected by default",
    sql: `UPDATE ps_product_shop SET price = 0 WHERE id_product = ID;
      ${COMBINATION}(ID, 40, 1, 40, NULL), (ID, 41, 1, 25, 1), (ID, 42, 2, 7, NULL)`,
    costs: [25, null],
  },
  {
    says: "a combination that costs less",
    sql: `${COMBINATION}(ID, 51, 1, -15, 1)`,
    costs: [85, null],
  },
  {
    says: "an offer for the first combination",
    offers: [{ id_product_attribute: 61, price: 12 }, { price: 1 }],
    sql: `${COMBINATION}(ID, 61, 1, 25, 1), (ID, 62, 1, 40, NULL)`,
    costs: [12, null],
  },
  {
    says: "an offer for all combinations has the first one's impact, too",
    offers: [{ price: 50 }, { id_product_attribute: 72, price: 12 }],
    sql: `${COMBINATION}(ID, 71, 1, 25, 1), (ID, 72, 1, 40, NULL)`,
    costs: [75, null],
  },
  {
    says: "a discount for the visitors' group",
    offers: [{ price: 80 }],
    sql: "INSERT INTO ps_product_group_reduction_cache (id_product, id_group, reduction) VALUES (ID, 1, 0.25), (ID, 3, 0.9)",
    costs: [60, null],
  },
  {
    says: "with the ecotax",
    offers: [{ reduction: 0.5, reduction_type: "percentage" }],
    sql: "UPDATE ps_product_shop SET ecotax = 6 WHERE id_product = ID",
    costs: [106, 53],
  },
  {
    says: "net prices of six decimals",
    offers: [{ reduction: 0.1, reduction_type: "percentage" }],
    sql: "UPDATE ps_product_shop SET price = 16.806700 WHERE id_product = ID",
    costs: [16.81, 15.13],
  },
];

const FIRST = 1001;

function caseSql({ offers = [], sql = "" }: Case, at: number): string {
  const id = FIRST + at;
  return `
    INSERT INTO ps_product (id_product, id_category_default, state, date_add, date_upd) VALUES (${id}, 3, 1, NOW(), NOW());
    INSERT INTO ps_product_shop (id_product, id_shop, id_category_default, id_tax_rules_group, price, active, visibility, available_for_order, show_price, date_add, date_upd)
      VALUES (${id}, 1, 3, 1, 100, 1, 'both', 1, 1, NOW(), NOW());
    INSERT INTO ps_product_lang (id_product, id_shop, id_lang, name, link_rewrite) VALUES (${id}, 1, 1, 'Case ${id}', 'case-${id}');
    INSERT INTO ps_category_product VALUES (3, ${id}, 1);
    ${offers.map((offer) => offerSql({ ...offer, product: id })).join("\n")}
    ${sql.replaceAll("ID", String(id))}`.replace(/;?\s*$/, "");
}

describe.skipIf(MARIADB_MISSING !== null)("PrestaShop", () => {
  let shop: Shop;
  beforeAll(async () => {
    const sql = [
      `SET sql_mode = ''; DELETE FROM ps_specific_price;
      INSERT INTO ps_tax_rules_group (id_tax_rules_group, name, active) VALUES (901, 'Together', 1), (902, 'On the other', 1);
      INSERT INTO ps_tax (id_tax, rate, active) VALUES (901, 10, 1), (902, 5, 1);
      INSERT INTO ps_tax_rule (id_tax_rules_group, id_country, zipcode_from, zipcode_to, id_tax, behavior) VALUES
        (901, 26, 0, 0, 901, 1), (901, 26, 0, 0, 902, 1), (902, 26, 0, 0, 901, 2), (902, 26, 0, 0, 902, 2)`,
      ...CASES.map(caseSql),
    ].join(";\n");
    shop = await Shop.open(createMariadbDatabase, "prestashop", dumpOf("prestashop"));
    await shop.database.run(sql);
  });
  afterAll(() => shop?.[Symbol.asyncDispose]());

  it("has the price that the shop shows a visitor who buys one piece", async () => {
    const { products } = await shop.build();
    const costs = CASES.map(({ says }, at) => [says, priceOf(products.get(FIRST + at))]);
    expect(costs).toEqual(CASES.map(({ says, costs }) => [says, costs]));
  });

  it("has a sale of all products while a rule for all of them runs, and knows when it begins and ends", async () => {
    const rule = { id_specific_price_rule: 8, reduction: 0.2, reduction_type: "percentage" };
    // In the shop's own time zone, Berlin.
    await shop.database.run(
      offerSql({ product: 0, ...rule, from: "2026-12-01 00:00:00", to: "2026-12-10 00:00:00" }),
    );
    const before = await shop.build();
    const during = await shop.build("2026-12-05T12:00:00Z");
    const [plain = 0, own = 0] = ["without any offer", "its own offer comes before a rule's"].map(
      (says) => FIRST + CASES.findIndex((each) => each.says === says),
    );
    expect([priceOf(before.products.get(plain)), before.next]).toEqual([
      [100, null],
      expect.stringMatching(/^2026-(11-30|12-01)T/),
    ]);
    expect([priceOf(during.products.get(plain)), during.next]).toEqual([
      [100, 80],
      expect.stringMatching(/^2026-12-0?(09|10)T/),
    ]);
    expect(priceOf(during.products.get(own))).toEqual([100, 90]);
    await shop.database.run("DELETE FROM ps_specific_price WHERE id_product = 0");
  });

  it("begins and ends a sale with the shop's minutes: the one after it begins, and the one in which it ends", async () => {
    await shop.database.run(`UPDATE ps_configuration SET value = '+00:00' WHERE name = 'PS_TIMEZONE';
      ${offerSql({ product: FIRST, reduction: 20, from: "2026-11-25 12:00:30", to: "2026-11-25 12:10:00" })}`);
    const at = async (time: string) => {
      const { products, next } = await shop.build(`2026-11-25T${time}Z`);
      return [priceOf(products.get(FIRST)), next];
    };
    expect(await at("12:00:59")).toEqual([[100, null], "2026-11-25T12:01:00+00:00"]);
    expect(await at("12:01:00")).toEqual([[100, 80], "2026-11-25T12:11:00+00:00"]);
    expect((await at("12:10:59"))[0]).toEqual([100, 80]);
    expect((await at("12:11:00"))[0]).toEqual([100, null]);
    await shop.database.run(`UPDATE ps_configuration SET value = 'Europe/Berlin' WHERE name = 'PS_TIMEZONE';
      DELETE FROM ps_specific_price WHERE id_product = ${FIRST}`);
  });

  it("has no discounts and no combinations if the shop has switched them off", async () => {
    const names = "name IN ('PS_SPECIFIC_PRICE_FEATURE_ACTIVE', 'PS_COMBINATION_FEATURE_ACTIVE')";
    await shop.database.run(`UPDATE ps_configuration SET value = '0' WHERE ${names}`);
    const { products } = await shop.build();
    expect([...products.values()].filter(({ sale_price }) => sale_price !== null)).toEqual([]);
    const cheaper = FIRST + CASES.findIndex(({ says }) => says === "a combination that costs less");
    expect(products.get(cheaper)?.price).toBe(100);
    await shop.database.run(`UPDATE ps_configuration SET value = '1' WHERE ${names}`);
  });

  it.each([
    ["HUF", 0, 1575],
    ["KWD", 3, 1574.803],
    ["PKR", 2, 1574.8],
  ])("has prices in %s with the %s digits that the shop shows", async (code, digits, price) => {
    await shop.database.run(`UPDATE ps_currency SET iso_code = '${code}', \`precision\` = ${digits};
      UPDATE ps_product_shop SET price = 1574.803150 WHERE id_product = ${FIRST}`);
    const { products } = await shop.build();
    expect([products.get(FIRST)?.currency, products.get(FIRST)?.price]).toEqual([code, price]);
  });

  it("is not built in catalog mode without prices, and gives the reason", async () => {
    const refused = {
      code: "rows_invalid",
      message: expect.stringContaining("without a price that visitors are shown"),
    };
    await shop.database.run("UPDATE ps_configuration SET value = '1' WHERE name = 'PS_CATALOG_MODE'");
    await expect(shop.build()).rejects.toMatchObject(refused);
    expect((await shop.leftOut()).get(String(FIRST))).toBe("without a price that visitors are shown");
    // The shop's own value comes before that of all shops.
    await shop.database.run(
      "INSERT INTO ps_configuration (id_shop_group, id_shop, name, value, date_add, date_upd) VALUES (1, 1, 'PS_CATALOG_MODE_WITH_PRICES', '1', NOW(), NOW()), (1, 2, 'PS_CATALOG_MODE', '0', NOW(), NOW())",
    );
    expect((await shop.build()).products.size).toBeGreaterThan(CASES.length);
    await shop.database.run(
      "UPDATE ps_configuration SET value = '1' WHERE name = 'PS_CATALOG_MODE_WITH_PRICES'; UPDATE ps_configuration SET value = '0' WHERE name = 'PS_CATALOG_MODE_WITH_PRICES' AND id_shop = 1",
    );
    await expect(shop.build()).rejects.toMatchObject(refused);
  });
});

describe.skipIf(MARIADB_MISSING !== null)("Magento", () => {
  const setting = (path: string, value: string) =>
    `INSERT INTO core_config_data (scope, scope_id, path, value) VALUES ('default', 0, 'sales/msrp/${path}', '${value}') ON DUPLICATE KEY UPDATE value = '${value}';`;
  const attribute = (product: number, code: string, value: string) =>
    `INSERT INTO catalog_product_entity_varchar (entity_type_id, attribute_id, store_id, entity_id, value)
      SELECT entity_type_id, attribute_id, 0, ${product}, '${value}' FROM eav_attribute WHERE attribute_code = '${code}'
      ON DUPLICATE KEY UPDATE value = VALUES(value);`;
  const product = (id: number, enabled: string, display: string) =>
    attribute(id, "msrp_enabled", enabled) + attribute(id, "msrp_display_actual_price_type", display);

  it("leaves out products whose price is shown in the cart only, gives the reason, and has a dinar's third digit", async () => {
    await using shop = await Shop.open(createMariadbDatabase, "magento", dumpOf("magento"));
    await shop.database.run(setting("enabled", "0"));
    const all = (await shop.build()).products;
    const ids = [...all.keys()].filter((id) => id < 20).toSorted((a, b) => a - b);
    const [inCart, onClick, beforeOrder, ofShop, off, ...others] = ids;
    const isHidden = async () => {
      const { products } = await shop.build();
      return ids.filter((id) => !products.has(id));
    };
    await shop.database.run(
      product(Number(inCart), "1", "2") +
        product(Number(onClick), "1", "1") +
        product(Number(beforeOrder), "1", "3") +
        product(Number(ofShop), "2", "4") +
        product(Number(off), "0", "2"),
    );
    expect(await isHidden()).toEqual([]);
    await shop.database.run(setting("enabled", "1") + setting("display_price_type", "2"));
    expect(await isHidden()).toEqual([inCart, beforeOrder]);
    expect((await shop.leftOut()).get(String(inCart))).toBe("with a price that is shown in the cart alone");
    await shop.database.run(setting("apply_for_all", "1"));
    expect(await isHidden()).toEqual([inCart, beforeOrder, ofShop, ...others]);
    await shop.database.run(setting("apply_for_all", "0") + product(27, "1", "2"));
    // 27 is part of this grouped product.
    expect((await shop.build()).products.has(29)).toBe(false);
    // The third digit of a dinar.
    await shop.database.run(`${setting("enabled", "0")}UPDATE catalog_product_entity_decimal SET value = 1.3754 WHERE entity_id = 1
      AND attribute_id = (SELECT attribute_id FROM eav_attribute WHERE attribute_code = 'price' AND entity_type_id = 4);
      DELETE FROM core_config_data WHERE path = 'currency/options/base';
      INSERT INTO core_config_data (scope, scope_id, path, value) VALUES ('default', 0, 'currency/options/base', 'KWD')`);
    expect((await shop.build()).products.get(1)?.price).toBe(1.375);
  });
});

describe.skipIf(MARIADB_MISSING !== null)("Magento's prices of one piece", () => {
  it("are the website's own if prices have the scope of websites, as its cart has them", async () => {
    await using shop = await Shop.open(createMariadbDatabase, "magento-scope", dumpOf("magento"));
    const named = [...(await shop.build()).products.values()];
    const idOf = (title: string) => Number(named.find((product) => product.title === title)?.id);
    const [group, tier] = [idOf("Cheaper for visitors"), idOf("One piece cheaper")];
    await shop.database.run(`
      INSERT INTO catalog_product_entity_group_price (entity_id, all_groups, customer_group_id, value, website_id) VALUES (${group}, 0, 0, 19, 1);
      INSERT INTO catalog_product_entity_tier_price (entity_id, all_groups, customer_group_id, qty, value, website_id) VALUES (${tier}, 1, 0, 1, 18, 1)`);
    const prices = async () => {
      const { products } = await shop.build();
      return [priceOf(products.get(group)), priceOf(products.get(tier))];
    };
    expect(await prices()).toEqual([
      [20, 18],
      [20, 16],
    ]);
    await shop.database.run(
      "INSERT INTO core_config_data (scope, scope_id, path, value) VALUES ('default', 0, 'catalog/price/scope', '1')",
    );
    expect(await prices()).toEqual([
      [20, 19],
      [20, 18],
    ]);
  });
});

describe.skipIf(MARIADB_MISSING !== null)("WooCommerce and OpenCart", () => {
  it("WooCommerce has net prices with the digits that the shop shows", async () => {
    await using shop = await Shop.open(createMariadbDatabase, "woocommerce", dumpOf("woocommerce"));
    for (const [digits, price] of [
      ["2", 16.81],
      ["0", 17],
      ["4", 16.8067],
    ] as const) {
      await shop.database.run(`UPDATE wp_options SET option_value = '${digits}' WHERE option_name = 'woocommerce_price_num_decimals';
        UPDATE wp_postmeta SET meta_value = '16.8067' WHERE post_id = 10 AND meta_key IN ('_regular_price', '_price')`);
      expect([digits, (await shop.build()).products.get(10)?.price]).toEqual([digits, price]);
    }
  });

  it("OpenCart 3 and 4.0 have a plain price and a special one in two tables, 4.1 in one", async () => {
    const seed = readFileSync("templates/shops/opencart/seed.sql", "utf8");
    const tables = `DELETE FROM oc_product_discount;
      ALTER TABLE oc_product_discount DROP COLUMN special, DROP COLUMN type;
      CREATE TABLE oc_product_special (product_special_id INT PRIMARY KEY, product_id INT, customer_group_id INT, priority INT,
        price DECIMAL(15, 4), date_start DATE, date_end DATE);`;
    const rows = (special: string, columns: string) => `
      INSERT INTO oc_product_discount (product_discount_id, product_id, customer_group_id, quantity, priority, price,
        date_start, date_end) VALUES
        (1, 40, 1, 1, 2, 90, 0, 0), (2, 40, 1, 1, 1, 95, 0, 0), (3, 40, 1, 1, 1, 80, 0, '2026-11-25'), (4, 40, 1, 2, 1, 70, 0, 0),
        (5, 42, 1, 1, 1, 0, 0, 0);
      INSERT INTO ${special} (${columns}, product_id, customer_group_id, priority, price, date_start, date_end) VALUES
        (16, 40, 1, 2, 60, '2026-11-26', 0), (17, 40, 1, 2, 85, '2026-11-25', '2026-11-27'), (18, 40, 7, 1, 50, 0, 0),
        (19, 41, 1, 1, 30, 0, 0), (20, 43, 1, 1, 0, 0, 0);
      UPDATE oc_product SET price = 20 WHERE product_id = 43;`;
    const inTwo = `${tables}${rows("oc_product_special", "product_special_id")}`;
    const inOne = `DELETE FROM oc_product_discount; ${rows("oc_product_discount", "product_discount_id")}
      UPDATE oc_product_discount SET special = 1, quantity = 1 WHERE product_discount_id > 15`;
    for (const [version, change, specialOfZero] of [
      ["4.1", inOne, null],
      ["4.0", inTwo, null],
      ["3", `${inTwo} ALTER TABLE oc_product DROP COLUMN master_id`, 0],
    ] as const) {
      await using shop = await Shop.open(createMariadbDatabase, `opencart-${version}`, `${seed}${change}`);
      const at = async (now: string) => {
        const { products, next } = await shop.build(now);
        return [...[40, 41, 42, 43].map((id) => priceOf(products.get(id))), next];
      };
      // The shop's zone is +02:00. A price begins after the first midnight and ends with the last; 30 is more than 19.95.
      const others = [
        [30, null],
        [0, null],
        [20, specialOfZero],
      ];
      expect([version, await at("2026-11-24T21:00:00Z")]).toEqual([
        version,
        [[80, null], ...others, "2026-11-24T22:00:00+00:00"],
      ]);
      expect([version, await at("2026-11-24T22:00:00Z")]).toEqual([
        version,
        [[95, null], ...others, "2026-11-24T22:00:01+00:00"],
      ]);
      expect([version, await at("2026-11-24T22:00:01Z")]).toEqual([
        version,
        [[95, 85], ...others, "2026-11-25T22:00:01+00:00"],
      ]);
      expect([version, await at("2026-11-25T22:00:01Z")]).toEqual([
        version,
        [[95, 60], ...others, "2026-11-26T22:00:00+00:00"],
      ]);
    }
  });

  it("OpenCart names why each product of its search is left out", async () => {
    const seed = readFileSync("templates/shops/opencart/seed.sql", "utf8");
    await using shop = await Shop.open(createMariadbDatabase, "opencart-left-out", seed);
    expect(Object.fromEntries(await shop.leftOut())).toEqual({
      54: "in no public category",
      55: "in no public category",
      56: "without a price",
      58: "without a name in the language of the shop",
    });
    await shop.database.run("UPDATE oc_setting SET value = '1' WHERE `key` = 'config_customer_price'");
    expect(new Set((await shop.leftOut()).values())).toEqual(
      new Set(["without a price that visitors are shown"]),
    );
  });

  it("OpenCart has prices with the digits of the currency, or those that the shop shows", async () => {
    const seed = readFileSync("templates/shops/opencart/seed.sql", "utf8");
    await using shop = await Shop.open(createMariadbDatabase, "opencart", seed);
    for (const [code, digits, price] of [
      ["KWD", null, 1.375],
      ["JPY", "0", 1],
      ["EUR", "3", 1.375],
      ["EUR", null, 1.38],
    ] as const) {
      await shop.database.run(`UPDATE oc_setting SET value = '${code}' WHERE \`key\` = 'config_currency';
        UPDATE oc_product SET price = 1.375 WHERE product_id = 43;
        DELETE FROM oc_currency;
        ${digits === null ? "" : `INSERT INTO oc_currency VALUES (3, 'Other', '${code}', '${digits}', 1, 1)`}`);
      expect([code, digits, (await shop.build()).products.get(43)?.price]).toEqual([code, digits, price]);
    }
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("Vendure and Medusa", () => {
  it("Vendure keeps two digits in every currency", async () => {
    await using shop = await Shop.open(createPostgresDatabase, "vendure", dumpOf("vendure"));
    for (const [code, price] of [
      ["JPY", 1980],
      ["COP", 1980],
      ["HUF", 1980],
      ["KWD", 1980.5],
      ["EUR", 1980.5],
    ] as const) {
      const stored = Number.isInteger(price) ? 198_000 : 198_050;
      await shop.database.run(`UPDATE channel SET "defaultCurrencyCode" = '${code}', "pricesIncludeTax" = TRUE WHERE code = '__default_channel__';
        UPDATE product_variant_price SET "currencyCode" = '${code}', price = ${stored}`);
      const prices = [...(await shop.build()).products.values()].map((product) => product.price);
      expect([code, ...new Set(prices)]).toEqual([code, price]);
    }
  });

  it("Medusa's amounts of four decimals are rounded", async () => {
    await using shop = await Shop.open(createPostgresDatabase, "medusa", dumpOf("medusa"));
    await shop.database.run(
      `UPDATE price SET amount = 16.8067, raw_amount = '{"value": "16.8067", "precision": 20}'`,
    );
    const prices = [...(await shop.build()).products.values()].map((product) => product.price);
    expect(new Set(prices)).toEqual(new Set([16.81]));
  });
});
