/** What `init` writes for a store that it does not know, on real databases: comments and a schema, no value of a row; and what becomes of the comments. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { RECORDS } from "../../src/api/records.ts";
import { withoutComments } from "../../src/base/sql-words.ts";
import { OPTIONAL_COLUMNS, QUERY_COLUMNS, readAllowList } from "../../src/extract/allow-list.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import { readPrivacy } from "../../src/setup/privacy/page.ts";
import { skeletons } from "../../src/setup/skeletons.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const TEN = "blog categories changed faqs forum next_change products releases reviews store"
  .split(" ")
  .map((name) => `${name}.sql`);

/** Every value of a row is a canary; `order` is a word of SQL, and `a|b` ends a cell of a table. */
const SHOP = (quote: string) => [
  "CREATE TABLE shelf (id INTEGER PRIMARY KEY, title VARCHAR(40))",
  "INSERT INTO shelf VALUES (7919123, 'canary')",
  `CREATE TABLE ${quote}order${quote} (id INTEGER PRIMARY KEY, shelf_id INTEGER, ${quote}a|b${quote} DECIMAL(10,2), state VARCHAR(9) DEFAULT 'new',
    FOREIGN KEY (shelf_id) REFERENCES shelf (id))`,
  `INSERT INTO ${quote}order${quote} VALUES (7919124, 7919123, 791912.5, 'canary'), (7919125, 7919123, 791912.5, 'canary')`,
];

const STORES = [
  {
    name: "SQLite",
    dialect: "sqlite",
    missing: null,
    create: async () => {
      const file = join(folder, "shop.sqlite");
      const db = new Database(file);
      db.exec(SHOP('"').join(";"));
      db.close();
      return file;
    },
  },
  {
    name: "PostgreSQL",
    dialect: "postgres",
    missing: POSTGRES_MISSING,
    create: async () => {
      const database = await createPostgresDatabase();
      closing.push(() => database.close());
      await database.run(
        [
          ...SHOP('"'),
          "CREATE TYPE colour AS ENUM ('Red', 'green')",
          "ALTER TABLE shelf ADD colour colour",
          "CREATE DOMAIN amount AS NUMERIC(12,4)",
          "ALTER TABLE shelf ADD price amount",
        ].join(";"),
      );
      return database.address;
    },
  },
  {
    name: "MariaDB",
    dialect: "mysql",
    missing: MARIADB_MISSING,
    create: async () => {
      const database = await createMariadbDatabase();
      closing.push(() => database.close());
      await database.run(SHOP("`").join(";"));
      return database.address;
    },
  },
] as const;

/** The comments as a query of constants: each column holds the example that its comment gives. */
function filled(text: string, names: readonly string[]): string {
  const columns = [...text.matchAll(/… AS (\w+) +-- .*?, like (.+?) → /g)].filter(([, name = ""]) =>
    names.includes(name),
  );
  return `SELECT ${columns.map(([, name, example]) => `${example} AS ${name}`).join(", ")}`;
}

