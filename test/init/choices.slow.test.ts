/** What a shop has several of: init names them, takes what the shop takes, asks, or refuses; doctor repeats it. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { literalOf } from "../../src/setup/choices.ts";
import type { Dialect } from "../../src/setup/schema.ts";
import { askStore } from "../../src/store/open.ts";
import { vitrine } from "../support/command.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";
import { DOWN, ENTER, initOnTerminal } from "../support/terminal.ts";

const folder = temporaryFolder();
const open: TestDatabase[] = [];
afterAll(async () => {
  for (const database of open) await database.close();
});

/** A shop's database of a dump, or of its seed, changed by SQL. */
async function shopWith(name: string, sql: string, create = createPostgresDatabase): Promise<TestDatabase> {
  const text = existsSync(`test/shops/dumps/${name}.sql.gz`)
    ? dumpOf(name)
    : readFileSync(`templates/shops/${name}/seed.sql`, "utf8");
  const database = await create(text);
  open.push(database);
  await database.run(`${create === createMariadbDatabase ? "SET sql_mode = '';" : ""}${sql}`);
  return database;
}

let count = 0;

/** A new folder, and commands in it. */
function project(database: TestDatabase) {
  count += 1;
  const place = join(folder, String(count));
  mkdirSync(place);
  const run = (...args: string[]) => vitrine(args, {}, place);
  return {
    place,
    run,
    init: (...flags: string[]) => run("init", "--store", database.address, "--yes", ...flags),
    titles: () => {
      const { data } = JSON.parse(run("get", "/products?per_page=100").stdout) as {
        data: { title: string }[];
      };
      return data.map(({ title }) => title).toSorted();
    },
    views: () => readFileSync(join(place, "queries/_views.sql"), "utf8"),
  };
}

/** A second channel, to which all products but one are moved. */
const SECOND = `INSERT INTO sales_channel (id, name) VALUES ('sc_second', 'Webshop');
  UPDATE product_sales_channel SET sales_channel_id = 'sc_second'
  WHERE sales_channel_id = (SELECT default_sales_channel_id FROM store)
    AND product_id <> (SELECT id FROM product WHERE handle = 'blue-shirt');`;
const KEY_OF_SECOND = `INSERT INTO api_key (id, token, salt, redacted, title, type, created_by)
    VALUES ('apk_second', 'pk_x', '', '', 'Second', 'publishable', '');
  INSERT INTO publishable_api_key_sales_channel (publishable_key_id, sales_channel_id, id)
    VALUES ('apk_second', 'sc_second', 'x');`;

