import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Schema, TableColumn } from "../../src/setup/schema.ts";
import { filesOfShop, recogniseShops } from "../../src/setup/shops.ts";
import { vitrine } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";
import { ENTER, initOnTerminal } from "../support/terminal.ts";

const folder = temporaryFolder();

/** A shop with an unknown schema, and a row in each state that must not become public. */
const FOREIGN = `
  CREATE TABLE categories (category_id INTEGER PRIMARY KEY, name TEXT, is_active INTEGER, internal_note TEXT);
  INSERT INTO categories VALUES (1, 'Tea & Coffee', 1, 'CNRY'), (2, 'CNRY off', 0, 'CNRY');
  CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name TEXT, description TEXT, unit_price NUMERIC,
    cost_price NUMERIC, category_id INTEGER, status TEXT, deleted_at TEXT, published_at TEXT, created_at INTEGER);
  INSERT INTO products VALUES
    (1, 'Green tea', 'Fine & good.', 4.5, 7919123, 1, 'active', NULL, '2026-01-01 00:00:00', 1780000000),
    (2, 'Green Tea', '', 5, 7919123, 1, 'published', NULL, '2026-01-01 00:00:00', 1780000000),
    (3, 'CNRY draft', 'CNRY', 5, 1, 1, 'draft', NULL, '2026-01-01 00:00:00', 1780000000),
    (4, 'CNRY deleted', 'CNRY', 5, 1, 1, 'active', '2026-01-01 00:00:00', '2026-01-01 00:00:00', 1780000000),
    (5, 'CNRY later', 'CNRY', 5, 1, 1, 'active', NULL, '2999-01-01 00:00:00', 1780000000),
    (6, 'CNRY off', 'CNRY', 5, 1, 2, 'active', NULL, '2026-01-01 00:00:00', 1780000000),
    (7, 'CNRY state', 'CNRY', 5, 1, 1, NULL, NULL, '2026-01-01 00:00:00', 1780000000);
  CREATE TABLE reviews (id INTEGER PRIMARY KEY, product_id INTEGER, rating INTEGER, body TEXT, approved INTEGER,
    author_email TEXT, created_at TEXT);
  INSERT INTO reviews VALUES (1, 1, 5, 'Good.', 1, 'cnry@canary.example', '2026-02-01T10:00:00Z'),
    (2, 1, 1, 'CNRY waits', 0, 'cnry@canary.example', '2026-02-01 00:00:00');
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
  INSERT INTO customers VALUES (1, 'CNRY', 'cnry@canary.example');`;

const TEN = "blog categories changed faqs forum next_change products releases reviews store"
  .split(" ")
  .map((name) => `${name}.sql`);

function init(place: string, ...args: string[]) {
  mkdirSync(place, { recursive: true });
  return run(place, "init", ...args);
}

function run(place: string, ...args: string[]) {
  return vitrine(args, {}, place);
}

const CTRL_C = "\u0003";
const schemaOf = (tables: Readonly<Record<string, string>>): Schema =>
  new Map(
    Object.entries(tables).map(([table, columns]) => [
      table,
      columns
        .split(" ")
        .map((name, at): TableColumn => ({ name, type: "text", isKey: at === 0, references: [] })),
    ]),
  );

