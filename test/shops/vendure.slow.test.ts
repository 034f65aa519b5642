/** Vendure: what its Shop API shows in states that its own code writes, on tables that it made; and Saleor, on its tables. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { askStore } from "../../src/store/open.ts";
import { vitrine } from "../support/command.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createSqliteDatabase } from "../support/sqlite.ts";

const folder = temporaryFolder();
const open: TestDatabase[] = [];
afterAll(async () => {
  for (const database of open) await database.close();
});

async function databaseWith(text: string, sql: string): Promise<TestDatabase> {
  const database = await createPostgresDatabase(text);
  open.push(database);
  await database.run(sql);
  return database;
}

const vendure = (sql: string, dump = "vendure") => databaseWith(dumpOf(dump), sql);
const saleor = (sql: string) => databaseWith(readFileSync("templates/shops/saleor/seed.sql", "utf8"), sql);

let count = 0;

/** A new folder, and commands in it. */
function project(store: string) {
  count += 1;
  const place = join(folder, String(count));
  mkdirSync(place);
  const run = (...args: string[]) => vitrine(args, {}, place);
  return {
    place,
    run,
    init: (...flags: string[]) => run("init", "--store", store, "--yes", ...flags),
    product: (slug: string) => {
      const { stdout } = run("get", `/product?slug=${slug}`);
      return (JSON.parse(stdout) as { data: Record<string, unknown> }).data;
    },
  };
}

/** The translation of the free sample in the channel's language. */
const german = (name: string, slug: string, description: string) => `
  UPDATE channel SET "defaultLanguageCode" = 'de' WHERE code = '__default_channel__';
  INSERT INTO product_translation ("languageCode", name, slug, description, "baseId")
    SELECT 'de', '${name}', '${slug}', '${description}', t."baseId" FROM product_translation AS t WHERE t.slug = 'free-sample';`;

