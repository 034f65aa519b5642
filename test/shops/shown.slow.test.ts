/** What shops show and hide by their own settings, on dumps of shops that are changed as users reported it. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BlogPost, Category, ProductDetail, Review } from "../../src/api/types.ts";
import { type BuildReport, build } from "../../src/pipeline/build.ts";
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
const NOW = new Date("2026-12-10T12:00:00Z");
const SITE = "https://shop.example";

/** What a build made. */
interface Shop {
  readonly report: BuildReport;
  readonly notes: readonly string[];
  readonly leftOut: readonly string[];
  read<Data>(path: string): Data | null;
}

interface Change {
  readonly create?: typeof createMariadbDatabase;
  readonly siteUrl?: string;
  /** Appended to the store's address. */
  readonly parameters?: string;
}

interface Build {
  readonly force?: boolean;
  readonly now?: Date;
}

let count = 0;

/** The database of a dump that was changed. */
async function databaseOf(dump: string, sql: string, create = createMariadbDatabase): Promise<TestDatabase> {
  const database = await create(dumpOf(dump));
  await database.run(`${create === createMariadbDatabase ? "SET sql_mode = '';" : ""}${sql}`);
  return database;
}

/** Runs init for a database in a new folder; returns how to build it. */
async function initShop(
  database: TestDatabase,
  change: Change = {},
): Promise<(build?: Build) => Promise<Shop>> {
  const { siteUrl = SITE, parameters = "" } = change;
  count += 1;
  const project = join(folder, String(count));
  const [queries, out] = [join(project, "queries"), join(project, "out")];
  const store = database.address + parameters;
  const plan = await planInit({ store, folder: project, siteUrl });
  writeSmallInit(project, plan);
  const configFile = join(project, "vitrine.config.json");
  return async ({ force, now = NOW } = {}) => {
    const report = await build({ configFile, queries, out, now, allowShrink: 100_000, force });
    const leftOut: string[] = [];
    const moment = now.toISOString().slice(0, 19).replace("T", " ");
    for await (const { id, reason } of eachLeftOut({ store, queries, now: moment }))
      leftOut.push(`${id} ${reason}`);
    return {
      report,
      leftOut,
      notes: plan.notes,
      read<Data>(path: string): Data | null {
        const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
        const { status, body } = catalog.get(path);
        catalog.close();
        return status === 200 ? (JSON.parse(body) as { readonly data: Data }).data : null;
      },
    };
  };
}

/** Builds a changed dump, through init and build. */
async function shopOf(dump: string, sql: string, change: Change = {}): Promise<Shop> {
  const database = await databaseOf(dump, sql, change.create);
  try {
    return await (await initShop(database, change))();
  } finally {
    await database.close();
  }
}

const DAY = "'2026-11-01 10:00:00'";

/** A published product of WooCommerce: its price, and additional metadata. */
function product(
  id: number,
  meta: Readonly<Record<string, string>> = {},
  type = "product",
  parent = 0,
): string {
  const rows = Object.entries({ _regular_price: "10", _stock_status: "instock", ...meta });
  const values = rows.map(([key, value]) => `(${id}, '${key}', '${value}')`).join(", ");
  return `INSERT INTO wp_posts (ID, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content, post_title, post_excerpt,
      post_name, post_type, post_parent, to_ping, pinged, post_content_filtered)
    VALUES (${id}, ${DAY}, ${DAY}, ${DAY}, ${DAY}, '', 'Product ${id}', '', 'p-${id}', '${type}', ${parent}, '', '', '');
    INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES ${values};`;
}

function review(id: number, productId: number, author = "Ann", text = "Good."): string {
  return `INSERT INTO wp_comments (comment_ID, comment_post_ID, comment_author, comment_date, comment_date_gmt, comment_content,
      comment_approved, comment_type) VALUES (${id}, ${productId}, '${author}', ${DAY}, ${DAY}, '${text}', '1', 'review');
    INSERT INTO wp_commentmeta (comment_id, meta_key, meta_value) VALUES (${id}, 'rating', '5'), (${id}, 'rating', '1');`;
}

function picture(id: number, file: string): string {
  return `INSERT INTO wp_posts (ID, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_status,
      post_type, post_mime_type) VALUES (${id}, 'pic', '', '', '', '', '', 'inherit', 'attachment', 'image/jpeg');
    INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_wp_attached_file', '${file}'),
      (${id}, '_wp_attached_file', 'second.jpg');`;
}

