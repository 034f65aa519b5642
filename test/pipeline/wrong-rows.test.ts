import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SILENT } from "../../src/base/log.ts";
import { leftOutLines } from "../../src/cli/build-summary.ts";
import type { BuildInputs } from "../../src/config/inputs.ts";
import { maxLeftOutRows } from "../../src/extract/problems.ts";
import { type BuildReport, runBuild } from "../../src/pipeline/build.ts";
import { planBuild } from "../../src/pipeline/plan.ts";
import { columnsOfTable, makePlainStore, PLAIN_TABLES } from "../support/plain-store.ts";
import {
  buildQuietly,
  DEMO_CONFIG,
  demoInputs,
  readTree,
  temporaryFolder,
  withoutTime,
} from "../support/shop.ts";
import { type Random, seededRandom } from "../support/shop-edits.ts";

const folder = temporaryFolder();
const config = { ...DEMO_CONFIG, siteUrl: "https://shop.example", grid: { depth: 0, maxFiles: 250_000 } };

/** A separate shop, and the results of its builds. */
function shop(name: string, rows = 20) {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const { store, queries } = makePlainStore(home, rows);
  const out = join(home, "out");
  let minute = 0;
  const inputs = (change: Partial<BuildInputs> = {}) =>
    demoInputs(store, out, {
      config,
      queries,
      allowShrink: 1_000_000,
      now: `2026-11-20 12:${String(minute++ % 60).padStart(2, "0")}:00`,
      ...change,
    });
  return {
    store,
    out,
    inputs,
    sql(text: string) {
      const db = new Database(store);
      db.exec(text);
      db.close();
    },
    build: (change: Partial<BuildInputs> = {}) => buildQuietly(inputs(change)),
    answer: (key: string) => JSON.parse(readFileSync(join(out, "site/api/v1", key), "utf8")).data,
  };
}