describe.each(STORES.filter(({ missing }) => missing === null))(
  "a store in $name that init does not know",
  ({ name, dialect, create }) => {
    const place = join(folder, name);
    mkdirSync(place);
    const queries = join(place, "queries");
    let store = "";

    it("gets ten files of comments and a page about its tables, without a value of any row", async () => {
      store = await create();
      const plan = await planInit({ store, folder: place });
      expect(plan.shop).toBeNull();
      writeInit(place, plan);
      expect(readdirSync(place).sort()).toEqual(["SCHEMA.md", "queries", "vitrine.config.json"]);
      expect(readdirSync(queries).sort()).toEqual(TEN);
      const schema = readFileSync(join(place, "SCHEMA.md"), "utf8");
      expect(schema).toContain("## `shelf`\n\n1 row.\n");
      expect(schema).toContain("## `order`\n\n2 rows.\n");
      expect(schema).toMatch(/^\| `shelf_id` \| `int.*` \| refers to `shelf` \|$/im);
      expect(schema).toMatch(/^\| <code>a&#124;b<\/code> \| `(?:decimal|numeric)\(10,2\)` \| {2}\|$/im);
      if (dialect === "postgres")
        expect(schema).toContain(
          "| `colour` | `enum('Red','green')` |  |\n| `price` | `numeric(12,4)` |  |\n",
        );
      for (const file of ["SCHEMA.md", "vitrine.config.json", ...TEN.map((each) => `queries/${each}`)]) {
        const text = readFileSync(join(place, file), "utf8");
        expect([file, text.match(/canary|79191/i)]).toEqual([file, null]);
        if (file.endsWith(".sql")) expect([file, withoutComments(text).trim()]).toEqual([file, ""]);
      }
    });

    it("can be run again, and keeps changed files", async () => {
      writeFileSync(join(queries, "faqs.sql"), "-- mine");
      const plan = await planInit({ store, folder: place });
      expect(writeInit(place, plan)).toEqual({ missing: [], kept: ["queries/faqs.sql"], lacking: [] });
      expect(readFileSync(join(queries, "faqs.sql"), "utf8")).toBe("-- mine");
    });

    it.each(["required", "all"])("builds from the examples of the comments: %s columns", async (which) => {
      const texts = skeletons(dialect);
      for (const [file, columns] of Object.entries(QUERY_COLUMNS)) {
        const text = texts.get(`${file}.sql`);
        if (text === undefined || file === "next_change") continue;
        const names = columns.filter(
          (column) => which === "all" || OPTIONAL_COLUMNS[file]?.has(column) !== true,
        );
        writeFileSync(join(queries, `${file}.sql`), filled(text, names));
      }
      const out = join(place, `out-${which}`);
      const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 50 } };
      const { records, wrong } = await buildQuietly(
        demoInputs(store, out, { config, queries, now: "2027-01-01 00:00:00" }),
      );
      expect(wrong).toEqual([]);
      expect(records).toEqual(Object.fromEntries(RECORDS.map((record) => [record.name, 1])));
    });

    it("accepts a moment and an array as the comments write them", async () => {
      const products = skeletons(dialect).get("products.sql") ?? "";
      const now = /The moment of the build is (.*?)\. A path: (.*)\.$/m.exec(products);
      const array = /A JSON array: (.*)\.$/m.exec(products)?.[1]?.replace("…", "t.title");
      writeFileSync(
        join(queries, "releases.sql"),
        `SELECT t.id AS id, 12 AS product_id, ${now?.[2]} AS version, ${now?.[1]} AS release_date FROM shelf AS t`,
      );
      writeFileSync(
        join(queries, "store.sql"),
        `SELECT ${array} AS store_name, 'EUR' AS currency FROM shelf AS t`,
      );
      const out = join(place, "out-spelled");
      const { records, wrong } = await buildQuietly(
        demoInputs(store, out, { queries, now: "2027-01-01 00:00:00" }),
      );
      expect([records.release, wrong]).toEqual([1, []]);
      const site = (key: string) => JSON.parse(readFileSync(join(out, "site/api/v1", key), "utf8")).data;
      expect(site("releases/page=1.json")).toMatchObject([
        { version: "/item/7919123", release_date: "2027-01-01 00:00:00" },
      ]);
      expect(JSON.parse(site("store.json").store_name)).toEqual([{ name: "canary" }]);
    });
  },
);

describe.skipIf(POSTGRES_MISSING !== null)("a role that may read one table of two", () => {
  it("gets the columns of the other table, without its number of rows", async () => {
    const database = await createPostgresDatabase();
    try {
      const grants = "CREATE ROLE peeker LOGIN; GRANT SELECT ON shelf TO peeker";
      await database.run([...SHOP('"'), grants].join(";"));
      const store = database.address.replace("postgres@", "peeker@");
      const { files } = await planInit({ store, folder: join(folder, "peeker") });
      const schema = files.get("SCHEMA.md");
      expect(schema).toContain("## `order`\n\nIts rows can't be read.\n");
      expect(schema).toContain("## `shelf`\n\n1 row.\n");
    } finally {
      await database.run("DROP OWNED BY peeker; DROP ROLE peeker");
      await database.close();
    }
  });
});

it.skipIf(POSTGRES_MISSING !== null)(
  "a table whose rows lie elsewhere, and are gone, stops nothing",
  async () => {
    const database = await createPostgresDatabase();
    try {
      await database.run(`CREATE TABLE shelf (id INTEGER); INSERT INTO shelf VALUES (1); CREATE EXTENSION file_fdw; CREATE EXTENSION postgres_fdw;
      CREATE SERVER files FOREIGN DATA WRAPPER file_fdw; CREATE SERVER down FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '9');
      CREATE USER MAPPING FOR PUBLIC SERVER down OPTIONS (user 'nobody');
      CREATE FOREIGN TABLE a_list (id INTEGER) SERVER files OPTIONS (filename '${join(folder, "nowhere.csv")}');
      CREATE FOREIGN TABLE b_order (id INTEGER) SERVER down;`);
      const { files } = await planInit({ store: database.address, folder: join(folder, "elsewhere") });
      const schema = files.get("SCHEMA.md");
      for (const name of ["a_list", "b_order"])
        expect(schema).toContain(`## \`${name}\`\n\nIts rows can't be read.\n`);
      expect(schema).toContain("## `shelf`\n\n1 row.\n");
    } finally {
      await database.close();
    }
  },
);