describe.skipIf(POSTGRES_MISSING !== null)("a Medusa with several channels", () => {
  it("shows those of its publishable key, not the store's default one, and names the others", async () => {
    const shop = project(
      await shopWith(
        "medusa",
        `${SECOND} UPDATE publishable_api_key_sales_channel SET sales_channel_id = 'sc_second';`,
      ),
    );
    const { status, stdout } = shop.init();
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /The channel is Webshop \(\d+ products\): the storefront's publishable key is for it\. Others: .*Shop \(1 product\)/,
    );
    expect(shop.titles()).not.toContain("Blue Shirt");
    expect(shop.titles()).toContain("Free sample");
    expect(shop.run("doctor").stdout).toMatch(
      /note +choices: The channel is Webshop \(\d+ products\).*Shop \(1 product\)/,
    );
    expect(shop.run("doctor", "--left-out").stderr).toContain("Shop (1 product)");
  });

  it("shows the products of both channels of a key that is for two", async () => {
    const shop = project(
      await shopWith(
        "medusa",
        `${SECOND} INSERT INTO publishable_api_key_sales_channel (publishable_key_id, sales_channel_id, id)
        SELECT publishable_key_id, 'sc_second', 'x' FROM publishable_api_key_sales_channel
        WHERE sales_channel_id = (SELECT default_sales_channel_id FROM store);`,
      ),
    );
    expect(shop.init().stdout).toMatch(/The channel is (?:Shop \+ Webshop|Webshop \+ Shop) \(\d+ products\)/);
    expect(shop.titles()).toEqual(expect.arrayContaining(["Blue Shirt", "Free sample"]));
  });

  it("is refused if its keys are for channels with different products, until one is named", async () => {
    const database = await shopWith(
      "medusa",
      `${SECOND}${KEY_OF_SECOND} UPDATE sales_channel SET name = 'Ann''s "shop" \\ $& $1 :now' WHERE id = 'sc_second';`,
    );
    const refused = project(database);
    expect(refused.init()).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /several channels that show different products, and nothing in it says which .*Shop \(1 product\).* Choose with .*--channel Shop/,
      ),
    });
    expect(existsSync(join(refused.place, "queries"))).toBe(false);
    const named = project(database);
    expect(named.init("--channel", `Ann's "shop" \\ $& $1 :now`).status).toBe(0);
    expect(named.titles()).not.toContain("Blue Shirt");
    expect(named.views()).toContain("WHERE n.id IN ('sc_second')");
    expect(named.run("doctor").stdout).toMatch(/note +choices: The channel is Ann's .*: it was chosen\./);
    // Run again, it keeps what was chosen, and refuses another one.
    const again = named.run("init", "--yes");
    expect([again.status, again.stdout]).toEqual([
      0,
      expect.stringMatching(/No file is missing\.\nThe channel is Ann's/),
    ]);
    expect(named.run("init", "--yes", "--channel", "Shop")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--channel would change queries/_views.sql, which is kept"),
    });
  });

  it("is refused if its key's channel shows nothing and another one does", async () => {
    const database = await shopWith(
      "medusa",
      "UPDATE publishable_api_key_sales_channel SET deleted_at = now(); UPDATE store SET default_sales_channel_id = (SELECT id FROM sales_channel WHERE name LIKE 'Default%');",
    );
    expect(project(database).init()).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Default Sales Channel \(0 products\).*Choose with .*--channel Shop/),
    });
  });

  it("is reported by doctor when the shop takes another channel than the files", async () => {
    const database = await shopWith("medusa", SECOND);
    const shop = project(database);
    expect(shop.init("--channel", "Webshop").status).toBe(0);
    expect(shop.run("doctor").stdout).toMatch(
      /warning +choices: The SQL files are for the channel Webshop \(\d+ products\); the shop itself shows Shop \(1 product\)/,
    );
  });

  it("asks on a terminal", async () => {
    const database = await shopWith("medusa", `${SECOND}${KEY_OF_SECOND}`);
    const { place, titles } = project(database);
    const { status, said } = await initOnTerminal(
      place,
      [
        ["Which channel becomes public?", DOWN + ENTER],
        ["Which region becomes public?", ENTER],
        ["Which language becomes public?", ENTER],
        ["Which categories become public?", ENTER],
        ["Write these files and build?", ENTER],
      ],
      ...["--store", database.address, "--site-url", "https://shop.example"],
      ...["--base-url", "https://api.example", "--feeds", "google"],
    );
    expect([status, said]).toEqual([0, expect.stringContaining("Webshop (")]);
    expect(titles()).toContain("Free sample");
    expect(titles()).not.toContain("Blue Shirt");
  });

  it("names regions and languages with what they show: other products, other prices, other titles", async () => {
    const database = await shopWith(
      "medusa",
      "INSERT INTO region (id, name, currency_code) VALUES ('reg_new', 'North', 'eur'); UPDATE store SET default_region_id = (SELECT id FROM region WHERE name = 'Europe');",
    );
    const { stdout } = project(database).init();
    expect(stdout).toMatch(
      /The region is Europe EUR \((\d+) products\): .* Others: America USD \(2 products\), North EUR \((?!\1)\d+ products\)/,
    );
    expect(stdout).toMatch(
      /The language is default \((\d+) products\): .* Others: de-DE \(\1 products, other titles\)/,
    );
    const german = project(database);
    expect(german.init("--language", "de-DE").status).toBe(0);
    expect(german.titles()).toContain("Blaues Hemd");
    expect(readFileSync(join(german.place, "queries/changed.sql"), "utf8")).toContain(
      "FROM translation AS x",
    );
    const north = project(database);
    expect(north.init("--region", "North EUR").stdout).toMatch(/The region is North EUR .*: it was chosen\./);
  });

  it("refuses a channel that it does not have, and a choice that it does not offer", async () => {
    const shop = project(await shopWith("medusa", SECOND));
    expect(shop.init("--channel", "nowhere")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Medusa 2 has no channel nowhere here\. Known are .*Webshop/),
    });
    expect(shop.init("--language", "fr-FR")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Medusa 2 has no language fr-FR here. Known are de-DE, default."),
    });
    expect(shop.init("--currency", "usd")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "The prices are in EUR, the currency of the region. Choose another region with --region.",
      ),
    });
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("a Saleor", () => {
  it("shows its first channel, and is refused if that is gone and two others show different products", async () => {
    const shop = project(await shopWith("saleor", ""));
    expect(shop.init().stdout).toMatch(
      /The channel is Default \(5 products\): .* Others: Wholesale \(1 product\)/,
    );
    const database = await shopWith("saleor", "UPDATE channel_channel SET slug = 'o''neil' WHERE id = 2;");
    expect(project(database).init()).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Choose with --channel Default or --channel Wholesale\./),
    });
    const named = project(database);
    expect(named.init("--channel", "O'NEIL").status).toBe(0);
    expect(named.views()).toContain("WHERE c.slug IN ('o''neil')");
    expect(named.titles()).toHaveLength(5);
    expect(project(database).init("--language", "de")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--language: Saleor has no choice of languages"),
    });
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("a Vendure", () => {
  it("shows its default channel, names the others, and takes the one that is named", async () => {
    const database = await shopWith(
      "vendure",
      "UPDATE channel SET code = 'Ann''s $& shop' WHERE code <> '__default_channel__'",
    );
    const shop = project(database);
    expect(shop.init().stdout).toMatch(
      /The channel is __default_channel__ \(\d+ products\): .*all channels.* Others: Ann's \$& shop \(/,
    );
    const named = project(database);
    named.init("--channel", "Ann's $& shop");
    expect(named.views()).toContain("WHERE c.code IN ('Ann''s $& shop')");
  });
});

