import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Column, Schema } from "../../src/setup/schema.ts";
import { filesOfShop, recogniseShops } from "../../src/setup/shops.ts";
import { commandFile, until, vitrine } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

/** A shop with a schema that nobody knows, and a row in each state that must not get out. */
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

function init(place: string, ...args: string[]) {
  mkdirSync(place, { recursive: true });
  return run(place, "init", ...args);
}

function run(place: string, ...args: string[]) {
  return vitrine(args, {}, place);
}

const CTRL_C = "\u0003";
const ENTER = "\r";

/** On a terminal: once a text stands there, these keys are pressed. */
async function initOnTerminal(
  place: string,
  steps: readonly (readonly [text: string, keys: string])[],
  ...args: string[]
): Promise<{ readonly status: number | null; readonly said: string }> {
  mkdirSync(place, { recursive: true });
  const words = ["node", commandFile(), "init", ...args].map((word) => `'${word}'`).join(" ");
  const command = `stty cols 200 rows 50; ${words}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: place,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let heard = "";
  child.stdout.on("data", (part: Buffer) => {
    heard += part.toString();
  });
  const said = () => stripVTControlCharacters(heard);
  try {
    for (const [text, keys] of steps) {
      await until(text, () => said().includes(text), 60_000);
      child.stdin.write(keys);
    }
    return { status: await ended, said: said() };
  } finally {
    child.kill();
  }
}

const schemaOf = (tables: Readonly<Record<string, string>>): Schema =>
  new Map(
    Object.entries(tables).map(([table, columns]) => [
      table,
      columns
        .split(" ")
        .map((name, at): Column => ({ name, type: "text", kind: "text", isKey: at === 0, references: [] })),
    ]),
  );

describe("vitrine init", () => {
  const store = join(folder, "shop.sqlite");
  const db = new Database(store);
  db.exec(FOREIGN);
  db.close();

  it("proposes files for a store that nobody knows, shows what they give, and nothing is built before that is confirmed", () => {
    const place = join(folder, "new");
    const { status, stdout, stderr } = init(place, "--store", "../shop.sqlite", "--currency", "EUR", "--yes");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(
      'products.sql: 2 rows, of products (7 rows), categories (2 rows)\n  {"id":1,"title":"Green tea"',
    );
    expect(stdout).toContain("vitrine init --confirm categories.sql products.sql reviews.sql store.sql");
    expect(stdout).toContain("only 2 of 7 rows of products become public");
    expect(stdout).toMatch(
      /7 rows of products: 2 left out by status, 1 in no public category, 1 left out by deleted_at, 1 left out by \w+; 2 public/,
    );
    expect(stdout).not.toMatch(/cnry|7919123/i);
    expect(JSON.parse(readFileSync(join(place, "vitrine.config.json"), "utf8"))).toMatchObject({
      ...{ store: "../shop.sqlite", queries: "queries", siteUrl: "http://127.0.0.1:8080" },
    });
    // No expression of SQL makes slugs, HTML or minor units: what the store has, as it has it.
    const sql = readFileSync(join(place, "queries/products.sql"), "utf8");
    expect(sql).not.toMatch(/\bWITH\b|REPLACE|LOWER|\* *100|ROUND/i);
    expect(sql.split("\n")[0]).toMatch(
      /^-- vitrine: not confirmed\. .* vitrine init --confirm products\.sql$/,
    );
    for (const command of [["build"], ["plan"], ["plan", "--explain"], ["watch"], ["watch", "--once"]]) {
      const refused = run(place, ...command);
      expect([command, refused.status]).toEqual([command, 3]);
      expect(refused.stderr).toMatch(
        /not_confirmed: categories\.sql, products\.sql, reviews\.sql, store\.sql/,
      );
    }
    for (const made of ["out/site", "out/catalog.sqlite"]) expect(existsSync(join(place, made))).toBe(false);
    expect(run(place, "doctor").stdout).toMatch(/to do +SQL files: categories\.sql, products\.sql/);

    // One that is left keeps all of it from being built.
    const some = run(place, "init", "--confirm", "products.sql", "queries/store.sql", "categories.sql");
    expect(some).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('  {"id":1,"title":"Green tea"'),
    });
    expect(run(place, "build")).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("vitrine init --confirm reviews.sql\n"),
    });
    const reviews = join(place, "queries/reviews.sql");
    writeFileSync(reviews, readFileSync(reviews, "utf8").split("\n").slice(1).join("\n"));
    const built = run(place, "build");
    expect([built.status, built.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^only 2 of 7 rows of products become public\n2 products, 1 category, 1 review\n/,
      ),
    ]);
    const slugs = readdirSync(join(place, "out/site/api/v1/product"));
    expect(slugs).toEqual(expect.arrayContaining(["slug=green-tea.json", "slug=green-tea-2.json"]));
    const tea = JSON.parse(readFileSync(join(place, "out/site/api/v1/product/slug=green-tea.json"), "utf8"));
    expect(tea).toMatchObject({
      data: {
        price: 4.5,
        description: "Fine & good.",
        description_html: "Fine &amp; good.",
      },
    });
    expect(
      spawnSync("grep", ["-rilE", "cnry|7919123", join(place, "out")], { encoding: "utf8" }).stdout,
    ).toBe("");
    expect(readFileSync(join(place, "PRIVACY.md"), "utf8")).toBe(run(place, "privacy").stdout);
  });

  it("confirms no file that is none of the allow-list's, nor one where a person has to choose", () => {
    const place = join(folder, "choose");
    const store = join(folder, "choose.sqlite");
    const db = new Database(store);
    db.exec(
      FOREIGN.replaceAll("status TEXT", "status INTEGER").replace(/'(active|published|draft)', /g, "1, "),
    );
    db.close();
    expect(init(place, "--store", store, "--yes", "--json")).toMatchObject({
      ...{ status: 0, stderr: "" },
      stdout: expect.stringContaining('"toConfirm":["categories.sql","products.sql"'),
    });
    const chosen = run(place, "init", "--confirm", "store.sql", "products.sql");
    expect([chosen.status, chosen.stderr]).toEqual([
      3,
      expect.stringMatching(/_views\.sql:\d+: something is to be chosen/),
    ]);
    expect(readFileSync(join(place, "queries/store.sql"), "utf8")).toContain("not confirmed");
    for (const name of ["../shop.sqlite", "none.sql", "out/products.sql"])
      expect(run(place, "init", "--confirm", name)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(name),
      });
    expect(run(place, "init", "--store", store, "--confirm", "store.sql").status).toBe(2);
  });

  it("leaves nothing where it fails in the middle, and can be run again, also where it was killed", () => {
    const place = join(folder, "fails");
    mkdirSync(join(place, "PRIVACY.md"), { recursive: true });
    const args = ["--store", store, "--yes"];
    expect(init(place, ...args).status).toBe(2);
    expect(readdirSync(place)).toEqual(["PRIVACY.md"]);
    rmSync(join(place, "PRIVACY.md"), { recursive: true });
    // A folder where a file is to be written first: the second one's place cannot be made.
    writeFileSync(join(place, "queries"), "in the way");
    expect(init(place, ...args)).toMatchObject({
      status: 6,
      stderr: expect.stringContaining("Nothing was left behind"),
    });
    expect(readdirSync(place)).toEqual(["queries"]);
    rmSync(join(place, "queries"));
    expect(init(place, ...args).status).toBe(0);
    // As a process that was killed leaves it.
    const whole = readFileSync(join(place, "queries/products.sql"), "utf8");
    for (const file of ["PRIVACY.md", "queries/products.sql"]) rmSync(join(place, file));
    expect(init(place, ...args).status).toBe(0);
    expect(readFileSync(join(place, "queries/products.sql"), "utf8")).toBe(whole);
    expect(readdirSync(place).sort()).toEqual(["PRIVACY.md", "queries", "vitrine.config.json"]);
    expect(readdirSync(join(place, "queries")).sort()).toEqual([
      ...[
        "_views.sql",
        "categories.sql",
        "products.left-out.sql",
        "products.sql",
        "reviews.sql",
        "store.sql",
      ],
    ]);
  });

  it("overwrites nothing", () => {
    const place = join(folder, "taken");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "PRIVACY.md"), "mine");
    const { status, stderr } = init(place, "--store", store, "--yes");
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/PRIVACY\.md stand there already.*Nothing was written/),
    ]);
    expect(readdirSync(place)).toEqual(["PRIVACY.md"]);
  });

  it("asks nothing where there is no terminal, and writes nothing then", () => {
    const place = join(folder, "silent");
    expect(init(place, "--store", store)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("say --yes"),
    });
    expect(init(place, "--yes")).toMatchObject({ status: 2, stderr: expect.stringContaining("--store") });
    expect(init(place, "--store", store, "--yes", "--shop", "edd")).toMatchObject({ status: 2 });
    expect(readdirSync(place)).toEqual([]);
  });
});

describe("vitrine init on a terminal", () => {
  const WHERE = "Where is the store?";
  const FEEDS = "Which feeds besides the API?";
  const AGREED = "Write these proposals?";
  const store = join(folder, "asked.sqlite");
  const db = new Database(store);
  db.exec(FOREIGN);
  db.close();

  it("asks where the store is, shows what it would write, and asks of each file whether it may be public", async () => {
    const place = join(folder, "asked");
    const steps = [
      [WHERE, `${store}${ENTER}`],
      [FEEDS, ` ${ENTER}`],
      [AGREED, ENTER],
    ] as const;
    const { status, said } = await initOnTerminal(place, steps, "--currency", "EUR");
    expect([status, said]).toEqual([0, expect.stringContaining("tables of no shop that Vitrine knows")]);
    expect(said).toContain("products.sql: 2 rows, of products (7 rows)");
    expect(readdirSync(place).sort()).toEqual(["PRIVACY.md", "queries", "vitrine.config.json"]);
    const config = JSON.parse(readFileSync(join(place, "vitrine.config.json"), "utf8")) as object;
    expect(config).toMatchObject({ feeds: { sitemap: true } });
    const files = ["--confirm", "products.sql", "reviews.sql"];
    const asked = await initOnTerminal(
      place,
      [
        ["all that products.sql gives?", "y"],
        ["all that reviews.sql gives?", ENTER],
      ],
      ...files,
    );
    expect(asked.said).toContain('"title":"Green tea"');
    expect(asked.said).toMatch(/Confirmed: products\.sql\s+Not confirmed: reviews\.sql/);
    const markOf = (file: string) =>
      readFileSync(join(place, "queries", file), "utf8").includes("not confirmed");
    expect(["products.sql", "reviews.sql"].map(markOf)).toEqual([false, true]);
  });

  it.each([
    ["at the first question", [[WHERE, CTRL_C]], [], 130],
    ["at the second", [[FEEDS, CTRL_C]], ["--store", store], 130],
    ["at the last one", [[AGREED, CTRL_C]], ["--store", store, "--feeds", "google"], 130],
    ["by a no", [[AGREED, "n"]], ["--store", store, "--feeds", "google"], 0],
  ] as const)("leaves nothing behind where it is cancelled %s", async (how, steps, args, code) => {
    const place = join(folder, how.replaceAll(" ", "-"));
    const { status, said } = await initOnTerminal(place, steps, ...args);
    expect([status, said]).toEqual([code, expect.stringContaining("Nothing was written")]);
    expect(readdirSync(place)).toEqual([]);
  });

  it("overwrites nothing that was agreed to", async () => {
    const place = join(folder, "agreed");
    mkdirSync(place);
    writeFileSync(join(place, "PRIVACY.md"), "mine");
    const { status, said } = await initOnTerminal(
      place,
      [
        [FEEDS, ENTER],
        [AGREED, ENTER],
      ],
      "--store",
      store,
    );
    expect([status, said]).toEqual([2, expect.stringMatching(/PRIVACY\.md stand there already/)]);
    expect(readdirSync(place)).toEqual(["PRIVACY.md"]);
    expect(readFileSync(join(place, "PRIVACY.md"), "utf8")).toBe("mine");
  });
});

describe("a shop", () => {
  const WOO = "wc_product_meta_lookup posts postmeta term_taxonomy comments options";

  it("is recognised with its own prefix, which its files then have", async () => {
    const tables = Object.fromEntries(WOO.split(" ").map((table) => [`shop7_${table}`, "id"]));
    const [found, ...others] = recogniseShops(schemaOf(tables), "mysql");
    expect(found).toMatchObject({ prefix: "shop7_", shop: { name: "woocommerce" } });
    expect(others).toEqual([]);
    if (found === undefined) return;
    const asked: string[] = [];
    const files = await filesOfShop(found, async (sql) => asked.push(sql) > 0);
    expect(asked.join()).toContain("FROM shop7_options");
    expect(files.get("_views.sql")).toContain("'exclude-from-search', 'outofstock')");
    expect(files.get("products.sql")).toContain("JOIN shop7_posts AS p");
    expect([...files.values()].join()).not.toMatch(/\bwp_[a-z]/);
  });

  it("is not recognised by some of its tables, nor by those of another database", () => {
    expect(recogniseShops(schemaOf({ wp_wc_product_meta_lookup: "id", wp_posts: "id" }), "mysql")).toEqual(
      [],
    );
    const tables = Object.fromEntries(WOO.split(" ").map((table) => [`wp_${table}`, "id"]));
    expect(recogniseShops(schemaOf(tables), "postgres")).toEqual([]);
  });

  it("of an unknown schema has nothing said of what only a record's own file names", () => {
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