const option = (name: string, value: string) =>
  `DELETE FROM wp_options WHERE option_name = '${name}'; INSERT INTO wp_options (option_name, option_value) VALUES ('${name}', '${value}');`;

const detail = (shop: Shop, id: number) => shop.read<ProductDetail>(`/product?id=${id}`);
const prices = (shop: Shop, id: number) => {
  const found = detail(shop, id);
  return found === null ? null : [found.price, found.sale_price];
};

describe.skipIf(MARIADB_MISSING !== null)("a WooCommerce shop", () => {
  it("shows no reviews of a product whose reviews are closed", async () => {
    const sql = `${product(901)}${review(801, 901)}${product(902)}${review(802, 902)}UPDATE wp_posts SET comment_status = 'closed' WHERE ID = 901;`;
    const shop = await shopOf("woocommerce", sql);
    expect([901, 902].map((id) => detail(shop, id)?.review_count)).toEqual([0, 1]);
    const reviews = shop.read<readonly Review[]>("/reviews?per_page=100") ?? [];
    expect(
      reviews.filter(({ product_id }) => product_id > 900).map(({ id, rating }) => [id, rating]),
    ).toEqual([[802, 5]]);
  });

  it.each(["woocommerce_enable_reviews", "woocommerce_enable_review_rating"])(
    "shows no reviews with %s off",
    async (name) => {
      const shop = await shopOf("woocommerce", product(901) + review(801, 901) + option(name, "no"));
      expect(shop.read("/reviews")).toEqual([]);
    },
  );

  it("shows names decoded, and none that contains an address", async () => {
    const names = [
      "Tom &amp; Jerry",
      "ada&#64;shop.example",
      "see https://spam.example",
      "www.spam.example",
      "spam.example/x",
      "",
      "St. John",
    ];
    const sql = names.map((name, at) => product(901 + at) + review(801 + at, 901 + at, name)).join("");
    const shop = await shopOf("woocommerce", sql);
    const reviews = shop.read<readonly Review[]>("/reviews?per_page=100") ?? [];
    const shown = names.map((_, at) => reviews.find(({ id }) => id === 801 + at)?.customer_display_name);
    expect(shown).toEqual([
      "Tom & Jerry",
      "Anonymous",
      "Anonymous",
      "Anonymous",
      "Anonymous",
      "Anonymous",
      "St. John",
    ]);
  });

  it("reads the first of two rows with the same key", async () => {
    const second = `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (901, '_regular_price', '99'), (901, '_thumbnail_id', '703');
      INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (902, '_regular_price', '1');`;
    const shop = await shopOf(
      "woocommerce",
      picture(702, "a.jpg") +
        picture(703, "b.jpg") +
        product(901, { _thumbnail_id: "702" }) +
        product(902) +
        second,
    );
    expect([prices(shop, 901), prices(shop, 902)]).toEqual([
      [10, null],
      [10, null],
    ]);
    expect(detail(shop, 901)?.image).toBe(`${SITE}/wp-content/uploads/a.jpg`);
  });

  it("ends sales of variants and grouped products on time, whatever the shop's lookup table says", async () => {
    const until = (time: string) => ({
      _sale_price: "5",
      _sale_price_dates_to: String(Date.parse(time) / 1000),
    });
    const kinds = `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id)
      SELECT p.ID, x.term_taxonomy_id FROM wp_posts AS p JOIN wp_term_taxonomy AS x ON x.taxonomy = 'product_type'
        JOIN wp_terms AS t ON t.term_id = x.term_id AND t.slug = IF(p.ID = 901, 'variable', 'grouped') WHERE p.ID IN (901, 905);
      INSERT INTO wp_wc_product_meta_lookup (product_id, sku, min_price, max_price) VALUES (901, '', 5, 12), (905, '', 5, 12);`;
    const sql =
      product(901, { _regular_price: "" }) +
      product(902, { _regular_price: "12", ...until("2026-12-20T00:00:00Z") }, "product_variation", 901) +
      product(903, { _regular_price: "14" }, "product_variation", 901) +
      product(904, { _regular_price: "8", ...until("2026-12-15T00:00:00Z") }) +
      product(905, { _regular_price: "", _children: 'a:2:{i:0;i:904;i:1;s:3:"901";}' }) +
      // A private variant is not shown.
      product(906, { _regular_price: "1" }, "product_variation", 901).replace("'p-906'", "'p-906'") +
      `UPDATE wp_posts SET post_status = 'private' WHERE ID = 906;${kinds}`;
    const database = await databaseOf("woocommerce", sql);
    const buildAt = await initShop(database);
    // Each reads the same folder: asked before the next one is built.
    const during = await buildAt();
    expect([prices(during, 901), prices(during, 905)]).toEqual([
      [12, 5],
      [5, null],
    ]);
    expect(during.report.nextChangeAt).toBe("2026-12-15T00:00:00+00:00");
    const between = await buildAt({ now: new Date("2026-12-16T00:00:00Z") });
    expect(between.report.nextChangeAt).toBe("2026-12-20T00:00:00+00:00");
    const after = await buildAt({ now: new Date("2026-12-21T00:00:00Z") });
    expect([prices(after, 901), prices(after, 905)]).toEqual([
      [12, null],
      [8, null],
    ]);
    await database.close();
  });

  it("has each picture at its address, with the shop's own settings", async () => {
    const PLACES: readonly (readonly [file: string, options: object, address: string])[] = [
      ["/home/c/public_html/wp-content/uploads/2010/old.jpg", {}, `${SITE}/wp-content/uploads/2010/old.jpg`],
      ["/srv/media/2010/old.jpg", { upload_path: "/srv/media" }, `${SITE}/wp-content/uploads/2010/old.jpg`],
      ["2010/a.jpg", { upload_path: "media" }, `${SITE}/media/2010/a.jpg`],
      ["2010/a.jpg", { upload_url_path: "https://cdn.example/up" }, "https://cdn.example/up/2010/a.jpg"],
      ["2010/a.jpg", { siteurl: "https://shop.example/wp" }, `${SITE}/wp/wp-content/uploads/2010/a.jpg`],
      [
        "2010/a.jpg",
        { siteurl: "https://admin.example" },
        "https://admin.example/wp-content/uploads/2010/a.jpg",
      ],
      ["2010/a.jpg", { upload_path: "wp-content/blogs.dir/2/files" }, `${SITE}/files/2010/a.jpg`],
      ["/srv/other/a.jpg", {}, ""],
      ["2010/a.jpg", { siteurl: "http://localhost:8000" }, ""],
      ["/x/wp-content/uploads/woocommerce_uploads/sold.jpg", {}, ""],
    ];
    const database = await databaseOf("woocommerce", "");
    const buildIt = await initShop(database);
    const names = ["upload_path", "upload_url_path", "siteurl"].map((name) => `'${name}'`).join(", ");
    await database.run(
      `CREATE TABLE kept_options AS SELECT * FROM wp_options WHERE option_name IN (${names})`,
    );
    await database.run(picture(702, "") + product(901, { _thumbnail_id: "702" }));
    for (const [file, options, address] of PLACES) {
      await database.run(`DELETE FROM wp_options WHERE option_name IN (${names});
        INSERT INTO wp_options SELECT * FROM kept_options;
        ${Object.entries(options)
          .map(([name, value]) => option(name, String(value)))
          .join("")}
        UPDATE wp_postmeta SET meta_value = '${file}' WHERE post_id = 702 AND meta_value <> 'second.jpg'`);
      const shop = await buildIt();
      expect([file, options, detail(shop, 901)?.image]).toEqual([file, options, address]);
      const emptied = shop.report.wrong.filter(({ column }) => column === "image");
      // A sold file is not a picture; any other unusable address is counted.
      expect(emptied.map(({ rows }) => rows)).toEqual(address === "" && !file.includes("sold") ? [1] : []);
    }
    await database.close();
  });

  it("has the pictures of a multisite's site below its own folder", async () => {
    const sql = picture(702, "2024/ok.jpg") + picture(703, "/x/wp-content/uploads/sites/2/2024/old.jpg");
    const tables = [...dumpOf("woocommerce").matchAll(/CREATE TABLE `(wp_\w+)`/g)].map(
      ([, name = ""]) => name,
    );
    const renamed = tables.map((name) => `RENAME TABLE ${name} TO ${name.replace("wp_", "wp_2_")};`).join("");
    const shop = await shopOf(
      "woocommerce",
      sql + product(901, { _thumbnail_id: "702" }) + product(902, { _thumbnail_id: "703" }) + renamed,
    );
    expect([901, 902].map((id) => detail(shop, id)?.image)).toEqual(
      ["ok", "old"].map((name) => `${SITE}/wp-content/uploads/sites/2/2024/${name}.jpg`),
    );
  });

  it("dates records without a UTC time by the site's own time zone", async () => {
    const zero = "'0000-00-00 00:00:00'";
    const sql = `${product(901)}UPDATE wp_posts SET post_date_gmt = ${zero}, post_modified_gmt = ${zero} WHERE ID = 901 OR post_type = 'post';
      UPDATE wp_comments SET comment_date_gmt = ${zero};${option("timezone_string", "")}${option("gmt_offset", "5.5")}${product(902)}
      UPDATE wp_posts SET post_date_gmt = ${zero}, post_date = ${zero} WHERE ID = 902;`;
    const shop = await shopOf("woocommerce", sql);
    expect(detail(shop, 901)?.created_at).toBe("2026-11-01 04:30:00");
    expect(shop.read<readonly BlogPost[]>("/blog")).toHaveLength(2);
    expect(shop.read<readonly Review[]>("/reviews")).toHaveLength(1);
    expect([shop.leftOut.filter((line) => line.startsWith("902")), shop.report.wrong]).toEqual([
      ["902 without a date"],
      [],
    ]);
  });

  const WPML = `CREATE TABLE wp_icl_translations (translation_id BIGINT AUTO_INCREMENT PRIMARY KEY, element_type VARCHAR(60),
    element_id BIGINT, trid BIGINT, language_code VARCHAR(7), source_language_code VARCHAR(7));
    INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) VALUES ('post_product', 901, 1, 'de'),
      ('post_product', 902, 1, 'en'), ('post_product', 903, 2, 'de');
    ${option("icl_sitepress_settings", 'a:1:{s:16:"default_language";s:2:"en";}')}`;
  const term = (id: number, slug: string, taxonomy: string, posts: string) =>
    `INSERT INTO wp_terms (term_id, name, slug) VALUES (${id}, '${slug}', '${slug}');
    INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (${id}, ${id}, '${taxonomy}', '');
    INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, ${id} FROM wp_posts WHERE ID IN (${posts});`;
  const POLYLANG =
    term(991, "de", "language", "901, 903") +
    term(992, "en", "language", "902") +
    term(993, "pll_1", "post_translations", "901, 902") +
    option("polylang", 'a:1:{s:12:"default_lang";s:2:"en";}');
  it.each([
    ["WPML", WPML],
    ["Polylang", POLYLANG],
  ])("has each product once, in the default language of %s", async (_, tables) => {
    const shop = await shopOf("woocommerce", product(901) + product(902) + product(903) + tables);
    expect([901, 902, 903].map((id) => detail(shop, id) !== null)).toEqual([false, true, false]);
    expect(shop.leftOut.filter((line) => line.startsWith("90"))).toEqual(["903 in another language"]);
    expect(shop.notes.join()).toMatch(
      /The language is en \(\d+ products\): it is the site's default\. Others: de \(\d+ products?\)/,
    );
  });

  it.each(["yes", "no"])(
    "is built in coming soon mode only by force (store pages only: %s)",
    async (only) => {
      const sql = option("woocommerce_coming_soon", "yes") + option("woocommerce_store_pages_only", only);
      const database = await databaseOf("woocommerce", sql);
      const buildIt = await initShop(database);
      await expect(buildIt()).rejects.toMatchObject({
        code: "shop_closed",
        message: expect.stringMatching(/coming soon/),
      });
      const shop = await buildIt({ force: true });
      await database.close();
      expect(shop.notes).toEqual([
        expect.stringMatching(/^The shop is closed to visitors: WooCommerce is in coming soon mode/),
      ]);
      expect(shop.report.records.product).toBeGreaterThan(10);
    },
  );

  const ofKind = (id: number, slug: string, taxonomy: string) =>
    `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ${id}, x.term_taxonomy_id FROM wp_term_taxonomy AS x
      JOIN wp_terms AS t ON t.term_id = x.term_id AND t.slug = '${slug}' WHERE x.taxonomy = '${taxonomy}';`;
  const setPost = (id: number, change: string) => `UPDATE wp_posts SET ${change} WHERE ID = ${id};`;
  const LEFT_OUT: readonly (readonly [sql: (id: number) => string, reason: string])[] = [
    [(id) => setPost(id, "post_title = ''"), "without a title"],
    [(id) => setPost(id, "post_name = ''"), "without an address"],
    [(id) => setPost(id, "post_date_gmt = '2027-01-01 00:00:00'"), "dated in the future"],
    [(id) => setPost(id, "post_password = 'x'"), "protected by a password"],
    [
      (id) =>
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_members_access_role', 'x');`,
      "for members alone",
    ],
    [(id) => `UPDATE wp_postmeta SET meta_value = '' WHERE post_id = ${id};`, "without a price"],
    [(id) => ofKind(id, "variable", "product_type"), "without a variant that is shown"],
    [(id) => ofKind(id, "grouped", "product_type"), "without a part that is shown"],
    [(id) => ofKind(id, "exclude-from-catalog", "product_visibility"), "hidden from the catalog"],
    [(id) => ofKind(id, "exclude-from-search", "product_visibility"), "hidden from the search"],
  ];
  it("names each product that the shop lists with the reason why it is left out", async () => {
    const sql = LEFT_OUT.map(([change], at) => product(901 + at) + change(901 + at)).join("");
    const shop = await shopOf("woocommerce", sql);
    expect(shop.leftOut.filter((line) => line.startsWith("9"))).toEqual(
      LEFT_OUT.map(([, reason], at) => `${901 + at} ${reason}`),
    );
  });

  it("hides what is out of stock as soon as the shop does, by the product's own status", async () => {
    const database = await databaseOf(
      "woocommerce",
      product(901, { _stock_status: "outofstock" }) +
        product(902) +
        option("woocommerce_hide_out_of_stock_items", "no"),
    );
    const buildIt = await initShop(database);
    const isThere = async () => [901, 902].map((id) => detail(shop, id) !== null);
    let shop = await buildIt();
    expect(await isThere()).toEqual([true, true]);
    await database.run(option("woocommerce_hide_out_of_stock_items", "yes"));
    shop = await buildIt();
    expect([await isThere(), shop.leftOut.filter((line) => line.startsWith("90"))]).toEqual([
      [false, true],
      ["901 out of stock"],
    ]);
    await database.close();
  });

  it("says when the shop shows prices with tax that are entered without, and in several currencies", async () => {
    const notes = async (sql: string) => {
      const database = await databaseOf("woocommerce", sql);
      const plan = await planInit({ store: database.address, folder: join(folder, "notes") });
      await database.close();
      return plan.notes.join("\n");
    };
    const taxes = (shown: string, entered: string) =>
      option("woocommerce_calc_taxes", "yes") +
      option("woocommerce_tax_display_shop", shown) +
      option("woocommerce_prices_include_tax", entered);
    expect(await notes(taxes("incl", "no"))).toMatch(/shows prices with tax, but they are entered/);
    expect(await notes(taxes("excl", "yes"))).toMatch(/shows prices without tax, but they are entered/);
    expect(await notes(taxes("incl", "yes"))).toBe("");
    expect(await notes(option("woocs", "a:1:{i:0;i:1;}"))).toMatch(/FOX may show prices in several/);
  });

  const TWICE =
    "UPDATE wp_posts SET post_title = CONVERT(CAST(CONVERT(post_title USING utf8mb4) AS BINARY) USING latin1);";
  it("counts texts that are encoded twice, and reads them with charset=latin1", async () => {
    const database = await databaseOf("woocommerce", TWICE);
    const shop = await (await initShop(database))();
    const kept = shop.report.wrong.filter(({ outcome }) => outcome === "kept");
    expect(kept.map(({ file, column, rows }) => [file, column, rows])).toEqual([
      ["products.sql", "title_html", 2],
    ]);
    const right = await (await initShop(database, { parameters: "?charset=latin1" }))();
    expect([detail(right, 11)?.title, right.report.wrong]).toEqual(["Größen-Übersicht", []]);
    await database.close();
  });

  it("shows categories' names decoded", async () => {
    const shop = await shopOf(
      "woocommerce",
      "UPDATE wp_terms SET name = 'Tom &amp; Ada' WHERE term_id = 16;",
    );
    expect(shop.read<readonly Category[]>("/categories")?.find(({ id }) => id === 16)?.name).toBe(
      "Tom & Ada",
    );
  });
});