it.skipIf(POSTGRES_MISSING !== null)("a table that is locked is one to wait for", async () => {
  const database = await createPostgresDatabase();
  const holder = await database.another();
  try {
    await database.run("CREATE TABLE shelf (id INTEGER)");
    await holder.run("BEGIN; LOCK TABLE shelf");
    const store = `${database.address}?read_timeout=2`;
    await expect(planInit({ store, folder: join(folder, "locked") })).rejects.toMatchObject({
      code: "store_unreadable",
      message: expect.stringContaining("Another session kept a table locked for 1 s"),
    });
  } finally {
    await holder.close();
    await database.close();
  }
});

describe("a virtual table of SQLite", () => {
  const file = join(folder, "virtual.sqlite");
  const db = new Database(file);
  db.exec("CREATE TABLE shelf (id INTEGER PRIMARY KEY); CREATE VIRTUAL TABLE words USING fts5 (title)");
  db.unsafeMode().exec(`PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema VALUES ('table', 'vectors', 'vectors', 0, 'CREATE VIRTUAL TABLE vectors USING vec0 (at float[3])')`);
  db.close();

  it("has its columns in SCHEMA.md, and is named if its module is an extension of the shop", async () => {
    const schema = (await planInit({ store: file, folder: join(folder, "virtual") })).files.get("SCHEMA.md");
    expect(schema).toContain(
      "## `words`\n\n0 rows.\n\n| column | type | |\n| --- | --- | --- |\n| `title` |  |  |\n",
    );
    expect(schema).not.toContain("`rank`");
    expect(schema).toContain(
      "## `vectors`\n\nThis is a virtual table of SQLite whose module Vitrine lacks, so that no file can read it.\n",
    );
    expect(schema).toContain("## `shelf`\n\n0 rows.\n");
  });

  it("does not keep PRIVACY.md from being made", async () => {
    const queries = join(folder, "virtual-queries");
    mkdirSync(queries);
    for (const name of ["store", "categories", "products"]) {
      const columns = QUERY_COLUMNS[name]?.map((column) => `id AS ${column}`) ?? [];
      writeFileSync(join(queries, `${name}.sql`), `SELECT ${columns.join(", ")} FROM shelf`);
    }
    expect(await readPrivacy(file, queries)).toMatch(
      /^- `vectors`: a virtual table of SQLite whose module Vitrine lacks.*\n- `words`: `title`$/m,
    );
  });
});

describe("the ten files", () => {
  it("name every column of the contract once, with its other forms, and nothing else", () => {
    const texts = skeletons("sqlite");
    expect([...texts.keys()]).toEqual(TEN);
    for (const [file, columns] of Object.entries(QUERY_COLUMNS)) {
      const text = texts.get(`${file}.sql`);
      if (text === undefined) continue;
      const named = [...text.matchAll(/^-- +,? *\S+ AS (\w+) +-- /gm)].map(([, name]) => name);
      expect([file, named.toSorted()]).toEqual([file, columns.toSorted()]);
    }
    expect(texts.get("products.sql")).toMatch(
      /or … AS price: a decimal amount, like 19\.99, in any precision$/m,
    );
    expect(texts.get("products.sql")).toMatch(
      /, … AS gallery +-- JSON array of addresses, like .* → gallery of \/product\. More images\.$/m,
    );
  });

  it("count as missing if they may be missing, next to written ones", () => {
    const place = join(folder, "some");
    mkdirSync(place);
    for (const [file, text] of skeletons("mysql")) writeFileSync(join(place, file), text);
    expect(() => readAllowList(place)).toThrow(
      /there is no query yet in store\.sql, categories\.sql, products\.sql/,
    );
    for (const file of ["store", "categories"]) writeFileSync(join(place, `${file}.sql`), "SELECT 1");
    expect(() => readAllowList(place)).toThrow(/there is no query yet in products\.sql\./);
    writeFileSync(join(place, "products.sql"), "-- mine\nSELECT 1");
    writeFileSync(join(place, "_views.sql"), "-- later");
    expect(Object.keys(readAllowList(place))).toEqual(["categories", "products", "store"]);
    writeFileSync(join(place, "prodcuts.sql"), "-- a comment");
    expect(() => readAllowList(place)).toThrow(/prodcuts\.sql is not a file of the allow-list/);
  });
});

// An index in it is smaller than the table, so SQLite would count by it, and lacks the order.
it("a table in an order of the shop's own program is counted", async () => {
  const store = join(folder, "own-order.sqlite");
  const db = new Database(store);
  db.exec("CREATE TABLE decks (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, note TEXT)");
  db.exec("INSERT INTO decks VALUES (1, 'a', ''), (2, 'b', '')");
  db.unsafeMode().exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'unicase') WHERE name = 'decks'`);
  db.close();
  const { files } = await planInit({ store, folder: join(folder, "own-order") });
  expect(files.get("SCHEMA.md")).toContain("## `decks`\n\n2 rows.\n");
});
