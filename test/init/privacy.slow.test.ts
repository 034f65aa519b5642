/** PRIVACY.md: what it says of SQL files, whoever wrote them, is what the database says. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import MarkdownIt from "markdown-it";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUERY_COLUMNS } from "../../src/extract/allow-list.ts";
import { runCheck } from "../../src/setup/doctor.ts";
import { codeOf, readPrivacy } from "../../src/setup/privacy.ts";
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
  CREATE VIEW mixed AS SELECT id, title FROM products UNION ALL SELECT id, email FROM customers;`;

/** By the columns that a file must give; what is not named is a constant. */
function categories(from: string, given: Readonly<Record<string, string>>): string {
  const all = { id: "1", name: "'n'", slug: "'s'", description_html: "''", url: "'/'", ...given };
  return `SELECT ${Object.entries(all).map(([column, sql]) => `${sql} AS ${column}`)} ${from}`;
}

let made = 0;

async function pageOf(store: string, sql: string): Promise<string> {
  const queries = join(folder, `queries-${++made}`);
  mkdirSync(queries);
  for (const file of ["store", "products"]) {
    const columns = QUERY_COLUMNS[file]?.map((column) => `'x' AS ${column}`) ?? [];
    writeFileSync(join(queries, `${file}.sql`), `SELECT ${columns.join(", ")}`);
  }
  writeFileSync(join(queries, "categories.sql"), sql);
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

/** SQL, and what is said of columns; undefined: the table is none that a file names. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, string | undefined>>])[] = [
  [
    "names a column without the table's alias",
    categories("FROM products WHERE margin > 1", { id: "id", name: "note", url: "title" }),
    {
      "products.note": "public as `categories.name`",
      "products.title": "public as `categories.url`",
      "products.margin": "read by `categories.sql`",
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
      "products.id": "read by `categories.sql`",
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
    { "products.note": "read by `categories.sql`", "products.cost": "read by `categories.sql`" },
  ],
  [
    "puts two tables together",
    `${categories("FROM products", { id: "id", name: "title" })} UNION ALL ${categories("FROM customers", { id: "id", name: "email" })}`,
    {
      "products.title": "read by `categories.sql`",
      "customers.email": "read by `categories.sql`",
      "customers.name": ".*",
    },
  ],
  [
    "reads a view of two tables",
    categories("FROM mixed", { id: "id", name: "title" }),
    {
      "products.title": "read by `categories.sql`",
      "customers.email": "read by `categories.sql`",
      "orders.total": undefined,
    },
  ],
  [
    "reads a view",
    categories("FROM shown", { id: "id", name: "money" }),
    {
      "products.cost": "(public as `categories.name`|read by `categories.sql`)",
      "customers.email": undefined,
    },
  ],
  [
    "gives its own expression a table's name",
    `WITH products AS (SELECT id, email AS title FROM customers) ${categories("FROM products", { id: "id", name: "title" })}`,
    {
      "customers.email": "(public as `categories.name`|read by `categories.sql`)",
      "products.title": "read by `categories.sql`",
    },
  ],
  [
    "gives its own subquery a table's name",
    categories("FROM (SELECT id, email AS title FROM customers) products", {
      id: "id",
      name: "products.title",
    }),
    {
      "customers.email": "(public as `categories.name`|read by `categories.sql`)",
      "products.title": "read by `categories.sql`",
    },
  ],
  [
    "takes all columns",
    categories("FROM (SELECT * FROM products) AS d", { id: "id", name: "title" }),
    { "products.cost": "read by `categories.sql`" },
  ],
];

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
      db.exec(TABLES);
      db.close();
      return;
    }
    database = await create();
    await database.run(TABLES);
    store = database.address;
  });
  afterAll(() => database?.close());

  it.skipIf(missing !== null).each(CASES)("a file that %s is told right", async (__, sql, cells) => {
    const page = await pageOf(store, sql);
    for (const [name, said] of Object.entries(cells)) {
      const [table = "", column = ""] = name.split(".");
      const found = cellOf(page, table, column);
      if (said === undefined) expect([name, found]).toEqual([name, undefined]);
      else expect([name, found]).toEqual([name, expect.stringMatching(new RegExp(`^${said}$`))]);
      if (said === undefined) expect(page).toMatch(new RegExp(`^- \`${table}\`: .*\`${column}\``, "m"));
    }
  });
});

describe("what is not known", () => {
  it.skipIf(POSTGRES_MISSING !== null)(
    "is said to be not known, of a function of the store's own",
    async () => {
      const database = await createPostgresDatabase();
      try {
        await database.run(`${TABLES}
        CREATE FUNCTION anybody() RETURNS text LANGUAGE sql AS 'SELECT email FROM customers LIMIT 1';`);
        const page = await pageOf(
          database.address,
          categories("FROM products", { id: "id", name: "anybody()" }),
        );
        expect(page).toContain("- reads: not known.");
        expect(page).toContain(
          "Whether anything of them is read is not known, since it is not known of `categories.sql`.",
        );
        expect(cellOf(page, "products", "cost")).toBe("not known");
      } finally {
        await database.close();
      }
    },
  );

  it.skipIf(MARIADB_MISSING !== null)(
    "is said to be not known, of a view whose SQL may not be seen",
    async () => {
      const database = await createMariadbDatabase();
      const role = `r${process.pid}`;
      try {
        await database.run(`${TABLES} CREATE USER ${role}@'%'; GRANT SELECT ON ${database.name}.shown TO ${role}@'%';
        GRANT SELECT ON ${database.name}.orders TO ${role}@'%'`);
        const address = database.address.replace("root@", `${role}@`);
        const page = await pageOf(address, categories("FROM shown", { id: "id", name: "money" }));
        expect(page).toContain("Whether anything of them is read is not known");
      } finally {
        await database.run(`DROP USER ${role}@'%'`);
        await database.close();
      }
    },
  );
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

  it.each(NAMES)("%j is shown as it is, in a cell of its own", (name) => {
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

  it("stand so in the page", async () => {
    const store = join(folder, "names.sqlite");
    const db = new Database(store);
    db.exec('CREATE TABLE "<script>|`x" (id INTEGER PRIMARY KEY, "a|b" TEXT)');
    db.close();
    const page = await pageOf(store, categories('FROM "<script>|`x"', { id: "id", name: '"a|b"' }));
    expect(page).not.toContain("<script>");
    expect(page).toContain("| <code>a&#124;b</code> | public as `categories.name` |");
  });
});

it("doctor says when the page is out of date", async () => {
  const project = join(folder, "dated");
  const queries = join(folder, `queries-${made + 1}`);
  const store = join(folder, "dated.sqlite");
  const db = new Database(store);
  db.exec(TABLES);
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
