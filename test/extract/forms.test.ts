/** Columns in several forms: the forms that a file may give, and the values that Vitrine makes of them. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAmount } from "../../src/api/money.ts";
import { readTime } from "../../src/base/time.ts";
import { chooseColumns, readAllowList, usesNow } from "../../src/extract/allow-list.ts";
import { Slugs, slugify } from "../../src/extract/columns.ts";
import { cleanHtml, htmlOf } from "../../src/extract/html.ts";
import { inputsDigestOf } from "../../src/pipeline/previous.ts";
import { demoInputs, temporaryFolder } from "../support/shop.ts";

describe("the form of a column", () => {
  const choose = (given: string) =>
    chooseColumns({ name: "blog", file: "blog.sql", sql: "" }, given.split(" "));
  const REST = "id title excerpt image url published_at updated_at";

  it("follows from the column's name, in the order of the record", () => {
    expect(choose(`content_markdown slug_source ${REST}`).join(" ")).toBe(
      "id title slug_source excerpt image url published_at updated_at content_markdown",
    );
  });

  it("may be missing if it may be empty", () => {
    expect(choose("updated_at published_at slug title id").join(" ")).toBe(
      "id title slug published_at updated_at",
    );
  });

  it("may be HTML for a text", () => {
    expect(choose(`slug content_html ${REST}`.replace("title", "title_html"))[1]).toBe("title_html");
  });

  it.each([
    [`${REST} slug slug_source content_html`, /gives slug and slug_source, which are forms of one column/],
    [
      REST,
      /lacks the column slug or slug_source\. It must give: id, title or title_html, slug or slug_source, /,
    ],
    [`${REST} slug content_html title_text`, /gives title_text, which its record does not have/],
  ])("is refused in %s", (given, message) => {
    expect(() => choose(given)).toThrow(message);
  });
});

describe("_views.sql", () => {
  const folder = temporaryFolder();
  const listWith = (views: string) => {
    writeFileSync(join(folder, "_views.sql"), views);
    return readAllowList(folder);
  };

  it("is put in front of each file, which may have its own WITH", () => {
    for (const name of ["store", "categories"]) writeFileSync(join(folder, `${name}.sql`), "SELECT 1");
    writeFileSync(
      join(folder, "products.sql"),
      "-- mine\n/* with */ with recursive mine AS (SELECT id FROM seen WHERE id > 1) SELECT * FROM mine; ",
    );
    const list = listWith("-- public\nWITH seen (id) AS (SELECT 1 UNION ALL SELECT 2) -- end");
    const db = new Database(":memory:");
    expect(db.prepare(list["products"]?.sql ?? "").all()).toEqual([{ id: 2 }]);
    db.close();
  });

  it("is included only as far as a file uses it, so that only files that use the clock depend on it", () => {
    const views = `WITH
-- Those that are out, (not hidden
out_now (id) AS (SELECT id FROM products WHERE since <= :now),
named AS (SELECT id, ')' AS b FROM names /* , out_now */),
both AS (SELECT id FROM "Out_Now" JOIN named ON TRUE)`;
    const sqlOf = (sql: string) => {
      writeFileSync(join(folder, "products.sql"), sql);
      const query = listWith(views)["products"];
      return [query?.sql.match(/\w+(?=(?: \(id\))? AS \(SELECT)/g) ?? [], query && usesNow(query)];
    };
    expect(sqlOf("SELECT 1")).toEqual([[], false]);
    expect(sqlOf("WITH own AS (SELECT 1) SELECT * FROM own")).toEqual([["own"], false]);
    expect(sqlOf("SELECT * FROM named -- not both")).toEqual([["named"], false]);
    expect(sqlOf("SELECT * FROM OUT_NOW")).toEqual([["out_now"], true]);
    expect(sqlOf("SELECT * FROM both")).toEqual([["out_now", "named", "both"], true]);
    const demo = Object.values(readAllowList("templates/queries"));
    const [fixed, moving] = [false, true].map((is) => demo.filter((query) => usesNow(query) === is));
    expect(fixed?.map(({ name }) => name)).toEqual(["categories", "forum", "store"]);
    expect(moving?.map(({ name }) => name)).toEqual(expect.arrayContaining(["products", "reviews", "blog"]));
  });

  it("can give ids that are texts a number each, as docs/stores.md says", () => {
    const stores = readFileSync(new URL("../../docs/stores.md", import.meta.url), "utf8");
    for (const name of ["store", "categories"]) writeFileSync(join(folder, `${name}.sql`), "SELECT 1");
    const [, views = ""] = /```sql\n(-- _views\.sql\n.*?)```/s.exec(stores) ?? [];
    writeFileSync(
      join(folder, "products.sql"),
      "SELECT n.id AS id, p.id AS title FROM products AS p JOIN numbers AS n ON n.text = p.id",
    );
    const { sql = "" } = listWith(views)["products"] ?? {};
    const db = new Database(":memory:");
    db.exec("CREATE TABLE products (id TEXT PRIMARY KEY); CREATE TABLE categories (id TEXT PRIMARY KEY)");
    const add = db.prepare("INSERT INTO products VALUES (?)");
    const texts = Array.from({ length: 500 }, (_, at) => [
      `cm3x${at.toString(36).padStart(21, "0")}`,
      createHash("md5").update(String(at)).digest("hex"),
    ]).flat();
    for (const text of [...texts, "é", "日本"]) add.run(text);
    const rows = db.prepare<[], { id: number; title: string }>(sql).all();
    expect(new Set(rows.map(({ id }) => id)).size).toBe(texts.length + 2);
    for (const { id } of rows) expect(Number.isSafeInteger(id) && id >= 1 && id < 1e15).toBe(true);
    // A product keeps its number when another is deleted.
    db.exec("DELETE FROM products WHERE id < 'cm3x0000000000000000000a0'");
    expect(db.prepare(sql).all()).toEqual(rows.filter(({ title }) => title >= "cm3x0000000000000000000a0"));
    db.close();
  });

  it("is included as a whole if it cannot be cut", () => {
    writeFileSync(join(folder, "products.sql"), "SELECT 1");
    for (const odd of [
      'WITH "a b" AS (SELECT 1)',
      "WITH a AS (SELECT 'it\\'s'), b AS (SELECT 2)",
      "WITH a AS (SELECT 1) # b",
    ])
      expect(listWith(odd)["products"]?.sql).toContain(odd.slice("WITH ".length));
  });

  it("must begin with WITH", () => {
    expect(() => listWith("CREATE VIEW seen AS SELECT 1")).toThrow(/_views\.sql must begin with WITH/);
  });

  it("is part of a snapshot's inputs", () => {
    const inputs = demoInputs("", "");
    writeFileSync(join(folder, "products.sql"), "SELECT id FROM seen");
    const before = inputsDigestOf(inputs, listWith("WITH seen (id) AS (SELECT 1)"));
    expect(inputsDigestOf(inputs, listWith("WITH seen (id) AS (SELECT 2)"))).not.toBe(before);
    expect(inputsDigestOf(inputs, listWith("WITH seen (id) AS (SELECT 1)"))).toBe(before);
  });
});

