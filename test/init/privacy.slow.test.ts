/** PRIVACY.md: its statements about any SQL files agree with the database. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import MarkdownIt from "markdown-it";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUERY_COLUMNS } from "../../src/extract/allow-list.ts";
import { runCheck } from "../../src/setup/doctor.ts";
import { codeOf, readPrivacy } from "../../src/setup/privacy/page.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

const TABLES = `
  CREATE TABLE products (id INTEGER PRIMARY KEY, title VARCHAR(40), cost INTEGER, margin INTEGER, note VARCHAR(40));
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(40), name VARCHAR(40));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, total INTEGER);
  CREATE VIEW shown AS SELECT id, cost AS money FROM products;
  CREATE TABLE parts (id INTEGER PRIMARY KEY, secret INTEGER, shown INTEGER GENERATED ALWAYS AS (secret * 2) STORED, QUOTEx yQUOTE INTEGER);
  CREATE VIEW deep AS SELECT id, money * 2 AS twice FROM shown;
  CREATE VIEW mixed AS SELECT id, title FROM products UNION ALL SELECT id, email FROM customers;`;

/** By the columns that a file must give; what is not named is a constant. */
function categories(from: string, given: Readonly<Record<string, string>>): string {
  const all = { id: "1", name: "'n'", slug: "'s'", description_html: "''", url: "'/'", ...given };
  return `SELECT ${Object.entries(all).map(([column, sql]) => `${sql} AS ${column}`)} ${from}`;
}

let made = 0;

async function pageOf(
  store: string,
  sql: string,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const queries = join(folder, `queries-${++made}`);
  mkdirSync(queries);
  for (const file of ["store", "products"]) {
    const columns = QUERY_COLUMNS[file]?.map((column) => `'x' AS ${column}`) ?? [];
    writeFileSync(join(queries, `${file}.sql`), `SELECT ${columns.join(", ")}`);
  }
  for (const [file, text] of Object.entries({ ...others, "categories.sql": sql }))
    writeFileSync(join(queries, file), text);
  return readPrivacy(store, queries);
}