describe.skipIf(MARIADB_MISSING !== null)("a WooCommerce in two languages", () => {
  it("shows the site's default one, and takes the one that is named", async () => {
    const tables = `CREATE TABLE wp_icl_translations (translation_id BIGINT AUTO_INCREMENT PRIMARY KEY, element_type VARCHAR(60),
        element_id BIGINT, trid BIGINT, language_code VARCHAR(7), source_language_code VARCHAR(7));
      INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code)
        SELECT 'post_product', p.ID, p.ID, IF(p.ID = 10, 'de', 'en') FROM wp_posts AS p WHERE p.post_type = 'product';
      INSERT INTO wp_options (option_name, option_value)
        VALUES ('icl_sitepress_settings', 'a:1:{s:16:"default_language";s:2:"en";}');`;
    const database = await shopWith("woocommerce", tables, createMariadbDatabase);
    expect(project(database).init().stdout).toMatch(
      /The language is en \(\d+ products\): it is the site's default\. Others: de \(1 product\)/,
    );
    const german = project(database);
    expect(german.init("--language", "de").status).toBe(0);
    expect(german.titles()).toHaveLength(1);
  });
});

describe("a name as a literal of SQL", () => {
  const NAMES = [
    "plain",
    "Ann's",
    'a "quoted" `name`',
    "back\\slash",
    "\\'; DROP TABLE x; --",
    "日本",
    "$1 $& :now @now",
    "a\nb",
  ];
  const SERVERS: readonly [Dialect, string | null, () => Promise<TestDatabase>, readonly string[]][] = [
    [
      "postgres",
      POSTGRES_MISSING,
      createPostgresDatabase,
      ["on", "off"].map((mode) => `SET standard_conforming_strings = ${mode}`),
    ],
    [
      "mysql",
      MARIADB_MISSING,
      createMariadbDatabase,
      ["", "NO_BACKSLASH_ESCAPES"].map((mode) => `SET SESSION sql_mode = '${mode}'`),
    ],
  ];
  it.each(SERVERS.filter(([, missing]) => missing === null))(
    "is read back by %s, in both of its modes",
    async (dialect, _, create, modes) => {
      const database = await create();
      open.push(database);
      const rows = NAMES.map((name) => `SELECT ${literalOf(name, dialect)}`).join(" UNION ALL ");
      for (const mode of modes) {
        await database.run(
          `${mode}; DROP TABLE IF EXISTS names; CREATE TABLE names (name TEXT); INSERT INTO names ${rows}`,
        );
        const read = await askStore(database.address, (ask) => ask("SELECT name FROM names"));
        expect([mode, read.map(([name]) => name)]).toEqual([mode, NAMES]);
      }
    },
  );
});