describe("an amount", () => {
  it.each([
    ["19.99", 2, 1999],
    ["19.99000000", 2, 1999],
    ["7", 2, 700],
    ["0.5", 2, 50],
    ["1500", 0, 1500],
    ["1500.00", 0, 1500],
    ["1.234", 3, 1234],
    [19.99, 2, 1999],
    [0.1 + 0.2, 2, 30],
    [1e9 + 0.01, 2, 100_000_000_001],
    ["16.8067", 2, 1681],
    ["19.995", 2, 2000],
    ["19.994999", 2, 1999],
    ["1.005", 2, 101],
    [1.005, 2, 101],
    [19.995, 2, 2000],
    [1.15 * 0.7, 2, 81],
    [1e-9, 2, 0],
    ["0.5", 0, 1],
    ["0.4999", 0, 0],
    ["1574.803150", 0, 1575],
    ["1.375", 3, 1375],
    ["1.3755", 3, 1376],
    ["999.9999", 2, 100_000],
    [2500, 0, 2500],
  ])("%s in a currency of %s digits is %s", (value, digits, minor) => {
    expect(parseAmount(value, digits)).toBe(minor);
  });

  it.each([
    ["19,99", 2],
    ["1.000,00", 2],
    ["-1", 2],
    [-1, 2],
    ["", 2],
    [".5", 2],
    ["1e3", 2],
    ["EUR 5", 2],
    [Number.NaN, 2],
    [1e300, 2],
    [1e15, 2],
    [Number.POSITIVE_INFINITY, 2],
    [-0.001, 2],
    ["-0.001", 2],
    ["999999999999999", 3],
    [null, 2],
  ])("cannot be read from %s in a currency of %s digits", (value, digits) => {
    expect(parseAmount(value, digits)).toBeNull();
  });
});