/** What the page says of a column: the cell beside its name below its table. */
function cellOf(page: string, table: string, column: string): string | undefined {
  const part = page
    .split(/^### /m)
    .find((each) => each.startsWith(`\`${table}\`\n`) && each.includes("| column"));
  return part
    ?.split("\n")
    .find((line) => line.startsWith(`| \`${column}\` |`))
    ?.split(" | ")[1]
    ?.replace(/ \|$/, "");
}

const READ = "read by `categories.sql` line .*";

/** SQL, and the expected cells of columns; undefined: no file names the table. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, string | undefined>>])[] = [
  [
    "names a column without the table's alias",
    categories("FROM products WHERE margin > 1", { id: "id", name: "note", url: "title" }),
    {
      "products.note": "public as `categories.name`",
      "products.title": "public as `categories.url`",
      "products.margin": READ,
      "products.cost": "left out",
      "orders.total": undefined,
    },
  ],
  [
    "lists tables behind a comma",
    categories("FROM products, customers AS c WHERE c.id = products.id", { id: "c.id", name: "email" }),
    {
      "customers.email": "public as `categories.name`",
      "customers.id": /^public as .*id`/.source,
      "products.id": READ,
    },
  ],
  [
    "reads a subquery",
    categories("FROM (SELECT id AS i, note AS n FROM products) AS d", { id: "i", name: "n" }),
    { "products.note": ".*", "products.cost": "left out", "customers.email": undefined },
  ],
  [
    "computes",
    categories("FROM products GROUP BY id, note", { id: "id", name: "COALESCE(note, '')", url: "MAX(cost)" }),
    { "products.note": READ, "products.cost": READ },
  ],
  [
    "puts two tables together",
    `${categories("FROM products", { id: "id", name: "title" })} UNION ALL ${categories("FROM customers", { id: "id", name: "email" })}`,
    {
      "products.title": READ,
      "customers.email": READ,
      "customers.name": ".*",
    },
  ],
  [
    "reads a view of two tables",
    categories("FROM mixed", { id: "id", name: "title" }),
    {
      "products.title": READ,
      "customers.email": READ,
      "orders.total": undefined,
    },
  ],
  [
    "reads a view",
    categories("FROM shown", { id: "id", name: "money" }),
    {
      "products.cost": `(public as \`categories.name\`|${READ})`,
      "customers.email": undefined,
    },
  ],
  [
    "gives its own expression a table's name",
    `WITH products AS (SELECT id, email AS title FROM customers) ${categories("FROM products", { id: "id", name: "title" })}`,
    {
      "customers.email": `(public as \`categories.name\`|${READ})`,
      "products.title": READ,
    },
  ],
  [
    "gives its own subquery a table's name",
    categories("FROM (SELECT id, email AS title FROM customers) products", {
      id: "id",
      name: "products.title",
    }),
    {
      "customers.email": `(public as \`categories.name\`|${READ})`,
      "products.title": READ,
    },
  ],
  [
    "computes of a subquery's renamed column",
    categories("FROM (SELECT id AS i, note AS n FROM products) AS d", { id: "i", name: "COALESCE(n, '')" }),
    {
      "products.note": "read by `categories.sql` line 1: `.*",
      "products.cost": "left out",
      "customers.email": undefined,
    },
  ],
  [
    "renames columns of a common table expression",
    `WITH c (i, n)\nAS (SELECT id, note FROM products) ${categories("FROM c", { id: "i", name: "COALESCE(n, '')" })}`,
    {
      "products.note": "read by `categories.sql` line 2: `AS \\(SELECT id, note FROM .*",
      "products.cost": "left out",
    },
  ],
  [
    "takes all columns in a common table expression, and computes of them",
    `WITH c AS (\nSELECT *\nFROM products) ${categories("FROM c", { id: "id", name: "COALESCE(note, '')" })}`,
    { "products.margin": "read by `categories.sql` line 2: `SELECT \\*`", "customers.email": undefined },
  ],
  [
    "takes all columns of one table in a subquery",
    categories("FROM (SELECT p.* FROM products AS p) AS d", { id: "id", name: "CONCAT(note, '')" }),
    { "products.cost": READ },
  ],
  [
    "names columns of two tables by their aliases, and takes all of a third",
    categories(
      "FROM products AS p JOIN customers AS c ON c.id = p.id\nWHERE EXISTS (SELECT * FROM orders WHERE total > 1)",
      { id: "p.id", name: "CONCAT(c.name, '')", url: "CONCAT(p.note, '')" },
    ),
    {
      "customers.email": "left out",
      "products.cost": "left out",
      "orders.total": "read by `categories.sql` line 2: .*",
    },
  ],
  [
    "compares all columns that two tables have in common",
    categories("FROM products\nNATURAL JOIN orders", { id: "1" }),
    {
      "products.id": "read by `categories.sql` line 1: .*, line 2: `NATURAL JOIN orders`",
      "orders.total": READ,
    },
  ],
  [
    "joins by a column's name",
    categories("FROM products JOIN orders\nUSING (id)", { name: "CONCAT(note, '')" }),
    {
      "orders.id": "read by `categories.sql` line 1: .*, line 2: `USING \\(id\\)`",
      "orders.total": "left out",
      "products.cost": "left out",
    },
  ],
  [
    "computes recursively",
    `WITH RECURSIVE r (i, n) AS (\nSELECT id, margin FROM products\nUNION ALL SELECT i + 1, n FROM r WHERE i < 3) ${categories("FROM r", { id: "i", name: "CONCAT(n, '')" })}`,
    {
      "products.margin": "read by `categories.sql` line 2: `SELECT id, margin FROM products`",
      "products.cost": "left out",
    },
  ],
  [
    "reads a view of a view",
    categories("\nFROM deep", { id: "id", name: "CONCAT(twice, '')" }),
    {
      "products.cost": "read by `categories.sql` line 2, over `deep`: `FROM deep`",
      "products.note": "left out",
      "customers.email": undefined,
    },
  ],
  [
    "names a column of the table behind a view that does not give it",
    categories("\nFROM shown\nCROSS JOIN (SELECT 'n' AS note) AS n", { id: "id", name: "CONCAT(note, '')" }),
    {
      "products.note": "read by `categories.sql` line 2, over `shown`: `FROM shown`",
      "products.title": "left out",
    },
  ],
  [
    "reads a generated column, whose expression reads another",
    categories("FROM parts", { id: "id", name: "CONCAT(shown, '')" }),
    { "parts.secret": "read by `categories.sql` line 1.*", "parts.shown": READ },
  ],
  [
    "gives a generated column",
    categories("FROM parts", { id: "id", name: "shown" }),
    { "parts.shown": "public as `categories.name`", "parts.secret": READ },
  ],
  [
    "reads a column whose name is no word",
    categories("FROM parts", { id: "id", name: "CONCAT(QUOTEx yQUOTE, '')" }),
    { "parts.x y": READ, "parts.secret": "left out" },
  ],
  [
    "has many lines",
    categories(
      "FROM products WHERE cost > 1 AND 'shortened' = 'shortened'\nAND cost > 2\nAND cost > 3\nAND cost > 4",
      { id: "id" },
    ),
    { "products.cost": "read by `categories.sql` line 1: `.*…`, line 2: `AND cost > 2`, and 2 more" },
  ],
  [
    "takes all columns",
    categories("FROM (SELECT * FROM products) AS d", { id: "id", name: "title" }),
    { "products.cost": READ },
  ],
];

/** Names in quotes as a database writes them. */
function quoted(sql: string, create: unknown): string {
  return sql.replaceAll("QUOTE", create === createMariadbDatabase ? "`" : '"');
}

describe.each([
  ["SQLite", null, null],
  ["MariaDB", createMariadbDatabase, MARIADB_MISSING],
  ["PostgreSQL", createPostgresDatabase, POSTGRES_MISSING],
] as const)("of a store in %s", (_, create, missing) => {
  let database: TestDatabase | undefined;
  let store = join(folder, "store.sqlite");

  beforeAll(async () => {
    if (missing !== null) return;
    if (create === null) {
      const db = new Database(store);
      db.exec(quoted(TABLES, create));
      db.close();
      return;
    }
    database = await create();
    await database.run(quoted(TABLES, create));
    store = database.address;
  });
  afterAll(() => database?.close());

  it.skipIf(missing !== null).each(CASES)("a file that %s is described correctly", async (__, sql, cells) => {
    const page = await pageOf(store, quoted(sql, create));
    for (const [name, said] of Object.entries(cells)) {
      const [table = "", column = ""] = name.split(".");
      const found = cellOf(page, table, column);
      if (said === undefined) expect([name, found]).toEqual([name, undefined]);
      else expect([name, found]).toEqual([name, expect.stringMatching(new RegExp(`^${said}$`))]);
      if (said === undefined) expect(page).toMatch(new RegExp(`^- \`${table}\`: .*\`${column}\``, "m"));
    }
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("of a store in PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    await database.run(`${quoted(TABLES, createPostgresDatabase)} CREATE EXTENSION hstore;
      CREATE MATERIALIZED VIEW known AS SELECT id, email AS address FROM customers;
      CREATE TABLE visits (id INTEGER, place TEXT) PARTITION BY RANGE (id);
      CREATE TABLE first_visits PARTITION OF visits FOR VALUES FROM (1) TO (9);`);
  });
  afterAll(() => database.close());

  it.each([
    ["a row as JSON", "FROM products AS p", "to_jsonb(p)->>'title'"],
    ["a row as a text", "FROM products AS p", "CAST(p AS text)"],
    ["a row as a text, by its table", "FROM products", "products::text"],
    ["a row in an aggregate", "FROM products p GROUP BY p.id", "string_agg(p::text, '')"],
    ["a row in an expression", "FROM products p", "jsonb_build_object('a', p) #>> '{}'"],
    ["a row, its function behind it", "FROM products p", "p.to_jsonb::text"],
    ["a row as an hstore", "FROM products p", "hstore(p)->'title'"],
    ["a row that an hstore changes", "FROM products p", "((p #= ''::hstore)::text)"],
    ["a row's values", "FROM products p, LATERAL svals(hstore(p)) AS v (t)", "v.t"],
    ["other names of its columns", "FROM products AS p (i, t, c)", "COALESCE(c::text, '')"],
    [
      "other names of a join's columns",
      "FROM (products JOIN orders USING (id)) AS j (i, t, c)",
      "COALESCE(c::text, '')",
    ],
    ["a table as a query", "FROM (TABLE products) AS d (i, t, c)", "COALESCE(c::text, '')"],
    [
      "the first of each",
      "FROM (SELECT DISTINCT ON (id) * FROM products) AS d (i, t, c)",
      "COALESCE(c::text, '')",
    ],
  ])("%s reads all columns", async (_, from, name) => {
    const page = await pageOf(database.address, categories(from, { name }));
    expect(cellOf(page, "products", "cost")).toMatch(new RegExp(`^${READ}$`));
  });

  it.each([
    ["a function of a column", "FROM products AS p", "concat(title)"],
    ["a join", "FROM products AS p JOIN orders AS o ON o.id = p.id, customers AS c", "COALESCE(p.title, '')"],
    [
      "a column of a table's name",
      'FROM products AS c JOIN (WITH f (orders) AS (SELECT 1) SELECT 2 AS b FROM f) AS f ON TRUE ORDER BY c.title COLLATE "C"',
      "c.title",
    ],
    ["a subquery with names", "FROM (SELECT id, title FROM products) AS d (i, t)", "COALESCE(t, '')"],
    [
      "a common table expression",
      "FROM products AS p, LATERAL (SELECT COUNT(*) AS n FROM orders) AS o",
      "o.n::text",
    ],
  ])("%s does not", async (_, from, name) => {
    expect(cellOf(await pageOf(database.address, categories(from, { name })), "products", "cost")).toBe(
      "left out",
    );
  });

  it("a materialised view and a table's partitions lead to their tables", async () => {
    const page = await pageOf(
      database.address,
      categories("FROM known, visits", { name: "address", url: "COALESCE(place, '')" }),
    );
    expect(cellOf(page, "customers", "email")).toContain("read by `categories.sql` line 1, over `known`: ");
    expect(cellOf(page, "first_visits", "place")).toContain(
      "read by `categories.sql` line 1, over `visits`: ",
    );
  });
});

it("names lines of the common views once, and only those that a file uses", async () => {
  const store = join(folder, "common.sqlite");
  const db = new Database(store);
  db.exec(quoted(TABLES, null));
  db.close();
  const views =
    "-- All.\nWITH public (id, name) AS (\n  SELECT id, note || '|' FROM products\n),\nothers AS (SELECT note FROM products)\n";
  const page = await pageOf(store, categories("FROM public", { id: "id", name: "name" }), {
    "_views.sql": views,
  });
  expect(cellOf(page, "products", "note")).toBe(
    "read by `categories.sql`; `_views.sql` line 3: `SELECT id, note \\|\\| '\\|' FROM products`",
  );
});

it("reads over the other names and tables that SQLite has", async () => {
  const store = join(folder, "odd.sqlite");
  const db = new Database(store);
  db.exec(`${quoted(TABLES, null)} CREATE TABLE counted (number INTEGER PRIMARY KEY);
    CREATE VIRTUAL TABLE words USING fts5(title, note, content='products');
    CREATE VIEW "over all" AS SELECT name FROM customers;`);
  db.close();
  const rows = await pageOf(store, categories("FROM counted", { name: "'n' || rowid" }));
  expect(cellOf(rows, "counted", "number")).toMatch(/^read by `categories.sql` line 1, over `rowid`: /);
  const words = await pageOf(store, categories("FROM words", { name: "snippet(words, 1, '', '', '', 4)" }));
  expect(cellOf(words, "products", "note")).toMatch(/^read by `categories.sql` line 1, over `words`: /);
  const view = await pageOf(store, categories("FROM [over all] AS o", { name: "COALESCE(o.name, '')" }));
  expect(cellOf(view, "customers", "name")).toMatch(/^read by `categories.sql` line 1, over `over all`: /);
});

describe("unknown columns", () => {
  it.skipIf(POSTGRES_MISSING !== null)("are named for a function of the store", async () => {
    const database = await createPostgresDatabase();
    try {
      await database.run(`${quoted(TABLES, createPostgresDatabase)}
        CREATE FUNCTION anybody() RETURNS text LANGUAGE sql AS 'SELECT email FROM customers LIMIT 1';`);
      const page = await pageOf(
        database.address,
        categories("FROM products", { id: "id", name: "anybody()" }),
      );
      expect(page).toContain("- reads: not known.");
      expect(page).toContain("It is not known whether they are read: `categories.sql` may read anything.");
      expect(cellOf(page, "products", "cost")).toBe("not known");
    } finally {
      await database.close();
    }
  });

  // citext brings min(citext), replace(citext, …) and others beside those of PostgreSQL.
  it.skipIf(POSTGRES_MISSING !== null)(
    "are not those of an extension that reads its arguments only",
    async () => {
      const database = await createPostgresDatabase();
      try {
        await database.run(
          `CREATE EXTENSION citext; CREATE EXTENSION unaccent; ${quoted(TABLES, createPostgresDatabase)}`,
        );
        const name = "replace(unaccent(title), '-', ' ')";
        const page = await pageOf(
          database.address,
          categories("FROM products", { id: "id", name, url: "(SELECT MIN(note) FROM products)" }),
        );
        expect(page).not.toContain("not known");
        expect(cellOf(page, "products", "cost")).toBe("left out");
        await database.run(
          "CREATE FUNCTION min(text, text) RETURNS text LANGUAGE sql AS 'SELECT email FROM customers LIMIT 1'",
        );
        expect(
          await pageOf(database.address, categories("FROM products", { url: "min('a', 'b')" })),
        ).toContain("- reads: not known.");
        // It stays one of the extension: earthdistance's own SQL says that earth() is there to be replaced, for miles.
        await database.run(`CREATE EXTENSION earthdistance CASCADE;
          CREATE OR REPLACE FUNCTION earth() RETURNS float8 LANGUAGE sql AS 'SELECT MAX(length(email)) FROM customers'`);
        expect(
          await pageOf(database.address, categories("FROM products", { url: "gc_to_sec(9)::text" })),
        ).toContain("- reads: not known.");
        await database.run(
          "CREATE OR REPLACE FUNCTION unaccent(text) RETURNS text LANGUAGE sql AS 'SELECT MAX(email) FROM customers'",
        );
        expect(await pageOf(database.address, categories("FROM products", { name }))).toContain(
          "- reads: not known.",
        );
      } finally {
        await database.close();
      }
    },
  );

  it.skipIf(MARIADB_MISSING !== null)("are named for a view whose SQL can't be read", async () => {
    const database = await createMariadbDatabase();
    const role = `r${process.pid}`;
    try {
      await database.run(`${quoted(TABLES, createMariadbDatabase)} CREATE USER ${role}@'%'; GRANT SELECT ON ${database.name}.shown TO ${role}@'%';
        GRANT SELECT ON ${database.name}.orders TO ${role}@'%'`);
      const address = database.address.replace("root@", `${role}@`);
      const page = await pageOf(address, categories("FROM shown", { id: "id", name: "money" }));
      expect(page).toContain("It is not known whether they are read");
    } finally {
      await database.run(`DROP USER ${role}@'%'`);
      await database.close();
    }
  });
});

describe("names in Markdown", () => {
  const NAMES = [
    "a|b",
    "<script>alert(1)</script>",
    "a`b",
    "a``b`",
    "a\nb",
    "[x](y)",
    "a\\|b",
    "*a*",
    "a\u202eb",
    "é & ü",
    "plain_1",
  ];

  it.each(NAMES)("%j is shown unchanged, in a separate cell", (name) => {
    const html = new MarkdownIt({ html: true }).render(
      `| a | b |\n| --- | --- |\n| ${codeOf(name)} | left out |\n`,
    );
    const cells = [...html.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell);
    expect(cells).toHaveLength(2);
    expect(cells[1]).toBe("left out");
    expect(cells[0]).toMatch(/^<code>[^<]*<\/code>$/);
    const text = (cells[0] ?? "").replace(/<\/?code>/g, "");
    const decoded = text
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
    expect(decoded).toBe(name.replace("\n", "\\u{a}").replace("\u202e", "\\u{202e}"));
  });

  it.skipIf(MARIADB_MISSING !== null)("are those of any table that a database has", async () => {
    const database = await createMariadbDatabase();
    try {
      const names = ["a-b c", "a.b+(c)[d]|e", "$1"];
      for (const name of names)
        await database.run(`CREATE TABLE \`${name}\` (id INT PRIMARY KEY, \`x y\` TEXT)`);
      for (const name of names) {
        const sql = categories(`FROM \`${name}\` AS t`, { id: "t.id", name: "t.`x y`" });
        expect([name, await pageOf(database.address, sql)]).toEqual([
          name,
          expect.stringContaining("| `x y` | public as `categories.name` |"),
        ]);
      }
    } finally {
      await database.close();
    }
  });

  it("are escaped in the page", async () => {
    const store = join(folder, "names.sqlite");
    const db = new Database(store);
    db.exec('CREATE TABLE "<script>|`x" (id INTEGER PRIMARY KEY, "a|b" TEXT)');
    db.close();
    const page = await pageOf(store, categories('FROM "<script>|`x"', { id: "id", name: '"a|b"' }));
    expect(page).not.toContain("<script>");
    expect(page).toContain("| <code>a&#124;b</code> | public as `categories.name` |");
  });
});

it("doctor reports an outdated page", async () => {
  const project = join(folder, "dated");
  const queries = join(folder, `queries-${made + 1}`);
  const store = join(folder, "dated.sqlite");
  const db = new Database(store);
  db.exec(quoted(TABLES, null));
  db.close();
  mkdirSync(project);
  const page = await pageOf(store, categories("FROM products", { id: "id", name: "title" }));
  const options = { store, queries, configFile: join(project, "vitrine.config.json"), timeoutSeconds: 30 };
  const said = async () => (await runCheck("privacy", options)).map(({ level }) => level);
  expect(await said()).toEqual([]);
  writeFileSync(join(project, "PRIVACY.md"), page);
  expect(await said()).toEqual(["ok"]);
  writeFileSync(join(queries, "categories.sql"), categories("FROM products", { id: "id", name: "note" }));
  expect(await said()).toEqual(["warning"]);
  writeFileSync(join(project, "PRIVACY.md"), await readPrivacy(store, queries));
  expect(await said()).toEqual(["ok"]);
});