describe.skipIf(POSTGRES_MISSING !== null)("a Vendure", () => {
  it.each([
    ["a description", german("Muster", "muster", ""), "muster", ["Muster", "<p>Free sample.</p>"]],
    ["a name", german("", "muster", "<p>Gratis.</p>"), "muster", ["Free sample", "<p>Gratis.</p>"]],
    ["a slug", german("Muster", "", "<p>Gratis.</p>"), "free-sample", ["Muster", "<p>Gratis.</p>"]],
    ["everything", german("", "", ""), "free-sample", ["Free sample", "<p>Free sample.</p>"]],
    ["nothing", german("Muster", "muster", "<p> </p>"), "muster", ["Muster", "<p> </p>"]],
  ])("shows in English alone what is empty in the channel's language: %s", async (_, sql, slug, texts) => {
    const shop = project((await vendure(sql)).address);
    expect(shop.init().status).toBe(0);
    const { title, description_html } = shop.product(slug);
    expect([title, description_html]).toEqual(texts);
  });

  it("shows a collection's empty description in English", async () => {
    const sql = `UPDATE channel SET "defaultLanguageCode" = 'de' WHERE code = '__default_channel__';
      INSERT INTO collection_translation ("languageCode", name, slug, description, "baseId")
        SELECT 'de', 'Hemden', 'hemden', '', t."baseId" FROM collection_translation AS t WHERE t.slug = 'shirts'`;
    const shop = project((await vendure(sql)).address);
    shop.init();
    const { data } = JSON.parse(shop.run("get", "/categories").stdout) as { data: { slug: string }[] };
    expect(data.find(({ slug }) => slug === "hemden")).toMatchObject({
      name: "Hemden",
      description: "Shirts.",
    });
  });

  it("names a product without a name, a price or a variant that is on as left out", async () => {
    const sql = `DELETE FROM product_translation WHERE slug = 'free-sample';
      UPDATE product_translation SET name = '' WHERE slug = 'a-book'`;
    const shop = project((await vendure(sql)).address);
    shop.init();
    const lines = shop.run("doctor", "--left-out").stdout.split("\n");
    expect(lines.filter((line) => line.endsWith(": without a name"))).toHaveLength(2);
    expect(lines.filter((line) => line.endsWith(": without a variant that is on"))).toHaveLength(2);
    expect(lines.filter((line) => line.endsWith(": without a price in EUR"))).toHaveLength(1);
  });

  // Its import from a table does so (3.7.3): the shop's page of such a slug shows one of the two, or none if that one is switched off.
  it("gives no address to a product whose slug another one in the channel has, also one that is switched off", async () => {
    const sql = `UPDATE product_translation SET slug = 'twin' WHERE slug IN ('free-sample', 'a-book');
      INSERT INTO product (enabled) VALUES (FALSE);
      INSERT INTO product_channels_channel SELECT MAX(p.id), c.id FROM product AS p CROSS JOIN channel AS c
        WHERE c.code = '__default_channel__' GROUP BY c.id;
      INSERT INTO product_translation ("languageCode", name, slug, description, "baseId")
        SELECT 'en', 'Off', 'blue-shirt', '', MAX(p.id) FROM product AS p`;
    const shop = project((await vendure(sql)).address);
    expect(shop.init().status).toBe(0);
    const { stdout } = shop.run("get", "/products?per_page=100");
    const { data } = JSON.parse(stdout) as { data: { title: string; public_url: string }[] };
    const addresses = new Map(data.map(({ title, public_url }) => [title, public_url]));
    expect(
      [...addresses]
        .filter(([, address]) => address === "")
        .map(([title]) => title)
        .sort(),
    ).toEqual(["A book", "Blue <Shirt>", "Free sample"]);
  });

  // Vendure makes slugs unique in the channel in which a collection is made, and puts each in the default channel, too (3.7.3).
  it("gives no address to a collection whose slug another one in the channel has", async () => {
    const sql = `INSERT INTO collection ("isRoot", "isPrivate", position, filters, "inheritFilters", "parentId")
        SELECT FALSE, FALSE, 9, '[]', FALSE, c.id FROM collection AS c WHERE c."isRoot";
      INSERT INTO collection_channels_channel SELECT MAX(k.id), c.id FROM collection AS k CROSS JOIN channel AS c
        WHERE c.code = '__default_channel__' GROUP BY c.id;
      INSERT INTO collection_translation ("languageCode", name, slug, description, "baseId")
        SELECT 'en', 'Shirts of another seller', 'shirts', '', MAX(k.id) FROM collection AS k`;
    const shop = project((await vendure(sql)).address);
    expect(shop.init().status).toBe(0);
    const { data } = JSON.parse(shop.run("get", "/categories").stdout) as {
      data: { name: string; url: string }[];
    };
    expect(data.filter(({ url }) => url === "").map(({ name }) => name)).toEqual(["Shirts", "Uncategorised"]);
  });

  // Its services keep a slug that is given as "", and its import makes none of the name "™" (3.7.3).
  it("gives no address to a product and a collection without a slug", async () => {
    const sql = `UPDATE product_translation SET slug = '' WHERE slug = 'free-sample';
      UPDATE collection_translation SET slug = '' WHERE slug = 'shirts'`;
    const shop = project((await vendure(sql)).address);
    expect(shop.init().status).toBe(0);
    const addressesOf = (path: string) => {
      const { data } = JSON.parse(shop.run("get", path).stdout) as {
        data: { title?: string; name?: string; url?: string; public_url?: string }[];
      };
      return data
        .filter((each) => (each.url ?? each.public_url) === "")
        .map((each) => each.title ?? each.name);
    };
    expect(addressesOf("/products?per_page=100")).toEqual(["Free sample"]);
    expect(addressesOf("/categories")).toEqual(["Shirts", "Uncategorised"]);
  });

  it("shows pictures of the channel alone, and any first picture", async () => {
    const sql = `DELETE FROM asset_channels_channel WHERE "assetId" IN
      (SELECT "featuredAssetId" FROM product AS p JOIN product_translation AS t ON t."baseId" = p.id WHERE t.slug = 'blue-shirt')`;
    const shop = project((await vendure(sql)).address);
    shop.init();
    const { image, gallery } = shop.product("blue-shirt");
    expect(image).toMatch(/\/assets\/preview\/\w+\/blue/);
    expect(gallery).toHaveLength(1);
    expect(gallery).not.toContain(image);
  });

  it("with two tax rates for one category and zone has the price of the first that it reads, and init names them", async () => {
    const second = `INSERT INTO tax_rate (name, enabled, value, "categoryId", "zoneId")
      SELECT 'Raised', TRUE, 50, r."categoryId", r."zoneId" FROM tax_rate AS r WHERE r.id = 1`;
    const database = await vendure(second);
    const shop = project(database.address);
    expect(shop.init().stdout).toMatch(
      /Several tax rates are on for one category and zone: .*Standard Tax Europe \(20\.00 %\), Raised \(50\.00 %\)/,
    );
    expect(shop.product("rounded")["price"]).toBe(0.01);
    const price = () => {
      shop.run("build");
      return shop.product("in-both-currencies")["price"];
    };
    expect(price()).toBe(15.6);
    // Saving a rate puts its row behind the other.
    await database.run("UPDATE tax_rate SET name = name WHERE id = 1");
    expect(price()).toBe(19.5);
  });

  it("has a choice of languages, currencies and tax zones, those of the channel that was chosen", async () => {
    const { address } = await vendure("", "vendure.outlet");
    const { status, stdout } = project(address).init();
    expect(status).toBe(0);
    expect(stdout).toContain(
      "The currency is EUR (44 products): it is the channel's default. Others: USD (2 products)",
    );
    expect(stdout).toContain("The tax zone is Europe (44 products)");
    const outlet = project(address);
    expect(outlet.init("--channel", "outlet", "--language", "fr").stdout).toContain(
      "The language is fr (7 products): it was chosen. Others: de (7 products, other titles), en (7 products, other titles)",
    );
    // French, else German as the channel's, else English.
    expect(outlet.product("premier")).toMatchObject({
      title: "Premier",
      description_html: "<p>En français.</p>",
    });
    expect(outlet.product("ganz")["title"]).toBe("Ganz");
    expect(outlet.run("doctor", "--verbose").stdout).toMatch(
      /The SQL files are for the language fr .*shows de/,
    );
    const dollars = project(address);
    dollars.init("--currency", "USD");
    expect(dollars.product("in-both-currencies")).toMatchObject({ price: 1.2, currency: "USD" });
  });

  describe("writes times in the zone of its database's sessions", () => {
    const created = (at: string) =>
      `UPDATE product SET "createdAt" = '${at}', "updatedAt" = '${at}' WHERE id = (SELECT "baseId" FROM product_translation WHERE slug = 'free-sample');
       UPDATE product_translation SET "updatedAt" = '${at}'`;
    const timesOf = (shop: ReturnType<typeof project>) => {
      const { created_at, updated_at } = shop.product("free-sample");
      return [created_at, updated_at];
    };

    it.each([
      ["Europe/Berlin", "2026-01-15 12:00:00", "2026-01-15 11:00:00"],
      ["Europe/Berlin", "2026-07-15 12:00:00", "2026-07-15 10:00:00"],
      ["America/New_York", "2026-07-15 22:30:00", "2026-07-16 02:30:00"],
      ["Asia/Kolkata", "2026-01-01 00:00:00", "2025-12-31 18:30:00"],
      // An hour that there is twice is the later one; one that there is not is moved on.
      ["Europe/Berlin", "2026-10-25 02:30:00", "2026-10-25 01:30:00"],
      ["Europe/Berlin", "2026-03-29 02:30:00", "2026-03-29 01:30:00"],
      ["<+0530>-05:30", "2026-01-01 00:00:00", "2025-12-31 18:30:00"],
      ["UTC", "2026-01-15 12:00:00", "2026-01-15 12:00:00"],
    ])("of the database: %s, %s", async (zone, at, expected) => {
      const database = await vendure(created(at));
      await database.run(`ALTER DATABASE ${database.name} SET timezone = '${zone}'`);
      const shop = project(database.address);
      shop.init();
      expect(timesOf(shop)).toEqual([expected, expected]);
    });

    it("of the role that owns the tables, whoever reads them; doctor finds nothing to convert", async () => {
      const database = await vendure(created("2026-01-15 12:00:00"));
      const clerk = `clerk_${database.name}`;
      await database.run(`CREATE ROLE ${clerk}; ALTER ROLE ${clerk} SET timezone = 'Asia/Tokyo'; GRANT CREATE ON SCHEMA public TO ${clerk};
        DO $$ DECLARE t record; BEGIN
          FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('ALTER TABLE public.%I OWNER TO ${clerk}', t.tablename);
          END LOOP;
        END $$`);
      try {
        const shop = project(database.address);
        shop.init();
        expect(timesOf(shop)).toEqual(["2026-01-15 03:00:00", "2026-01-15 03:00:00"]);
        await database.run(`ALTER DATABASE ${database.name} SET timezone = 'Europe/Berlin'`);
        shop.run("build");
        expect(timesOf(shop)[0]).toBe("2026-01-15 03:00:00");
        const { stdout } = shop.run("doctor", "--verbose");
        expect(stdout).toContain(
          "The server's time zone is Asia/Tokyo; the SQL files convert its local times",
        );
        await database.run(
          `ALTER ROLE ${clerk} IN DATABASE ${database.name} SET timezone = 'America/New_York'`,
        );
        shop.run("build");
        expect(timesOf(shop)[0]).toBe("2026-01-15 17:00:00");
      } finally {
        await database.run(`DROP OWNED BY ${clerk} CASCADE; DROP ROLE ${clerk}`);
      }
    });

    it("converts an own store's, too", async () => {
      const database = await databaseWith("CREATE TABLE item (id INTEGER PRIMARY KEY, at TIMESTAMP)", "");
      await database.run(`ALTER DATABASE ${database.name} SET timezone = 'Europe/Berlin';
        INSERT INTO item VALUES (1, '2026-07-15 12:00:00')`);
      const sql = "SELECT t.at AT TIME ZONE current_setting('vitrine.zone') AS at FROM item AS t";
      expect(await askStore(database.address, (ask) => ask(sql))).toEqual([["2026-07-15 10:00:00"]]);
    });
  });
});

