/** Small shops of a schema that nobody knows, on real databases: what is proposed of them, and that no guess becomes public. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { confirmFile, showFiles, toConfirm } from "../../src/setup/confirm.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import type { Wanted } from "../../src/setup/tables.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

/** The products of a small shop: two are public, two are not, by one column. */
interface Shop {
  readonly column: string;
  /** The column's type, after what must be made before the table. */
  readonly type: string;
  readonly before?: string;
  readonly shown: string;
  readonly hidden: string;
  /** What is proposed; a shop without it is left to a person, who is offered both. */
  readonly proposed?: string;
}

interface Case extends Shop {
  /** What a person may write, by parts of the text; the first is right. */
  readonly offers?: readonly [string, string];
}

const MARIADB: readonly Case[] = [
  { column: "status", type: "TINYINT", shown: "1", hidden: "0", offers: ["= 1", "= 0"] },
  { column: "status", type: "BIT(1)", shown: "b'1'", hidden: "b'0'", offers: ["= 1", "= 0"] },
  { column: "status", type: "ENUM('N','Y')", shown: "'Y'", hidden: "'N'", offers: ["= 'Y'", "= 'N'"] },
  { column: "status", type: "ENUM('0','1')", shown: "'1'", hidden: "'0'", offers: ["= '1'", "= '0'"] },
  { column: "status", type: "INT UNSIGNED", shown: "2", hidden: "1", offers: ["= 2", "= 1"] },
  { column: "status", type: "DECIMAL(3,1)", shown: "1", hidden: "0", offers: ["= 1.0", "= 0.0"] },
  { column: "published_at", type: "INT", shown: "1500000000", hidden: "0", offers: ["<> 0 AND", "= 0 OR"] },
  { column: "is_active", type: "ENUM('no','yes')", shown: "'yes'", hidden: "'no'", proposed: "= 'yes'" },
  {
    column: "status",
    type: "ENUM('draft','live')",
    shown: "'live'",
    hidden: "'draft'",
    proposed: "= 'live'",
  },
  {
    column: "status",
    type: "VARCHAR(9)",
    shown: "'Published'",
    hidden: "NULL",
    offers: ["= 'Published'", "IS NULL OR"],
  },
  { column: "is_active", type: "TINYINT(1)", shown: "1", hidden: "0", proposed: "= 1" },
  { column: "isDeleted", type: "BIT(1)", shown: "0", hidden: "1", proposed: "= 0" },
  { column: "members_only", type: "TINYINT", shown: "0", hidden: "1", proposed: "= 0" },
  {
    column: "published",
    type: "DATETIME",
    shown: "'2020-01-01'",
    hidden: "'2999-01-01'",
    proposed: "<= @now",
  },
  { column: "removed_at", type: "DATETIME", shown: "NULL", hidden: "'2020-01-01'", proposed: "IS NULL" },
];

const POSTGRES: readonly Case[] = [
  { column: "status", type: "SMALLINT", shown: "1", hidden: "0", offers: ["= 1", "= 0"] },
  { column: "status", type: "BOOLEAN", shown: "TRUE", hidden: "FALSE", offers: ["", "NOT"] },
  { column: "is_active", type: "BIT(1)", shown: "B'1'", hidden: "B'0'", proposed: "= '1'" },
  {
    ...{ column: "status", before: "CREATE TYPE yn AS ENUM ('N', 'Y');", type: "yn" },
    ...{ shown: "'Y'", hidden: "'N'", offers: ["= 'Y'", "= 'N'"] },
  },
  {
    ...{ column: "status", before: "CREATE TYPE state AS ENUM ('draft', 'active');", type: "state" },
    ...{ shown: "'active'", hidden: "'draft'", proposed: "= 'active'" },
  },
  { column: "visible", type: "BOOLEAN", shown: "TRUE", hidden: "FALSE", proposed: "" },
  { column: "archived", type: "BOOLEAN", shown: "FALSE", hidden: "TRUE", proposed: "NOT" },
  { column: "inactive", type: "INTEGER", shown: "0", hidden: "1", proposed: "= 0" },
  {
    column: "publish_status",
    type: "TEXT",
    shown: "'PUBLISHED'",
    hidden: "'x'",
    proposed: "= 'PUBLISHED'",
  },
  {
    column: "published_at",
    type: "BIGINT",
    shown: "1500000000",
    hidden: "0",
    offers: ["<> 0 AND", "= 0 OR"],
  },
  {
    column: "expires_at",
    type: "TIMESTAMPTZ",
    shown: "NULL",
    hidden: "'2020-01-01'",
    proposed: "IS NULL OR",
  },
];