/** An empty folder to plan in. */
function planned(): string {
  return mkdtempSync(join(folder, "planned-"));
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

describe("a wrong optional value", () => {
  const { sql, build, answer, out } = shop("optional");

  it("becomes empty, and is counted by column with the first ids, without the value", async () => {
    sql(`UPDATE reviews SET customer_avatar = 'javascript:alert(1)' WHERE id IN (3, 5, 8, 9);
      UPDATE reviews SET title = '  ' || char(8203) || char(10240) WHERE id = 7;
      UPDATE reviews SET body = 4 WHERE id = 7;
      UPDATE products SET image = 'https://a:secret@b.example/' WHERE id = 2;
      UPDATE products SET gallery = '["/a","javascript:1","/c"]' WHERE id = 3;
      UPDATE products SET gallery = '["a' WHERE id = 4;
      UPDATE products SET gallery = '{/a,"/b c"}' WHERE id = 8;
      UPDATE products SET description_html = x'00' WHERE id = 5;
      UPDATE forum SET category_slug = 'No Slug', author_display_name = ' ' WHERE id = 6;
      UPDATE forum SET replies = json_insert(replies, '$[#]', json_object('id', 'x'), '$[#]', json_object('id', 5,
        'author_display_name', 'Di', 'content_html', 'Yes', 'is_solution', json('true'), 'created_at', '2026-13-01')) WHERE id = 7;
      UPDATE shop SET logo_url = 'ftp://x', social_links = '[{"network":"x","url":"http://x.example"}]'`);
    const { wrong, records } = await build({ maxLeftOut: 0 });
    expect(records).toMatchObject({ review: 20, product: 20, thread: 20 });
    const address = "must be an http(s) address without a password, a path from /, or empty";
    const blanks = "must be text, or empty, but not blanks";
    const conversions = "(docs/stores.md#values-of-another-type has the SQL)";
    const facts = wrong.map(({ file, column, problem, outcome, rows, ids }) => {
      expect(outcome).toBe("emptied");
      return [file, column, problem, rows, ids];
    });
    expect(facts).toEqual([
      ["forum.sql", "author_display_name", blanks, 1, [6]],
      ["forum.sql", "category_slug", expect.stringMatching(/^must be a slug/), 1, [6]],
      ["forum.sql", "replies", expect.stringMatching(/^must have a created_at that is a UTC date/), 1, [7]],
      ["forum.sql", "replies", expect.stringMatching(/^must have elements \{id/), 1, [7]],
      ["products.sql", "description_html", `must be text, not bytes ${conversions}`, 1, [5]],
      ["products.sql", "gallery", "must be a JSON array", 1, [4]],
      [
        "products.sql",
        "gallery",
        `must be a JSON array, not PostgreSQL's text of an array ${conversions}`,
        1,
        [8],
      ],
      ["products.sql", "gallery", "must have http(s) addresses only", 1, [3]],
      ["products.sql", "image", address, 1, [2]],
      ["reviews.sql", "body", `must be text, not a number ${conversions}`, 1, [7]],
      ["reviews.sql", "customer_avatar", address, 4, [3, 5, 8]],
      ["reviews.sql", "title", blanks, 1, [7]],
      ["store.sql", "logo_url", address, 1, []],
      ["store.sql", "social_links", expect.stringMatching(/^must have elements/), 1, []],
    ]);
    const lines = leftOutLines({ leftOut: {}, wrong, shortened: [] });
    expect(lines).toContain(
      `customer_avatar is left empty in 4 rows of reviews.sql (id 3, 5, 8, …): it ${address}`,
    );
    expect(JSON.stringify([wrong, lines])).not.toMatch(/javascript|secret/);
  });

  it("leaves the rest of its row unchanged", () => {
    const reviews = answer("reviews/page=1.json");
    const review = (id: number) => reviews.find((one: { id: number }) => one.id === id);
    expect(review(3)).toMatchObject({ customer_avatar: "", title: "Well", body: "It works" });
    expect(review(7)).toMatchObject({ customer_avatar: "https://a.example/7", title: "", body: "" });
    expect(answer("product/id=3.json").gallery).toEqual(["https://shop.example/a", "https://shop.example/c"]);
    expect(answer("product/id=4.json").gallery).toEqual([]);
    expect(answer("product/id=5.json")).toMatchObject({
      description: "",
      description_html: "",
      excerpt: "Short",
    });
    expect(answer("forum/slug=thread-6.json")).toMatchObject({ category: null, author_display_name: "" });
    const { replies, reply_count } = answer("forum/slug=thread-7.json");
    expect([replies.length, reply_count]).toEqual([1, 1]);
    expect(answer("store.json")).toMatchObject({ logo_url: "", social_links: [] });
    expect(existsSync(join(out, "site"))).toBe(true);
  });

  it("is no longer counted once it is right, and is reported by plan and by a build without changes", async () => {
    sql(
      "UPDATE reviews SET customer_avatar = '/a' WHERE id IN (3, 5); UPDATE products SET image = '/i' WHERE id = 2",
    );
    const report = await build({ maxLeftOut: 0 });
    expect(report.work).toBe("part");
    const of = (file: string, { wrong }: Pick<BuildReport, "wrong">) =>
      wrong.filter((one) => one.file === file).map(({ column, rows, ids }) => [column, rows, ids]);
    const expected = [
      ["body", 1, [7]],
      ["customer_avatar", 2, [8, 9]],
      ["title", 1, [7]],
    ];
    expect(of("reviews.sql", report)).toEqual(expected);
    expect(of("products.sql", report).map(([column]) => column)).not.toContain("image");
    const again = await build({ maxLeftOut: 0 });
    expect([again.work, again.wrong]).toEqual(["none", report.wrong]);
    const { inputs } = shop("planned");
    const plan = await planBuild({ ...inputs(), store: join(folder, "optional/plain.sqlite") }, planned());
    expect(plan.wrong).toEqual(report.wrong);
  });
});

describe("a wrong required value", () => {
  it.each([
    [0, 0.01, 0],
    [1, 0.01, 0],
    [1, 1, 0],
    [2, 0.01, 1],
    [100, 0.01, 1],
    [101, 0.01, 2],
    [100, 0.07, 7],
    [100, 1, 99],
    [1_000_000, 0, 0],
  ])("leaves out of %i rows with a share of %f at most %i", (rows, share, most) => {
    expect(maxLeftOutRows(rows, share)).toBe(most);
  });

  it("leaves its row and all that belongs to it out, counts it, and brings it back", async () => {
    const { sql, build, answer } = shop("required");
    await build();
    const reviews = answer("reviews/page=1.json").length;
    sql("UPDATE products SET price_minor = -1 WHERE id = 2; UPDATE reviews SET rating = 9 WHERE id = 4");
    const { work, wrong, leftOut, records } = await build();
    expect(work).toBe("part");
    expect(wrong).toEqual([
      {
        file: "products.sql",
        column: "price_minor",
        problem: "must be a whole number from 0",
        outcome: "left out",
        rows: 1,
        ids: [2],
      },
      {
        file: "reviews.sql",
        column: "rating",
        problem: "must be a whole number from 1 to 5",
        outcome: "left out",
        rows: 1,
        ids: [4],
      },
    ]);
    // Two reviews, a question and a release belong to the product.
    expect(leftOut).toEqual({ reviews: 2, faqs: 4, releases: 1 });
    expect(records).toMatchObject({ product: 19, review: reviews - 3 });
    expect(leftOutLines({ leftOut, wrong, shortened: [] })).toContain(
      "1 row of products.sql (id 2) left out: price_minor must be a whole number from 0",
    );
    sql("UPDATE products SET price_minor = 5 WHERE id = 2; UPDATE reviews SET rating = 5 WHERE id = 4");
    const fixed = await build();
    expect([fixed.work, fixed.wrong, fixed.leftOut]).toEqual(["part", [], {}]);
    expect(fixed.records).toMatchObject({ product: 20, review: reviews });
  });

  it("refuses the build if too many rows have one, as the rows are now", async () => {
    const { sql, build, inputs } = shop("limit");
    await build();
    sql("UPDATE reviews SET rating = 9 WHERE id = 4");
    await build();
    sql("UPDATE reviews SET rating = 0 WHERE id = 5");
    const message = await build().catch(messageOf);
    expect(message).toContain(
      "reviews.sql: 2 rows are wrong, more than the 1 of 20 that may be left out (rows.maxLeftOut)\n" +
        "  rating must be a whole number from 1 to 5: 2 rows, ids 4, 5; id 4 has 9\n",
    );
    await expect(planBuild(inputs(), planned())).rejects.toThrow(message as string);
    expect((await build({ maxLeftOut: 0.1 })).records.review).toBe(18);
    await expect(build({ maxLeftOut: 0.05 })).rejects.toMatchObject({ code: "rows_invalid", exitCode: 3 });
    sql("UPDATE reviews SET rating = 1 WHERE id = 4");
    expect((await build()).records.review).toBe(19);
    // One row is too many in a file that has lost most others.
    sql("DELETE FROM reviews WHERE id NOT IN (5)");
    await expect(build()).rejects.toThrow("reviews.sql: 1 row is wrong, more than the 0 of 1");
  });

  it("refuses the build if a row has no id, or the file has only one row", async () => {
    const { sql, build } = shop("refused");
    for (const [change, undo, message] of [
      [
        "UPDATE faqs SET id = NULL WHERE id = 3",
        "UPDATE faqs SET id = 3 WHERE id IS NULL",
        "id must be a whole number",
      ],
      ["UPDATE blog SET id = 4 WHERE id = 3", "UPDATE blog SET id = 3 WHERE rowid = 3", "id must be unique"],
      [
        "DELETE FROM shop",
        "INSERT INTO shop VALUES ('', '[]')",
        "store_name must be given by exactly one row",
      ],
    ] as const) {
      sql(change);
      await expect(build({ maxLeftOut: 1 })).rejects.toThrow(message);
      sql(undo);
      await build({ maxLeftOut: 1 });
    }
  });

  it("of a slug is reported for the later of two rows, whichever existed first", async () => {
    const { sql, build } = shop("slugs");
    await build();
    sql("UPDATE products SET slug = 'thing-9' WHERE id = 3");
    const { wrong, records } = await build();
    expect(wrong).toMatchObject([
      { column: "slug", problem: "must be unique", outcome: "left out", ids: [9] },
    ]);
    expect(records.product).toBe(19);
    sql("UPDATE products SET price_minor = 7 WHERE id = 3");
    expect((await build()).work).toBe("part");
    sql("UPDATE products SET slug = 'thing-3' WHERE id = 3");
    expect(await build()).toMatchObject({ wrong: [], records: { product: 20 } });
  });
});

describe("a product that is hidden and shown again", () => {
  it("has its reviews again, also if their SQL does not select by product", async () => {
    const { sql, build } = shop("hidden");
    await build();
    sql("CREATE TABLE hidden AS SELECT * FROM products WHERE id = 2; DELETE FROM products WHERE id = 2");
    expect(await build()).toMatchObject({ work: "part", leftOut: { reviews: 2 }, records: { review: 18 } });
    sql("INSERT INTO products SELECT * FROM hidden");
    expect(await build()).toMatchObject({ work: "part", leftOut: {}, records: { review: 20 } });
  });
});

/** Values to insert anywhere: right for some columns, wrong for others. */
const VALUES = [
  ...[
    "NULL",
    "-1",
    "0",
    "1",
    "2",
    "5",
    "''",
    "'  '",
    "'No Slug!'",
    "'thing-1'",
    "'thing-2'",
    "'shelf-1'",
    "'post-1'",
  ],
  ...[
    "'javascript:alert(1)'",
    "'https://x.example/'",
    "'[]'",
    `'["/x", 5]'`,
    "'[{}]'",
    "'<p>Hi</p>'",
    "x'00'",
  ],
  ...[
    "'published'",
    "'coming_soon'",
    "'EUR'",
    "'2026-02-30 00:00:00'",
    "'2026-02-03 00:00:00'",
    "9999",
    "1.5",
  ],
];

/** Changes one value of a row to anything or back to the original, or deletes a row or restores it. */
function editAtRandom(random: Random): string {
  const table = PLAIN_TABLES[random(PLAIN_TABLES.length)] ?? "";
  const columns = columnsOfTable(table).filter((name) => name !== "id");
  const column = columns[random(columns.length)] ?? "";
  const id = 1 + random(table === "categories" ? 4 : 20);
  switch (random(8)) {
    case 0:
      return `DELETE FROM ${table} WHERE id = ${id}`;
    case 1:
    case 2:
    case 3:
    case 4:
      return `DELETE FROM ${table} WHERE id = ${id}; INSERT INTO ${table} SELECT * FROM first.${table} WHERE id = ${id}`;
    default:
      return `UPDATE ${table} SET ${column} = ${VALUES[random(VALUES.length)]} WHERE id = ${id}`;
  }
}

describe("a build of what changed", { timeout: 600_000 }, () => {
  it("leaves out, empties and counts what a build from scratch does, and refuses what that refuses", async () => {
    const { store, out, inputs } = shop("walk");
    const first = join(folder, "walk/first.sqlite");
    cpSync(store, first);
    const clean = join(folder, "walk/clean");
    const random = seededRandom(Number(process.env["EDIT_SEED"] ?? 1));
    const seen: string[] = [];
    for (let step = 0; step < Number(process.env["EDIT_STEPS"] ?? 5) * 3; step++) {
      const edits = Array.from({ length: 1 + random(3) }, () => editAtRandom(random));
      const db = new Database(store);
      db.exec(`ATTACH '${first}' AS first; ${edits.join(";")}`);
      db.close();
      const options = inputs({ maxLeftOut: 0.3 });
      const where = `step ${step}: ${edits.join("; ")}`;
      rmSync(clean, { recursive: true, force: true });
      const whole = await buildQuietly({ ...options, out: clean }).catch(messageOf);
      const made = await runBuild(options, SILENT).catch(messageOf);
      if (typeof whole === "string" || typeof made === "string") {
        seen.push("refused");
        expect(made, where).toBe(whole);
        continue;
      }
      seen.push(made.work, ...made.wrong.map(({ outcome }) => outcome));
      for (const fact of ["records", "leftOut", "wrong", "summary"] as const)
        expect(made[fact], where).toEqual(whole[fact]);
      const [a, b] = [out, clean].map(
        (place) =>
          new Map([...readTree(join(place, "site"))].map(([key, bytes]) => [key, withoutTime(bytes)])),
      );
      expect(a, where).toEqual(b);
    }
    expect([...new Set(seen)].sort()).toEqual(
      expect.arrayContaining(["part", "emptied", "left out", "whole"]),
    );
  });
});