describe("vitrine init", () => {
  const store = join(folder, "shop.sqlite");
  const db = new Database(store);
  db.exec(FOREIGN);
  db.close();

  it("writes files without a query for a store that it does not know, and builds nothing", () => {
    const place = join(folder, "new");
    const { status, stdout, stderr } = init(place, "--store", "../shop.sqlite", "--yes");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("4 tables. Vitrine does not know this shop: you write the queries.");
    expect(stdout).toMatch(
      /\n {2}1\. read SCHEMA\.md.*\n {2}2\. vitrine build.*\n {2}3\. vitrine doctor.*\n {2}4\. set siteUrl and baseUrl in vitrine\.config\.json .*\n$/,
    );
    expect(JSON.parse(readFileSync(join(place, "vitrine.config.json"), "utf8"))).toMatchObject({
      store: "../shop.sqlite",
      queries: "queries",
      siteUrl: "http://127.0.0.1:8080",
    });
    for (const command of [["build"], ["plan"], ["plan", "--explain"], ["watch", "--once"]]) {
      const refused = run(place, ...command);
      expect([command, refused.status]).toEqual([command, 3]);
      expect(refused.stderr).toMatch(
        /allow_list_invalid: In .*queries, there is no query yet in store\.sql, categories\.sql, products\.sql\. .*SCHEMA\.md.*docs\/own-store\.md/,
      );
    }
    for (const made of ["out/site", "out/catalog.sqlite"]) expect(existsSync(join(place, made))).toBe(false);
    expect(run(place, "doctor").stdout).toMatch(
      /to do +SQL files: Without a query: store\.sql, categories\.sql, products\.sql: nothing can be built\./,
    );
  });

  it("names the schema of the configuration for editors if the package is installed", () => {
    const schemaOf = (place: string) => {
      init(place, "--store", store, "--yes");
      const { $schema } = JSON.parse(readFileSync(join(place, "vitrine.config.json"), "utf8"));
      expect(existsSync(new URL($schema, `${pathToFileURL(place)}/`))).toBe(true);
      return $schema as string;
    };
    // As with npm install --global.
    expect(schemaOf(join(folder, "schema-alone"))).toMatch(/^file:.*\/vitrine\.config\.schema\.json$/);
    const installed = join(folder, "schema/node_modules/vitrine");
    mkdirSync(installed, { recursive: true });
    copyFileSync("vitrine.config.schema.json", join(installed, "vitrine.config.schema.json"));
    const path = "node_modules/vitrine/vitrine.config.schema.json";
    expect(schemaOf(join(folder, "schema"))).toBe(`./${path}`);
    expect(schemaOf(join(folder, "schema/shop"))).toBe(`../${path}`);
  });

  it("builds from the files that have a query, and doctor names the others", () => {
    const place = join(folder, "written");
    init(place, "--store", store, "--yes");
    const write = (file: string, sql: string) => writeFileSync(join(place, "queries", file), sql);
    write("store.sql", "SELECT 'Tea' AS store_name, 'EUR' AS currency");
    write(
      "categories.sql",
      "SELECT category_id AS id, name, name AS slug_source FROM categories WHERE is_active = 1",
    );
    write(
      "products.sql",
      `-- those that are sold
      SELECT product_id AS id, product_name AS title, product_name AS slug_source, category_id, 'product' AS type,
        'published' AS status, 'EUR' AS currency, unit_price AS price, created_at, created_at AS updated_at
      FROM products WHERE status IN ('active', 'published') AND deleted_at IS NULL AND published_at <= :now
        AND category_id IN (SELECT category_id FROM categories WHERE is_active = 1)`,
    );
    expect(run(place, "build")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^2 products, 1 category\n/),
    });
    expect(run(place, "check").status).toBe(0);
    expect(run(place, "doctor")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /warning +SQL files: Without a query: blog\.sql, changed\.sql, faqs\.sql, forum\.sql, next_change\.sql, releases\.sql, reviews\.sql:/,
      ),
    });
    expect(
      spawnSync("grep", ["-rilE", "cnry|7919123", join(place, "out")], { encoding: "utf8" }).stdout,
    ).toBe("");
    // Run again, it adds no SQL file: one that a person deleted does not become public again.
    for (const file of ["SCHEMA.md", "queries/faqs.sql"]) rmSync(join(place, file));
    const again = init(place, "--yes");
    expect([again.status, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toContain("1 new file: SCHEMA.md\n");
    expect(again.stdout).toContain(
      "Kept as they are, not overwritten: queries/categories.sql, queries/products.sql, queries/store.sql.",
    );
    expect(again.stdout).toContain("Not written: queries/faqs.sql. queries has SQL files");
    expect(again.stdout).toContain("\n  1. vitrine build && vitrine check");
    expect(readFileSync(join(place, "queries/products.sql"), "utf8")).toContain("those that are sold");
    expect(existsSync(join(place, "queries/faqs.sql"))).toBe(false);
  });

  it("leads to a catalog if docs/own-store.md is followed word for word", () => {
    const place = join(folder, "walked");
    mkdirSync(place);
    copyFileSync("examples/chinook/chinook.sqlite", join(place, "chinook.sqlite"));
    const page = readFileSync("docs/own-store.md", "utf8");
    const [, command = ""] = /`vitrine (init --store chinook\.sqlite --yes)`/.exec(page) ?? [];
    expect(run(place, ...command.split(" ")).status).toBe(0);
    expect(readFileSync(join(place, "SCHEMA.md"), "utf8")).toMatch(
      /## `Track`\n\n3,503 rows\.[^#]*`NUMERIC\(10,2\)`/,
    );
    // Fewer files than a shop would make: what is built does not depend on that.
    const config = join(place, "vitrine.config.json");
    const small = { grid: { depth: 0, maxFiles: 300 }, pages: false };
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, "utf8")), ...small }));
    const files = [...page.matchAll(/```sql\n-- (\w+\.sql)\n(.*?)```/gs)];
    expect(files.map(([, file]) => file)).toEqual(["store.sql", "categories.sql", "products.sql"]);
    for (const [, file = "", sql = ""] of files) writeFileSync(join(place, "queries", file), sql);
    const built = run(place, "build");
    expect([built.status, built.stderr]).toEqual([0, ""]);
    const [counts = "", prices = ""] = built.stdout.split("\n");
    const words = page.replace(/\s+/g, " ");
    expect(words).toContain(`\`build\` says \`${counts}\``);
    expect(words).toContain(`\`${prices}\``);
    expect(run(place, "check").status).toBe(0);
    expect(run(place, "doctor").stdout).toContain("SQL files: Without a query: blog.sql,");
    expect(run(place, "privacy", "--write").status).toBe(0);
    expect(readFileSync(join(place, "PRIVACY.md"), "utf8")).toMatch(
      /`UnitPrice` \| public as `products\.price`/,
    );
  });

  it("leaves no files if it fails, and can be run again, also after it was killed", () => {
    const place = join(folder, "fails");
    mkdirSync(place);
    const args = ["--store", store, "--yes"];
    // A folder where a file is to be written first: the second one's place cannot be made.
    writeFileSync(join(place, "queries"), "in the way");
    expect(init(place, ...args)).toMatchObject({
      status: 6,
      stderr: expect.stringContaining("Nothing was left behind"),
    });
    expect(readdirSync(place)).toEqual(["queries"]);
    rmSync(join(place, "queries"));
    expect(init(place, ...args).status).toBe(0);
    const files = readdirSync(join(place, "queries"));
    expect(files.sort()).toEqual(TEN);
    // As a process leaves it that was killed while it wrote.
    for (const file of files)
      renameSync(join(place, "queries", file), join(place, "queries", `.${file}.4194305`));
    rmSync(join(place, "SCHEMA.md"));
    expect(init(place, ...args).status).toBe(0);
    expect(readdirSync(place).sort()).toEqual(["SCHEMA.md", "queries", "vitrine.config.json"]);
    expect(
      readdirSync(join(place, "queries"))
        .filter((file) => !file.startsWith("."))
        .sort(),
    ).toEqual(TEN);
  });

  it.each([
    [["--store", "other.sqlite"], /"store": \S*shop\.sqlite, not \S*other\.sqlite\./],
    [["--site-url", "https://other.example"], /"siteUrl": http:\/\/127\.0\.0\.1:8080, not https:\/\/other\./],
    [["--base-url", "https://other.example"], /"baseUrl": \S+, not https:\/\/other\.example\/api\/v1\./],
    [["--feeds", "google"], /"feeds": nothing, not google\./],
    [["--currency", "USD"], /--currency would change queries\/store\.sql, which is kept\./],
  ])("refuses %s where a configuration or SQL file, which is kept, says otherwise", (flags, message) => {
    const place = join(folder, "otherwise");
    init(place, "--store", store, "--yes");
    rmSync(join(place, "SCHEMA.md"));
    expect(init(place, "--yes", ...flags)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(message),
    });
    expect(existsSync(join(place, "SCHEMA.md"))).toBe(false);
  });

  it("keeps a link that leads nowhere", () => {
    const place = join(folder, "link");
    mkdirSync(place);
    symlinkSync("nowhere.json", join(place, "SCHEMA.md"));
    expect(init(place, "--store", store, "--yes").stdout).toContain("not overwritten: SCHEMA.md.");
    expect(readlinkSync(join(place, "SCHEMA.md"))).toBe("nowhere.json");
  });

  it("keeps a changed configuration and its values", () => {
    const place = join(folder, "kept");
    init(place, "--store", store, "--yes");
    const file = join(place, "vitrine.config.json");
    const mine = JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), queries: "mine", pages: false });
    writeFileSync(file, mine);
    const { status, stdout } = init(place, "--yes", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      shop: null,
      written: TEN.map((name) => join("mine", name)),
      kept: ["vitrine.config.json"],
    });
    expect(readFileSync(file, "utf8")).toBe(mine);
  });

  it.each([
    [
      ["--site-url", "shop.example"],
      "--site-url takes an address like https://shop.example, not shop.example.",
    ],
    [["--currency", "euro"], "--currency takes a code of three letters like EUR, not euro."],
    [["--feeds", "gogle"], "There is no feed gogle. Did you mean google?"],
    [["--categories", "1"], "--categories needs a shop that Vitrine knows"],
    [["--shop", "edd"], "The store does not have the tables of edd."],
  ])("refuses %s, and writes nothing", (flags, message) => {
    const place = join(folder, "refused");
    expect(init(place, "--store", store, "--yes", ...flags)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(message),
    });
    expect(readdirSync(place)).toEqual([]);
  });

  it("asks and writes nothing without a terminal", () => {
    const place = join(folder, "silent");
    expect(init(place, "--store", store)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Add --yes"),
    });
    expect(init(place, "--yes")).toMatchObject({ status: 2, stderr: expect.stringContaining("--store") });
    expect(readdirSync(place)).toEqual([]);
  });
});