describe.skipIf(MARIADB_MISSING !== null)("a PHP shop with several storefronts or languages", () => {
  it("of OpenCart has its default store and language, or those that are named", async () => {
    const database = await shopWith(
      "opencart",
      `INSERT INTO oc_category_description (category_id, language_id, name, description)
        SELECT category_id, 2, 'Werkzeug', '' FROM oc_category_description WHERE name = 'Tools &amp; Parts';`,
      createMariadbDatabase,
    );
    const plain = project(database).init("--site-url", "https://shop.example");
    expect(plain.stdout).toMatch(
      /The storefront is Ada & Sons \(\d\d products\): it is the default store\. Others: CNRY outlet \(1 product\)/,
    );
    expect(plain.stdout).toMatch(
      /The language is English \(\d\d products\): .*\. Others: Deutsch \(\d\d products/,
    );
    const outlet = project(database);
    expect(outlet.init("--site-url", "https://outlet.example", "--storefront", "CNRY outlet").status).toBe(0);
    expect(outlet.titles()).toEqual(["CNRY of the outlet"]);
    const german = project(database);
    german.init("--site-url", "https://shop.example", "--language", "de-de");
    expect(german.titles()).toContain("CNRY Special");
    // Its only category has no name in this language.
    expect(german.run("doctor", "--left-out").stdout).toMatch(/CNRY Free sample: in no public category/);
  });

  it("of Magento has the default store of its default website, or the one that is named", async () => {
    const database = await shopWith("magento", "", createMariadbDatabase);
    expect(project(database).init().stdout).toMatch(
      /The storefront is Main Website, Default Store View \(\d\d products\): it is the default store of the default website\. Others: .*CNRY outlet, CNRY outlet \(2 products\)/,
    );
    const outlet = project(database);
    expect(outlet.init("--storefront", "outlet").status).toBe(0);
    expect(outlet.titles()).toEqual(["CNRY of the outlet", "In a category of the outlet"]);
  });

  it("of PrestaShop has its default shop and language, or those that are named", async () => {
    const database = await shopWith(
      "prestashop",
      `INSERT INTO ps_lang (id_lang, name, active, iso_code, language_code, locale, date_format_lite, date_format_full, is_rtl)
        VALUES (2, 'Deutsch', 1, 'de', 'de-de', 'de-DE', '', '', 0);
      INSERT INTO ps_lang_shop VALUES (2, 1);
      INSERT INTO ps_product_lang (id_product, id_shop, id_lang, link_rewrite, name)
        SELECT id_product, 1, 2, 'ware', CONCAT(name, ' auf Deutsch') FROM ps_product_lang WHERE name IN ('Hammer', 'A file');
      INSERT INTO ps_category_lang (id_category, id_shop, id_lang, name, description, link_rewrite)
        SELECT id_category, 1, 2, 'Werkzeug', '', 'werkzeug' FROM ps_category_lang WHERE name = 'Tools and Parts';`,
      createMariadbDatabase,
    );
    expect(project(database).init().stdout).toMatch(
      /The language is English.* \(\d\d products\): it is the shop's default\. Others: Deutsch \(1 product\)/,
    );
    const german = project(database);
    expect(german.init("--language", "de").status).toBe(0);
    expect(german.titles()).toEqual(["Hammer auf Deutsch"]);
    expect(german.run("doctor", "--left-out").stdout).toMatch(/A file auf Deutsch: in no public category/);
  });
});