describe("a shop in a database for which there are no files", () => {
  const TABLES = [
    "product_variant_price",
    "product_channels_channel",
    "collection_closure",
    "global_settings",
  ];
  const made = TABLES.map((table) => `CREATE TABLE ${table} (id INTEGER PRIMARY KEY);`).join("");

  it.each([
    ["SQLite", createSqliteDatabase, null],
    ["MariaDB or MySQL", createMariadbDatabase, MARIADB_MISSING],
  ] as const)("is named, with the one that is known: %s", async (here, create, missing) => {
    if (missing !== null) return;
    const database = await create();
    open.push(database);
    await database.run(made);
    const shop = project(database.address);
    const { status, stdout } = shop.init();
    expect(status).toBe(0);
    expect(stdout).toContain(
      `This has the tables of Vendure, in ${here}. Vitrine has SQL files for Vendure in PostgreSQL only`,
    );
    const named = project(database.address).init("--shop", "vendure");
    expect(named.status).toBe(2);
    expect(named.stderr).toContain("Vitrine has SQL files for Vendure in PostgreSQL only");
  });

  it("is named also for WooCommerce in SQLite", async () => {
    const database = await createSqliteDatabase();
    open.push(database);
    await database.run(
      ["wc_product_meta_lookup", "posts", "postmeta", "term_taxonomy", "comments", "options"]
        .map((table) => `CREATE TABLE wp_${table} (id INTEGER PRIMARY KEY);`)
        .join(""),
    );
    expect(project(database.address).init().stdout).toContain(
      "This has the tables of WooCommerce, in SQLite. Vitrine has SQL files for WooCommerce in MariaDB and MySQL only",
    );
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("a Saleor", () => {
  const listing = (variant: number, price: number | null, discounted: number | null) =>
    `UPDATE product_productvariantchannellisting SET price_amount = ${price}, discounted_price_amount = ${discounted}
     WHERE variant_id = ${variant} AND channel_id = 2;`;

  it.each([
    [
      "raised, before the task",
      `UPDATE product_productchannellisting SET discounted_price_amount = 12.5 WHERE product_id = 2; ${listing(102, 30, 30)}`,
      [30, null],
    ],
    ["reduced", listing(102, 30, 12.5), [12.5, 12.5]],
    ["free on sale", listing(102, 30, 0), [0, 0]],
    ["without a discounted price, as before a migration", listing(102, 30, null), [30, null]],
  ])("shows the variants' prices, not the product's own: %s", async (_, sql, [current, sale]) => {
    const shop = project((await saleor(sql)).address);
    expect(shop.init().status).toBe(0);
    expect(shop.product("a-game")["pricing"]).toMatchObject({ current, sale });
  });

  it("compares the lowest prices of all variants, as the shop does", async () => {
    // 20 without a discount, 25 for 15: from 15 instead of from 20.
    const shop = project((await saleor(`${listing(101, 20, 20)} ${listing(201, 25, 15)}`)).address);
    shop.init();
    expect(shop.product("a-book")["pricing"]).toMatchObject({ regular: 20, sale: 15, current: 15 });
  });

  it("lists as left out what the shop lists, and nothing else", async () => {
    const shop = project((await saleor("")).address);
    shop.init();
    expect(shop.run("doctor", "--left-out").stdout.match(/^\d+ .*/gm)).toEqual([
      "16  CNRY without a category: without a category",
      "17  CNRY not sold: without a day from which it is sold",
    ]);
  });

  it("says where the shop shows prices with or without tax, other than they were entered", async () => {
    const rates = `CREATE TABLE tax_taxconfiguration (id INTEGER PRIMARY KEY, channel_id INTEGER, charge_taxes BOOLEAN,
        tax_calculation_strategy VARCHAR(20), display_gross_prices BOOLEAN, prices_entered_with_tax BOOLEAN);
      INSERT INTO tax_taxconfiguration VALUES (1, 2, TRUE, 'FLAT_RATES', TRUE, FALSE), (2, 3, TRUE, 'FLAT_RATES', TRUE, TRUE)`;
    expect(project((await saleor(rates)).address).init().stdout).toContain(
      "adds or takes off tax before it shows prices in the channels default-channel.",
    );
  });

  it("shows pictures without a place first, as the shop does", async () => {
    const shop = project(
      (
        await saleor(
          "INSERT INTO product_productmedia (id, product_id, image) VALUES (9, 1, 'products/z.png')",
        )
      ).address,
    );
    shop.init();
    const { image, gallery } = shop.product("a-book") as { image: string; gallery: string[] };
    expect(gallery.map((each) => each.split("/").at(-1))).toEqual(["z.png", "a.png", "b.png"]);
    expect(image).toMatch(/a\.png$/);
  });
});