describe("vitrine init on a terminal", () => {
  const WHERE = "Where is the store?";
  const CURRENCY = "Which currency";
  const SITE = "Address of the shop's site?";
  const API = "Public address of the API?";
  const FEEDS = "Which feeds besides the API?";
  const AGREED = "Write these files?";
  const KNOWN = ["--site-url", "https://shop.example", "--base-url", "https://shop.example/api/v1"];
  const ALL = [...KNOWN, "--currency", "EUR", "--feeds", "google"];
  const CLEAR = "\u0015";
  const store = join(folder, "asked.sqlite");
  const db = new Database(store);
  db.exec(FOREIGN);
  db.close();

  it("asks for everything that the store does not have, shows the files, then writes them", async () => {
    const place = join(folder, "asked");
    const { status, said } = await initOnTerminal(place, [
      [WHERE, `${store}${ENTER}`],
      [CURRENCY, `eur${ENTER}`],
      [SITE, `${CLEAR}https://shop.example/${ENTER}`],
      [API, `${CLEAR}https://api.shop.example${ENTER}`],
      [FEEDS, ` ${ENTER}`],
      [AGREED, ENTER],
    ]);
    expect([status, said]).toEqual([0, expect.stringContaining("4 tables. Vitrine does not know this shop")]);
    expect(said).toContain("12 new files: vitrine.config.json, SCHEMA.md, queries/blog.sql");
    expect(readdirSync(place).sort()).toEqual(["SCHEMA.md", "queries", "vitrine.config.json"]);
    expect(JSON.parse(readFileSync(join(place, "vitrine.config.json"), "utf8"))).toMatchObject({
      siteUrl: "https://shop.example",
      baseUrl: "https://api.shop.example/api/v1",
      feeds: { sitemap: true },
    });
    expect(readFileSync(join(place, "queries/products.sql"), "utf8")).toContain("'EUR' AS currency");
  });

  it("asks again for an invalid address, and suggests the API's address from the site's", async () => {
    const place = join(folder, "again");
    const { status, said } = await initOnTerminal(
      place,
      [
        [SITE, `${CLEAR}shop.example${ENTER}`],
        ["Type an address like https://shop.example.", `${CLEAR}https://shop.example${ENTER}`],
        [API, ENTER],
        [AGREED, ENTER],
      ],
      "--store",
      store,
      "--currency",
      "EUR",
      "--feeds",
      "google",
    );
    expect([status, said]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(readFileSync(join(place, "vitrine.config.json"), "utf8"))).toMatchObject({
      siteUrl: "https://shop.example",
      baseUrl: "https://shop.example/api/v1",
    });
  });

  it.each([
    ["at the first question", [[WHERE, CTRL_C]], [], 130],
    ["at a later one", [[FEEDS, CTRL_C]], ["--store", store, ...KNOWN, "--currency", "EUR"], 130],
    ["at the last one", [[AGREED, CTRL_C]], ["--store", store, ...ALL], 130],
    ["by a no", [[AGREED, "n"]], ["--store", store, ...ALL], 0],
  ] as const)("leaves nothing behind if it is cancelled %s", async (how, steps, args, code) => {
    const place = join(folder, how.replaceAll(" ", "-"));
    const { status, said } = await initOnTerminal(place, steps, ...args);
    expect([status, said]).toEqual([code, expect.stringContaining("Nothing was written")]);
    expect(readdirSync(place)).toEqual([]);
  });

  it("run again, asks only for values that the configuration lacks, and overwrites nothing", async () => {
    const place = join(folder, "rerun");
    init(place, "--store", store, "--yes", ...ALL);
    rmSync(join(place, "SCHEMA.md"));
    writeFileSync(join(place, "queries/products.sql"), "-- mine");
    const { status, said } = await initOnTerminal(place, [[AGREED, ENTER]]);
    expect(status).toBe(0);
    expect(said).toContain("1 new file: SCHEMA.md");
    expect(said).toMatch(/not overwritten: .*queries\/products\.sql/);
    for (const question of [CURRENCY, SITE, API, FEEDS]) expect(said).not.toContain(question);
    expect(readFileSync(join(place, "queries/products.sql"), "utf8")).toBe("-- mine");
  });
});