describe.skipIf(MARIADB_MISSING !== null)("a shop of Easy Digital Downloads", () => {
  it("names each download that the shop lists with the reason why it is left out", async () => {
    const download = (id: number, meta: Readonly<Record<string, string>>) =>
      `${product(id, meta, "download")}DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_value = '';`;
    const priced = { _regular_price: "", _stock_status: "", edd_price: "5" };
    const changed = (id: number, change: string) =>
      `${download(id, priced)}UPDATE wp_posts SET ${change} WHERE ID = ${id};`;
    const shop = await shopOf(
      "edd",
      changed(901, "post_title = ''") +
        changed(902, "post_name = ''") +
        changed(903, "post_date_gmt = '2027-01-01 00:00:00'") +
        changed(904, "post_password = 'x'") +
        download(905, { ...priced, _edd_cr_restricted_to: "any" }) +
        download(906, { ...priced, edd_price: "" }) +
        download(907, { ...priced, _variable_pricing: "1", edd_variable_prices: "a:0:{}" }),
    );
    expect(shop.leftOut.filter((line) => line.startsWith("9"))).toEqual([
      "901 without a title",
      "902 without an address",
      "903 dated in the future",
      "904 protected by a password",
      "905 for members alone",
      "906 without a price",
      "907 without a price that can be read",
    ]);
  });

  it("shows no reviews if the extension disables them, and reads the first row of a key", async () => {
    const database = await databaseOf("edd", "");
    const buildIt = await initShop(database);
    const reviews = async () => (await buildIt()).read<readonly Review[]>("/reviews") ?? [];
    const before = await reviews();
    expect(before).toHaveLength(1);
    const first = before[0]?.product_id ?? 0;
    const set = (...values: readonly string[]) =>
      database.run(`DELETE FROM wp_postmeta WHERE post_id = ${first} AND meta_key = 'edd_reviews_status';
        INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
          ${values.map((value) => `(${first}, 'edd_reviews_status', '${value}')`).join(", ")}`);
    await set("disabled");
    expect(await reviews()).toEqual([]);
    await set("closed", "disabled");
    expect(await reviews()).toHaveLength(1);
    await database.close();
  });
});