const SQLITE: readonly Case[] = [
  { column: "status", type: "INTEGER", shown: "1", hidden: "0", offers: ["= 1", "= 0"] },
  { column: "is_active", type: "TEXT", shown: "'Y'", hidden: "'N'", proposed: "= 'Y'" },
  { column: "enabled", type: "TEXT", shown: "'1'", hidden: "'0'", proposed: "= '1'" },
  {
    column: "published_at",
    type: "INTEGER",
    shown: "1500000000",
    hidden: "99999999999",
    proposed: "<= CAST(strftime('%s', :now) AS INTEGER)",
  },
  { column: "status", type: "TEXT", shown: "'it''s on'", hidden: "'off'", offers: ["= 'on'", "= 'off'"] },
  { column: "is_listed", type: "BOOLEAN", shown: "1", hidden: "0", proposed: "= 1" },
  { column: "status", type: "", shown: "'active'", hidden: "0", offers: ["= 'active'", "= 0"] },
  {
    column: "published_at",
    type: "TEXT",
    shown: "'2020-01-01T00:00:00Z'",
    hidden: "'2999-01-01'",
    proposed: "<= :now",
  },
  {
    column: "embargo_until",
    type: "TEXT",
    shown: "'2020-01-01'",
    hidden: "'2999-01-01'",
    proposed: "<= :now",
  },
];

const tablesOf = ({ column, type, before = "", shown, hidden }: Case, key: string) => `${before}
  CREATE TABLE products (id ${key} PRIMARY KEY, name VARCHAR(40), price DECIMAL(10, 2), ${column} ${type});
  INSERT INTO products VALUES (1, 'One', 5, ${shown}), (2, 'CNRY two', 6, ${hidden}), (3, 'Three', 7, ${shown}),
    (4, 'CNRY four', 8, ${hidden});`;

const codeOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

let made = 0;