describe("a shop", () => {
  const WOO = "wc_product_meta_lookup posts postmeta term_taxonomy comments options";

  it("is recognised with its table prefix, and its files use that prefix", async () => {
    const tables = Object.fromEntries(WOO.split(" ").map((table) => [`shop7_${table}`, "id"]));
    const schema = schemaOf({ ...tables, shop7_icl_translations: "id" });
    const [found, ...others] = recogniseShops(schema, "mysql");
    expect(found).toMatchObject({ prefix: "shop7_", shop: { name: "woocommerce" } });
    expect(others).toEqual([]);
    if (found === undefined) return;
    const asked: string[] = [];
    const { files, notes } = await filesOfShop(found, schema, async (sql) => `de, en ${asked.push(sql)}`);
    expect(asked.join()).toContain("FROM shop7_options");
    expect(files.get("_views.sql")).toContain("FROM shop7_icl_translations AS i");
    expect(notes[0]).toMatch(/rules of de, en \d+ that show content to members only/);
    const { files: without } = await filesOfShop(found, schemaOf(tables), async () => null);
    expect(without.get("_views.sql")).not.toContain("icl_translations AS");
    expect(files.get("products.sql")).toContain("JOIN shop7_posts AS p");
    expect([...files.values()].join()).not.toMatch(/\bwp_[a-z]/);
  });

  it("keeps the dollar signs of its table prefix", async () => {
    const tables = [...WOO.split(" "), "icl_translations"].map((table) => [`a$$b_${table}`, "id"]);
    const schema = schemaOf(Object.fromEntries(tables));
    const [found] = recogniseShops(schema, "mysql");
    if (found === undefined) throw new Error("no shop was recognised");
    const { files } = await filesOfShop(found, schema, async () => "1");
    expect(files.get("products.sql")).toContain("JOIN a$$b_posts AS p");
    expect(files.get("_views.sql")).toContain("FROM a$$b_icl_translations AS i");
  });

  it("is not recognised by some of its tables, nor by tables of another database", () => {
    expect(recogniseShops(schemaOf({ wp_wc_product_meta_lookup: "id", wp_posts: "id" }), "mysql")).toEqual(
      [],
    );
    const tables = Object.fromEntries(WOO.split(" ").map((table) => [`wp_${table}`, "id"]));
    expect(recogniseShops(schemaOf(tables), "postgres")).toEqual([]);
  });

  it("has columns that only the file of its record names", () => {
    // A widget reads answers, and nothing of a store.
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.tsx?$/.test(file) && !file.startsWith("widget"),
    );
    const naming = (column: string) =>
      sources.filter((file) => readFileSync(join("src", file), "utf8").includes(column));
    expect(naming("customer_avatar")).toEqual([join("api", "records", "review.ts")]);
    expect(naming("favicon_url")).toEqual([join("api", "records", "store.ts")]);
  });
});