describe.skipIf(MARIADB_MISSING !== null)("a PrestaShop", () => {
  it("in maintenance is built only by force", async () => {
    const database = await databaseOf("prestashop", "");
    const buildIt = await initShop(database);
    for (const value of ["0", ""]) {
      await database.run(`UPDATE ps_configuration SET value = '${value}' WHERE name = 'PS_SHOP_ENABLE'`);
      await expect(buildIt()).rejects.toMatchObject({
        code: "shop_closed",
        message: expect.stringMatching(/maintenance/),
      });
      expect((await buildIt({ force: true })).report.records.product).toBeGreaterThan(1);
    }
    await database.run(`INSERT INTO ps_configuration (name, id_shop, value, date_add, date_upd)
      VALUES ('PS_SHOP_ENABLE', 1, '1', NOW(), NOW())`);
    expect((await buildIt()).report.records.product).toBeGreaterThan(1);
    await database.close();
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("a Medusa", () => {
  it("with pictures at localhost has none, and reports it, unless the site is at localhost, too", async () => {
    const sql = "UPDATE public.product SET thumbnail = 'http://localhost:9000/static/shirt.png';";
    const database = await databaseOf("medusa", sql, createPostgresDatabase);
    const shop = await (await initShop(database))();
    const images = (by: Shop) =>
      new Set((by.read<readonly ProductDetail[]>("/products?per_page=100") ?? []).map(({ image }) => image));
    expect([...images(shop)]).toEqual([""]);
    expect(shop.report.wrong).toEqual([
      expect.objectContaining({ column: "image", outcome: "emptied", rows: shop.report.records.product }),
    ]);
    const local = await (await initShop(database, { siteUrl: "http://127.0.0.1:8080" }))();
    expect([...images(local)]).toEqual(["http://localhost:9000/static/shirt.png"]);
    await database.close();
  });
});