/** As a person comes to it: init, a look at the files, a choice where there is one, and a confirmation of each. */
async function expectNoGuess(store: string, { column, offers, proposed }: Case): Promise<void> {
  const project = join(folder, `project-${++made}`);
  mkdirSync(project);
  const plan = await planInit({ store, folder: project, wanted: { currency: "EUR" } });
  writeInit(project, plan);
  const queries = join(project, "queries");
  const [file, products] = [join(queries, "_views.sql"), join(queries, "products.sql")];
  const names = plan.shown.map((each) => each.file);
  const titlesOf = (shown: typeof plan.shown) =>
    shown.find((each) => each.file === "products.sql")?.samples.map(({ title }) => title);
  expect(codeOf(() => readAllowList(queries))).toBe("not_confirmed");
  expect(JSON.stringify(plan.shown)).not.toContain("CNRY");
  const sql = readFileSync(file, "utf8");
  expect(sql).not.toMatch(/<> ''|IN \('published'/);
  if (offers !== undefined) {
    expect(titlesOf(plan.shown)).toEqual([]);
    expect(sql).toMatch(/1 = 0,? -- vitrine: choose/);
    expect(sql.match(/\(2 rows\)/g)?.length ?? 0).toBeGreaterThan(0);
    expect(codeOf(() => toConfirm(queries, names))).toBe("not_confirmed");
    // A line that is taken out by hand alone does not do.
    const proposal = readFileSync(products, "utf8");
    writeFileSync(products, proposal.slice(proposal.indexOf("\n") + 1));
    expect(codeOf(() => readAllowList(queries))).toBe("not_confirmed");
    const right = /write instead of 1 = 0: (.*)/.exec(sql)?.[1] ?? "";
    writeFileSync(products, proposal);
    const choice = right.split(" or ").find((offer) => offer.includes(offers[0]) && !/\bNOT\b/.test(offer));
    expect([column, right]).toEqual([column, expect.stringContaining(offers[1])]);
    const condition = (choice ?? "FALSE").replace(/ \(2 rows\)$/, "");
    writeFileSync(
      file,
      sql.replace(/1 = 0(,?) -- vitrine: choose.*/, (_, comma: string) => condition + comma),
    );
    if (choice === undefined) return; // Nothing fit to be offered: the person writes it.
  } else expect(sql).toContain(proposed);
  expect(titlesOf(await showFiles(store, queries, toConfirm(queries, names)))).toEqual(["One", "Three"]);
  for (const name of toConfirm(queries, names)) confirmFile(queries, name);
  expect(Object.keys(readAllowList(queries)).sort()).toEqual(["categories", "products", "store"]);
  expect(toConfirm(queries, names)).toEqual([]);
}

const titled = (cases: readonly Case[]) =>
  cases.map((each) => [`${each.column} ${each.type}`, each] as const);

/** A store in SQLite, and what init makes of it. */
async function planOf(sql: string, wanted: Wanted = { currency: "EUR" }) {
  const store = join(folder, `values-${++made}.sqlite`);
  const db = new Database(store);
  db.exec(sql);
  db.close();
  const plan = await planInit({ store, folder, wanted });
  const files = [...plan.files.values()].join("\n");
  const shown = plan.shown.find(({ file }) => file === "products.sql");
  return { ...plan, sql: files, ids: shown?.samples.map(({ id }) => id) };
}

const CATEGORIES =
  "CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER, is_active INTEGER);";

describe("values", () => {
  it.each([
    ["price INTEGER", "1999", 't."price" AS price_minor (1999 is 19.99)'],
    ["price REAL", "19.99", 't."price" AS price,'],
    ["price DECIMAL(10,2)", "20", 't."price" AS price,'],
    ["price_cents INTEGER", "1999", 't."price_cents" AS price_minor,'],
  ])("of %s like %s tell the unit, or leave it to a person", async (column, value, expected) => {
    const { sql, choices } = await planOf(
      `CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, ${column}); INSERT INTO products VALUES (1, 'A', ${value})`,
    );
    expect(sql).toContain(expected);
    expect(choices.length).toBe(expected.includes("(") ? 1 : 0);
  });

  it("say the currency, a sale price and a picture where they are clear, and else a person says the currency", async () => {
    const table =
      "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL, currency TEXT, sale_price REAL, image TEXT);";
    const { sql, choices } = await planOf(
      `${table} INSERT INTO products VALUES (1, 'A', 2.5, 'usd', 2, 'https://cdn.example/a.png'), (2, 'B', 3.5, 'USD', NULL, '')`,
      {},
    );
    expect([choices.length, sql]).toEqual([
      0,
      expect.stringContaining('NULLIF(t."sale_price", 0) AS sale_price'),
    ]);
    for (const part of ['UPPER(t."currency") AS currency', "COALESCE(t.\"image\", '') AS image"])
      expect(sql).toContain(part);
    const dearer = await planOf(`${table} INSERT INTO products VALUES (1, 'A', 2.5, NULL, 3, 'a.png')`, {});
    for (const part of ["NULL AS sale_price", "'' AS image", "'EUR' AS currency, -- vitrine: choose"])
      expect(dearer.sql).toContain(part);
  });

  it("of sales elsewhere are told, where there are any, and the regular price is proposed", async () => {
    const specials = `CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL, special_from TEXT);
      CREATE TABLE specials (specials_id INTEGER PRIMARY KEY, product_id INTEGER, new_price REAL, expires TEXT);
      CREATE TABLE product_campaigns (product_id INTEGER, percent REAL);
      CREATE TABLE offers (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO products VALUES (1, 'A', 2.5, NULL);
      INSERT INTO offers VALUES (1, 'Of no product');`;
    const none = await planOf(specials);
    expect(none.notes).toEqual([expect.stringContaining("Sales: what products.special_from says of prices")]);
    const some = await planOf(`${specials} INSERT INTO specials VALUES (1, 1, 2, NULL)`);
    const said = "products.special_from, specials.new_price says of prices is not read";
    expect([some.notes, some.sql]).toEqual([[expect.stringContaining(said)], expect.stringContaining(said)]);
    expect(some.sql).toContain("NULL AS sale_price");
  });

  it("keep rows without a category, and count the others with why", async () => {
    const { leftOut, sql, ids } = await planOf(`${CATEGORIES}
      INSERT INTO categories VALUES (1, 'Open', NULL, 1), (2, 'Closed', NULL, 0), (3, 'Below', 2, 1);
      CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL, category_id INTEGER, status TEXT, release_at TEXT);
      INSERT INTO products VALUES (1, 'A', 1.5, 1, 'active', NULL), (2, 'B', 1.5, NULL, 'active', ''), (3, 'C', 1.5, 2, 'active', NULL),
        (4, 'D', 1.5, 3, 'active', NULL), (5, 'E', NULL, 1, 'active', NULL), (6, 'F', 1.5, 1, 'draft', NULL),
        (7, 'G', 1.5, 1, 'active', '2999-01-01T00:00:00Z');`);
    expect(ids).toEqual([1, 2]);
    expect(leftOut.table).toBe("products");
    expect(leftOut.reasons).toEqual([
      ["in no public category", 2],
      ["left out by release_at", 1],
      ["left out by status", 1],
      ["without a price", 1],
    ]);
    expect(sql).toContain("-- status = 'active': 6 of 7; left out: 'draft' 1");
    expect(sql).toContain("-- release_at is past, or empty: 6 of 7");
  });

  it("say that texts are kept as a page shows them", async () => {
    const texts = (name: string, text: string) =>
      planOf(`CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL, description TEXT);
        INSERT INTO products VALUES (1, '${name}', 1.5, '${text}'), (2, 'Plain', 1.5, '')`);
    const escaped = await texts("Tom &amp; &quot;Ada&quot;", "&lt;p&gt;Soft &amp;amp; warm&lt;/p&gt;");
    const [product] = escaped.shown.find(({ file }) => file === "products.sql")?.samples ?? [];
    expect(product).toMatchObject({
      ...{ title_html: "Tom &amp; &quot;Ada&quot;", slug_source: 'Tom & "Ada"' },
      description_html: "<p>Soft &amp; warm</p>",
    });
    expect(escaped.sql).toContain("-- HTML is kept escaped");
    const plain = await texts("Tom & Ada", "<p>Say &amp;amp; for an ampersand</p>");
    expect(plain.sql).not.toContain("REPLACE(");
  });

  it("that leave nothing are no proposal", async () => {
    await expect(
      planOf(
        "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL); INSERT INTO products VALUES (1, 'A', NULL)",
      ),
    ).rejects.toMatchObject({
      code: "rows_invalid",
      message: expect.stringMatching(/None of the 1 rows of products/),
    });
  });
});

describe("tables", () => {
  const TEXTS = `CREATE TABLE product (product_id INTEGER PRIMARY KEY, price REAL); INSERT INTO product VALUES (1, 1.5), (2, 2.5);
    CREATE TABLE product_description (product_id INTEGER, language_id INTEGER, name TEXT, PRIMARY KEY (product_id, language_id));
    INSERT INTO product_description VALUES (1, 1, 'A')`;

  it("of translations give names, in the one language that there is or in the one that a person chooses", async () => {
    const one = await planOf(TEXTS);
    expect([one.ids, one.leftOut.reasons, one.choices]).toEqual([[1], [["without a name", 1]], []]);
    const two = await planOf(`${TEXTS}, (1, 2, 'B')`);
    expect(two.sql).toContain(
      '1 = 0 -- vitrine: choose, and write instead of 1 = 0: t."language_id" = 1 (1 row) or',
    );
  });

  it("may put their noun before each of their columns", async () => {
    const { ids, sql } =
      await planOf(`CREATE TABLE products (products_id INTEGER PRIMARY KEY, products_price REAL,
        products_status TEXT, products_date_added TEXT);
      INSERT INTO products VALUES (1, 1.5, 'active', '2020-01-01'), (2, 2.5, 'draft', '2020-01-01');
      CREATE TABLE products_description (products_id INTEGER, language_id INTEGER, products_name TEXT, products_description TEXT,
        PRIMARY KEY (products_id, language_id));
      INSERT INTO products_description VALUES (1, 1, 'A', 'a'), (2, 1, 'B', 'b')`);
    expect(ids).toEqual([1]);
    for (const part of ['t."products_price" AS price', 'd."products_description"', 't."products_date_added"'])
      expect(sql).toContain(part);
  });

  it("of translations are told from others that name the product by their own key, and tags are no limit", async () => {
    const { ids, leftOut } = await planOf(`${TEXTS}, (2, 1, 'B');
      CREATE TABLE product_option_description (id INTEGER PRIMARY KEY, product_id INTEGER, language_id INTEGER, name TEXT);
      INSERT INTO product_option_description VALUES (1, 1, 1, 'Size');
      CREATE TABLE product_tags (product_id INTEGER, tag TEXT, language_id INTEGER, PRIMARY KEY (product_id, tag, language_id));
      INSERT INTO product_tags VALUES (1, 'new', 1)`);
    expect([ids, leftOut.reasons]).toEqual([[1, 2], []]);
  });

  it("of a tree may name its root in each row, which is no parent", async () => {
    const { ids } =
      await planOf(`CREATE TABLE taxons (id INTEGER PRIMARY KEY, root INTEGER REFERENCES taxons (id),
        parent_id INTEGER REFERENCES taxons (id), name TEXT, enabled INTEGER);
      INSERT INTO taxons VALUES (1, 1, NULL, 'All', 1), (2, 1, 1, 'Caps', 1), (3, 1, 1, 'Off', 0), (4, 1, 3, 'Below', 1);
      CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL, main_taxon_id INTEGER REFERENCES taxons (id));
      INSERT INTO products VALUES (1, 'A', 1.5, 2), (2, 'B', 1.5, 3), (3, 'C', 1.5, 4)`);
    expect(ids).toEqual([1]);
  });

  it("with a price for each currency leave it to a person", async () => {
    await expect(
      planOf(`CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, sku TEXT); INSERT INTO products VALUES (1, 'A', 'a');
        CREATE TABLE products_prices (id INTEGER PRIMARY KEY, product_id INTEGER, EUR REAL, USD REAL)`),
    ).rejects.toThrow("price products_prices.EUR or products_prices.USD");
  });

  it("of variants give the lowest price of those that are public, and prices of a group are nobody else's", async () => {
    const variants = (
      more: string,
      rows: string,
    ) => `CREATE TABLE products (id INTEGER PRIMARY KEY, title TEXT);
      INSERT INTO products VALUES (1, 'A'), (2, 'B');
      CREATE TABLE variants (id INTEGER PRIMARY KEY, product_id INTEGER REFERENCES products (id), price REAL, ${more});
      INSERT INTO variants VALUES ${rows}`;
    const { shown, leftOut } = await planOf(
      variants("enabled INTEGER", "(1, 1, 9.5, 1), (2, 1, 8.5, 1), (3, 1, 0.5, 0)"),
    );
    expect(shown.find(({ file }) => file === "products.sql")?.samples).toEqual([
      expect.objectContaining({ price: 8.5 }),
    ]);
    expect(leftOut.reasons).toEqual([["without a price", 1]]);
    const groups = await planOf(variants("customer_group INTEGER", "(1, 1, 9.5, NULL), (2, 1, 0.5, 3)"));
    expect([groups.ids, groups.choices.length]).toEqual([[], 1]);
  });

  it("that limit products to a store count, and where there are several stores a person chooses", async () => {
    const shop = `CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL); INSERT INTO products VALUES (1, 'A', 1.5), (2, 'B', 1.5);
      CREATE TABLE product_to_store (product_id INTEGER, store_id INTEGER, PRIMARY KEY (product_id, store_id)); INSERT INTO product_to_store VALUES (1, 0)`;
    expect((await planOf(shop)).ids).toEqual([1]);
    expect((await planOf(`${shop}, (2, 4)`)).choices.length).toBe(1);
  });

  it("between products and categories are taken, and not what products only have to do with", async () => {
    const { shown, choices } =
      await planOf(`CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL);
      INSERT INTO products VALUES (1, 'A', 1.5), (2, 'B', 1.5);
      CREATE TABLE shop_category (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO shop_category VALUES (7, 'Sevens'), (8, 'Eights');
      CREATE TABLE product_shelf (product_id INTEGER, category_id INTEGER REFERENCES shop_category (id), last_update DATETIME);
      INSERT INTO product_shelf VALUES (1, 8, ''), (1, 7, '');
      CREATE TABLE tax_category (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO tax_category VALUES (1, 'Reduced');
      CREATE TABLE variants (id INTEGER PRIMARY KEY, product_id INTEGER, tax_category_id INTEGER REFERENCES tax_category (id), sku TEXT);
      INSERT INTO variants VALUES (1, 1, 1, 'A-1');
      CREATE TABLE product_option_group (product_id INTEGER, group_id INTEGER); INSERT INTO product_option_group VALUES (1, 1), (2, 2)`);
    const rowsOf = (name: string) => shown.find(({ file }) => file === name)?.samples;
    expect([choices, rowsOf("products.sql")?.map(({ category_id }) => category_id)]).toEqual([
      [],
      [7, 2_147_483_647],
    ]);
    expect(rowsOf("categories.sql")?.map(({ name }) => name)).toEqual(["Sevens", "Eights", "Uncategorised"]);
  });

  it("are named with why where none is clear, and flags say which", async () => {
    const films = `CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT, rental_rate REAL, length INTEGER);
      INSERT INTO film VALUES (1, 'A', 2.5, 90); CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, name TEXT)`;
    await expect(planOf(films)).rejects.toThrow(
      /The nearest: film \(1 rows; key film_id; name title; no price that is called so, its numbers are rental_rate, length\)/,
    );
    expect((await planOf(films, { currency: "EUR", products: "film", price: "rental_rate" })).ids).toEqual([
      1,
    ]);
    for (const wanted of [{ products: "none" }, { products: "film", price: "none" }, { currency: "EURO" }])
      await expect(planOf(films, wanted)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("in SQLite", () => {
  it.each(titled(SQLITE))("%s: what is hidden is not proposed, and nothing is public", async (_, shop) => {
    const store = join(folder, `shop-${++made}.sqlite`);
    const db = new Database(store);
    db.exec(tablesOf(shop, "INTEGER"));
    db.close();
    await expectNoGuess(store, shop);
  });
});

describe.each([
  ["MariaDB", createMariadbDatabase, MARIADB_MISSING, MARIADB],
  ["PostgreSQL", createPostgresDatabase, POSTGRES_MISSING, POSTGRES],
] as const)("in %s", (_, create, missing, cases) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === null) database = await create();
  });
  afterAll(() => database?.close());

  it.skipIf(missing !== null).each(titled(cases))(
    "%s: what is hidden is not proposed, and nothing is public",
    async (__, shop) => {
      await database.run(`DROP TABLE IF EXISTS products; ${tablesOf(shop, "INTEGER")}`);
      await expectNoGuess(database.address, shop);
    },
  );
});