describe("a moment", () => {
  it.each([
    ["2026-11-20 19:00:00", "2026-11-20 19:00:00"],
    [1_795_201_200, "2026-11-20 19:00:00"],
    [1_795_201_200_000, null],
    [20_777, null],
    [1_795_201_200.5, null],
    ["2026-11-20T19:00:00Z", null],
    ["0000-00-00 00:00:00", null],
    ["1795201200", null],
    [null, null],
  ])("%s is read as %s", (value, time) => {
    expect(readTime(value)).toBe(time);
  });
});

describe("markup", () => {
  const clean = (text: string, form: string) => cleanHtml(htmlOf(text, form));

  it("of plain text keeps each character, its lines and its paragraphs", () => {
    const text = 'a < b & "c" <script>x</script>\r\nnext\n\n \n  last &amp; done';
    expect(clean(text, "description_text")).toEqual({
      html: '<p>a &lt; b &amp; "c" &lt;script&gt;x&lt;/script&gt;<br />next</p>\n<p>last &amp;amp; done</p>',
      text: 'a < b & "c" <script>x</script>\nnext\n\nlast &amp; done',
    });
    expect(clean(" \n\n ", "notes_text")).toEqual({ html: "", text: "" });
  });

  it("of Markdown becomes HTML, and is sanitised like any other", () => {
    const text =
      "# New\n\n- **bold**\n- [site](https://shop.example)\n\n<b onclick=x>ok</b><script>bad()</script>";
    expect(clean(text, "answer_markdown").html).toBe(
      '<h1>New</h1>\n<ul>\n<li><strong>bold</strong></li>\n<li><a href="https://shop.example" rel="nofollow noopener">site</a></li>\n</ul>\n<p><b>ok</b></p>\n',
    );
    const hostile =
      "<a href='javascript:alert(1)'>x</a> <img src='data:text/html,z'> [y](javascript:alert(1))";
    expect(clean(hostile, "answer_markdown").html).not.toMatch(/(href|src)=/);
  });
});

describe("a slug", () => {
  it.each([
    ["Café Menü: 50 % off!", "cafe-menu-50-off"],
    ["Don't stop", "dont-stop"],
    ["Straße nach Łódź", "strasse-nach-lodz"],
    ["Привет мир", "privet-mir"],
    ["日本語", /^[a-z0-9-]+$/],
    ["cafe\u0301", "cafe"],
    ["--- !!! ---", ""],
    ["a".repeat(500), /^a{130}$/],
    [`x${"\u0301".repeat(100_000)}`, "x"],
  ])("of %.20s is %s", (text, slug) => {
    expect(slugify(text)).toMatch(slug instanceof RegExp ? slug : new RegExp(`^${slug}$`));
  });

  const slugsOf = (rows: readonly (readonly [number, string])[]) => {
    const slugs = new Slugs();
    for (const [id, text] of rows) slugs.add(id, text);
    return new Map(rows.map(([id]) => [id, slugs.of(id)]));
  };

  it("is the bare name for the smallest id, and has the id appended for the others", () => {
    expect([
      ...slugsOf([
        [5, "Foo"],
        [12, "foo"],
        [7, "Foo 12"],
        [8, "foo 12 7"],
        [20, "foo-20"],
        [21, "???"],
        [22, "21"],
      ]),
    ]).toEqual([
      [5, "foo"],
      [12, "foo-12"],
      [7, "foo-12-7"],
      [8, "foo-12-7-8"],
      [20, "foo-20"],
      [21, "21"],
      [22, "21-22"],
    ]);
  });

  it("is unique, whatever the names, and does not depend on the order of rows", () => {
    const word = fc.constantFrom("a", "b", "1", "2", "3", "12", "!");
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("-"));
    const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 15 }), text), {
      selector: ([id]) => id,
      maxLength: 15,
    });
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat()), (all, random) => {
        const slugs = slugsOf(all);
        expect(new Set(slugs.values()).size).toBe(all.length);
        for (const slug of slugs.values()) expect(slug).toMatch(/^[a-z0-9][a-z0-9._-]{0,149}$/);
        const shuffled = all
          .map((row) => ({ row, at: random.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ row }) => row);
        expect(slugsOf(shuffled)).toEqual(new Map(shuffled.map(([id]) => [id, slugs.get(id) ?? null])));
      }),
      { numRuns: 500 },
    );
  });
});
