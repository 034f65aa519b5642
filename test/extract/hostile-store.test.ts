import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ExtractReport } from "../../src/extract/extract-report.ts";
import { Problems } from "../../src/extract/problems.ts";
import { reading } from "../../src/extract/record-maker.ts";
import { RowReader } from "../../src/extract/row-reader.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { DEMO_CONFIG, NOW, seedSmall, temporaryFolder } from "../support/shop.ts";
import { SCRIPTS, SHAPES } from "./support/hostile-texts.ts";
import { readPage } from "./support/safe-page.ts";

const folder = temporaryFolder();
const store = seedSmall(folder);
/** Every text of the demo store that its users write and everybody may read. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  products: ["name", "excerpt", "short_description", "description_html"],
  categories: ["name", "description"],
  reviews: ["title", "body", "display_name"],
  faqs: ["question", "answer_html"],
  releases: ["version", "title", "notes_html"],
  blog_posts: ["title", "excerpt", "content_html"],
  threads: ["title"],
  posts: ["body_html"],
  users: ["display_name"],
  subforums: ["name"],
  forum_categories: ["name"],
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u;

/** Puts one of the texts into every column, another in each row and column. */
function fillStore(texts: readonly string[], columnsOf: Readonly<Record<string, readonly string[]>>): void {
  const db = new Database(store);
  db.pragma("foreign_keys = OFF");
  db.pragma("ignore_check_constraints = ON");
  db.function("hostile", { varargs: false }, (at: unknown) => texts[Number(at) % texts.length] ?? "");
  let salt = 0;
  for (const [table, columns] of Object.entries(columnsOf)) {
    for (const column of columns) {
      salt += 7;
      db.exec(`UPDATE ${table} SET ${column} = 'x' || hostile(rowid + ${salt})`);
    }
  }
  db.close();
}

async function extractTo(name: string): Promise<{ report: ExtractReport; fragments: unknown[] }> {
  const file = join(folder, name);
  const inputs = { store, queries: "templates/queries", config: DEMO_CONFIG, now: NOW };
  const report = await extractTemporarily(inputs, file);
  const db = new Database(file, { readonly: true });
  const tables = db.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE name GLOB '*_list' OR name GLOB '*_added'",
  );
  const fragments = tables
    .pluck()
    .all()
    .flatMap((table) => db.prepare<[], string>(`SELECT json FROM ${table}`).pluck().all())
    .map((json) => JSON.parse(json) as unknown);
  db.close();
  return { report, fragments };
}

/** All texts of a value, each with its field. */
function* textsOf(value: unknown, field = ""): IterableIterator<readonly [string, string]> {
  if (typeof value === "string") yield [field, value];
  else if (Array.isArray(value)) for (const element of value) yield* textsOf(element, field);
  else if (typeof value === "object" && value !== null) {
    for (const [name, below] of Object.entries(value)) yield* textsOf(below, name);
  }
}

describe("a store with a script in every text", { timeout: 300_000 }, () => {
  it("makes a catalog without one", async () => {
    fillStore(SCRIPTS, TEXTS);
    const { report, fragments } = await extractTo("scripts.sqlite");
    expect(Object.keys(report.records)).toHaveLength(7);
    let pages = 0;
    for (const [field, text] of textsOf(fragments)) {
      expect(text).not.toMatch(UNPRINTABLE);
      if (!field.endsWith("_html")) continue;
      pages += 1;
      expect(readPage(text).problems).toEqual([]);
    }
    const { product = 0, post = 0, thread = 0, faq = 0 } = report.records;
    expect(pages).toBeGreaterThan(product + post + thread + faq);
  });
});

describe("a store with a hundred thousand characters of every shape in its longest texts", {
  timeout: 300_000,
}, () => {
  it("makes a catalog", async () => {
    const texts = Object.values(SHAPES).map((make) => make(100_000));
    const some = `id IN (SELECT id FROM posts WHERE post_number = 1 ORDER BY id LIMIT ${texts.length})`;
    fillStore(["short"], { posts: ["body_html"], products: ["description_html"] });
    const db = new Database(store);
    db.function("hostile", (at: unknown) => texts[Number(at) % texts.length] ?? "");
    db.exec(`UPDATE posts SET body_html = hostile(rowid) WHERE ${some};
      UPDATE products SET description_html = hostile(rowid) WHERE id <= ${texts.length}`);
    db.close();
    const { report, fragments } = await extractTo("shapes.sqlite");
    expect(report.records.thread).toBeGreaterThan(20);
    const longest = Math.max(...[...textsOf(fragments)].map(([, text]) => text.length));
    expect(longest).toBeGreaterThan(100_000);
    expect(longest).toBeLessThan(700_000);
  });
});

describe("a row whose reading throws", () => {
  const rows = [
    [1, "a"],
    [2, "b"],
    [3, "c"],
  ];

  async function readWith(error: Error): Promise<Problems> {
    const problems = new Problems();
    const around = { siteUrl: DEMO_CONFIG.siteUrl, shapes: new Map(), gathers: [], overall: new Map() };
    const reader = new RowReader("blog", ["id", "title"], problems, around);
    rows.forEach((row, at) => {
      reader.open(row, at + 1);
      reading(reader, () => {
        reader.id();
        if (reader.name("title") === "b") throw error;
      });
    });
    return problems;
  }

  it("is reported with file, column and id", async () => {
    const problems = await readWith(new RangeError("Maximum call stack size exceeded"));
    problems.refuse("blog.sql", "");
    expect(() => problems.throwIfRefused()).toThrow(
      "blog.sql: 1 row is wrong\n  title cannot be read: 1 row, id 2; id 2 has Maximum call stack size exceeded\n",
    );
  });

  it("is not blamed for a full disk", async () => {
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    await expect(readWith(full)).rejects.toThrow("database or disk is full");
  });
});
