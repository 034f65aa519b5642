import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../scripts/seed/canary.ts";
import { TABLES } from "../scripts/seed/columns.ts";
import { formsAmong } from "../src/api/forms.ts";
import {
  CHINOOK_QUERIES,
  COLUMNS,
  LATER,
  NOW,
  openStores,
  type Row,
  STORE_QUERIES,
  type Stores,
  sqlOf,
} from "./store-fixture.ts";

const NULLABLE = new Set(
  (
    "sale_price_minor preorder_price_minor extended_price_minor sale_price preorder_price extended_price " +
    "category_slug category_name next_change_at"
  ).split(" "),
);
/** Tables that no file of the allow-list may name. */
const PRIVATE_TABLES = Object.keys(TABLES).filter((table) => TABLES[table]?.public.length === 0);

let stores: Stores;
beforeAll(() => {
  stores = openStores();
});
afterAll(() => stores.close());

const answer: Stores["answer"] = (...args) => stores.answer(...args);
const bySlug: Stores["bySlug"] = (...args) => stores.bySlug(...args);
const values: Stores["values"] = (sql) => stores.values(sql);

const selling = "status price_minor sale_price_minor preorder_price_minor";
/** slug, then the columns above, at the demo's own moment. */
const OFFERS: readonly (readonly [string, string, number, number | null, number | null])[] = [
  ["sale-active", "published", 10_000, 7500, null],
  ["sale-by-percent", "published", 9999, 6699, null],
  ["sale-without-end", "published", 10_000, 6500, null],
  ["sale-to-nothing", "published", 10_000, 0, null],
  ["sale-overlapping", "published", 10_000, 7000, null],
  ["sale-in-five-seconds", "published", 10_000, null, null],
  ["sale-begins-now", "published", 10_000, 5100, null],
  ["sale-ends-soon", "published", 10_000, 5200, null],
  ["sale-ends-now", "published", 10_000, null, null],
  ["sale-ended", "published", 10_000, null, null],
  ["sale-in-2099", "published", 999_900, null, null],
  ["sale-switched-off", "published", 999_900, null, null],
  ["sale-for-some", "published", 999_900, null, null],
  ["sale-for-some-soon", "published", 999_900, null, null],
  ["sale-never-to-be", "published", 999_900, null, null],
  ["sale-dearer-than-regular", "published", 10_000, null, null],
  ["preorder-open", "preorder", 4900, null, 2900],
  ["preorder-at-regular-price", "preorder", 4900, null, null],
  ["preorder-on-sale", "preorder", 4900, 3900, 2900],
  ["preorder-closed", "coming_soon", 4900, null, null],
  ["preorder-released", "published", 4900, null, null],
  ["preorder-released-early", "published", 4900, null, null],
  ["preorder-paused", "coming_soon", 4900, null, null],
  ["preorder-cancelled", "coming_soon", 4900, null, null],
  ["preorder-opens-soon", "coming_soon", 4900, null, null],
  ["preorder-opens-in-2099", "coming_soon", 4900, null, null],
  ["coming-soon", "coming_soon", 4900, null, null],
  ["coming-soon-without-price", "coming_soon", 0, null, null],
  ["coming-on-friday", "coming_soon", 4900, null, null],
  ["came-yesterday", "published", 4900, null, null],
  ["free-for-all", "published", 0, null, null],
];

describe("products.sql", () => {
  it.each(OFFERS)("gives %s the right prices and status", (slug, ...expected) => {
    const row = bySlug("products", slug);
    expect(selling.split(" ").map((name) => row?.[name])).toEqual(expected);
  });

  it("follows the clock", () => {
    expect(bySlug("products", "scheduled-tomorrow")).toBeUndefined();
    expect(bySlug("products", "scheduled-tomorrow", "2026-06-02 00:00:00")).toBeDefined();
    expect(bySlug("products", "scheduled-and-due")).toBeDefined();
    expect(bySlug("products", "published-this-second")).toBeDefined();
    expect(bySlug("products", "sale-in-five-seconds", "2026-06-01 00:00:05")?.sale_price_minor).toBe(5000);
    expect(bySlug("products", "coming-on-friday", LATER)?.status).toBe("published");
    expect(bySlug("products", "preorder-opens-soon", LATER)?.status).toBe("preorder");
  });

  it("has the extended licence while it is sold, and only public pictures", () => {
    expect(Number(bySlug("products", "extended-licence")?.extended_price_minor)).toBeGreaterThan(3900);
    expect(bySlug("products", "retired-extended-licence")?.extended_price_minor).toBeNull();
    const pictured = answer(STORE_QUERIES, "products").filter((row) => row.gallery !== "[]");
    for (const row of pictured) {
      const urls = JSON.parse(String(row.gallery)) as string[];
      expect(urls).toEqual(urls.toSorted());
      expect(row.image).toBe(urls[0]);
    }
    expect(bySlug("products", "bare-minimum")).toMatchObject({
      image: "",
      gallery: "[]",
      demo_url: "",
      excerpt: "",
    });
  });

  it("puts each product into one visible category", () => {
    const visible = new Set(answer(STORE_QUERIES, "categories").map((row) => row.id));
    const products = answer(STORE_QUERIES, "products");
    expect(products.filter((row) => !visible.has(row.category_id ?? null))).toEqual([]);
    expect(new Set(products.map((row) => row.id)).size).toBe(products.length);
    expect(bySlug("products", "out-of-the-vault")?.category_id).toBe(1);
  });
});

describe("records that belong to products", () => {
  it.each(["reviews", "releases", "faqs"])("%s are of public products only", (name) => {
    const products = new Set<unknown>(answer(STORE_QUERIES, "products").map((row) => row.id));
    const rows = answer(STORE_QUERIES, name);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => row.product_id !== null && !products.has(row.product_id))).toEqual([]);
  });

  it("names a reviewer only as they wish, without a picture if there is no name", () => {
    const anonymous = answer(STORE_QUERIES, "reviews").filter(
      (row) => row.customer_display_name === "Anonymous",
    );
    expect(anonymous.map((row) => row.title)).toEqual(
      expect.arrayContaining(["By nobody in particular", "By a blank"]),
    );
    expect(anonymous.filter((row) => row.customer_avatar !== "")).toEqual([]);
  });

  it("marks verified purchases", () => {
    const reviews = answer(STORE_QUERIES, "reviews");
    expect(reviews.find((row) => row.title === "Bought it")?.verified_purchase).toBe(1);
    expect(reviews.find((row) => row.title === "Did not buy it")?.verified_purchase).toBe(0);
  });

  it("lists the releases that have appeared", () => {
    const of12 = (now: string): unknown[] =>
      answer(STORE_QUERIES, "releases", now)
        .filter((row) => row.product_id === 12)
        .map((row) => row.version);
    expect(of12(NOW)).toEqual(["3.2.1", "3.1.0", "3.0.0-beta.1+build.5", "3.2.1.1"]);
    expect(of12(LATER)).toContain("3.2.2");
  });

  it("shows a post when its time has come", () => {
    expect(bySlug("blog", "scheduled-for-tomorrow")).toBeUndefined();
    expect(bySlug("blog", "scheduled-for-tomorrow", LATER)).toBeDefined();
    expect(bySlug("blog", "scheduled-and-due")).toBeDefined();
    expect(bySlug("blog", "an-empty-password")).toBeDefined();
  });
});

interface Reply {
  readonly id: number;
  readonly author_display_name: string;
  readonly is_solution: boolean;
  readonly created_at: string;
}

describe("forum.sql", () => {
  const replies = (slug: string): Reply[] => JSON.parse(String(bySlug("forum", slug)?.replies)) as Reply[];

  it("is solved only while the solution can be read", () => {
    expect(bySlug("forum", "solved")?.solved).toBe(1);
    expect(replies("solved").map((reply) => reply.is_solution)).toEqual([true, false]);
    expect(bySlug("forum", "solution-deleted")).toMatchObject({ solved: 0, replies: "[]" });
    expect(bySlug("forum", "solution-hidden")?.solved).toBe(0);
  });

  it("leaves whispers and deleted posts out of replies and of last activity", () => {
    for (const slug of ["whispers", "late-deleted"]) {
      expect(replies(slug)).toHaveLength(1);
      expect(bySlug("forum", slug)?.last_activity_at).toBe(replies(slug)[0]?.created_at);
    }
  });

  it("names no author without a display name, and no hidden category", () => {
    expect(bySlug("forum", "nameless")?.author_display_name).toBe("Anonymous");
    expect(replies("nameless").map((reply) => reply.author_display_name)).toEqual(["Anonymous", "Anonymous"]);
    expect(bySlug("forum", "hidden-category")).toMatchObject({ category_slug: null, category_name: null });
    expect(bySlug("forum", "opening-hidden")).toBeUndefined();
  });

  it("keeps replies in the order of the thread, not of their ids", () => {
    stores.store.exec("BEGIN");
    stores.store.exec("UPDATE posts SET post_number = 1000 - post_number WHERE post_number > 1");
    const lists = answer(STORE_QUERIES, "forum").map((row) => JSON.parse(String(row.replies)) as Reply[]);
    stores.store.exec("ROLLBACK");
    expect(lists.some((list) => list.length > 3)).toBe(true);
    for (const ids of lists.map((list) => list.map((reply) => reply.id))) {
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    }
  });
});

/** At a moment, the next at which the clock changes an answer, and by what. */
const CHANGES: readonly (readonly [now: string, next: string, by: string])[] = [
  [NOW, "2026-06-01 00:00:05", "a sale begins; those handed over at +1 s and +2 s change nothing"],
  ["2026-06-01 00:00:05", "2026-06-01 01:00:00", "a sale ends"],
  ["2026-06-01 01:00:00", "2026-06-02 00:00:00", "a product and a post appear"],
  ["2026-06-02 00:00:00", "2026-06-03 00:00:00", "a preorder opens"],
  ["2026-06-03 00:00:00", "2026-06-04 00:00:00", "a release is out"],
  ["2026-06-04 00:00:00", "2026-06-05 00:00:00", "what was announced is released"],
  [LATER, "2098-03-01 09:00:00", "the next announcement"],
  ["2098-03-01 09:00:00", "2099-01-01 00:00:00", "what is planned for 2099"],
  ["2099-01-01 00:00:00", "2099-12-31 23:59:59", "the end of the long sales"],
];

describe("next_change.sql", () => {
  it.each(CHANGES)("after %s says %s: %s", (now, next) => {
    expect(answer(STORE_QUERIES, "next_change", now)).toEqual([{ next_change_at: next }]);
  });

  it("says nothing when nothing is ahead", () => {
    expect(answer(STORE_QUERIES, "next_change", "2100-01-01 00:00:00")).toEqual([{ next_change_at: null }]);
    expect(answer(CHINOOK_QUERIES, "next_change")).toEqual([{ next_change_at: null }]);
  });

  it("names the second between two different answers, and no other", () => {
    const all = (now: string): string =>
      JSON.stringify(
        ["products", "reviews", "faqs", "releases", "blog", "forum"].map((name) =>
          answer(STORE_QUERIES, name, now),
        ),
      );
    const secondBefore = (time: string): string =>
      values(`SELECT datetime('${time}', '-1 second') AS time`)[0]?.time as string;
    for (const [now, next] of CHANGES) {
      expect(all(secondBefore(next))).toBe(all(now));
      expect(all(next)).not.toBe(all(now));
    }
  });

  it("is not changed by hidden rows", () => {
    stores.store.exec("BEGIN");
    const hidden = "(SELECT id FROM products WHERE slug LIKE 'cnry%')";
    stores.store.exec(
      `UPDATE sale_windows SET starts_at = '2026-06-01 00:00:01' WHERE product_id IN ${hidden}`,
    );
    stores.store.exec(`UPDATE products SET release_at = '2026-06-01 00:00:01' WHERE id IN ${hidden}`);
    stores.store.exec(
      `UPDATE releases SET published_at = '2026-06-01 00:00:01' WHERE product_id IN ${hidden}`,
    );
    stores.store.exec(
      "UPDATE blog_posts SET published_at = '2026-06-01 00:00:01' WHERE status IN ('draft', 'private')",
    );
    const next = answer(STORE_QUERIES, "next_change");
    stores.store.exec("ROLLBACK");
    expect(next).toEqual([{ next_change_at: "2026-06-01 00:00:05" }]);
  });
});

it("the condition for a public product is written once", () => {
  // What changed.sql counts makes nothing public.
  const files = readdirSync(STORE_QUERIES).filter((file) => file !== "changed.sql");
  const rule = files.filter((file) =>
    readFileSync(`${STORE_QUERIES}/${file}`, "utf8").includes("p.visibility ="),
  );
  expect(rule).toEqual(["_views.sql"]);
});

describe.each([
  ["the demo store", STORE_QUERIES],
  ["Chinook", CHINOOK_QUERIES],
])("the allow-list of %s", (_name, queries) => {
  const names = Object.keys(COLUMNS);

  it("is one file per resource", () => {
    const others = ["_views.sql", "changed.sql"];
    const files = readdirSync(queries).filter((file) => !others.includes(file));
    expect(files.toSorted()).toEqual(names.map((name) => `${name}.sql`).toSorted());
  });

  it.each(names)("%s.sql gives exactly its columns, one value or NULL where that is allowed", (name) => {
    const db = queries === STORE_QUERIES ? stores.store : stores.chinook;
    const columns = db.prepare(sqlOf(queries, name)).columns();
    const given = columns.map((column) => column.name);
    expect(given).toEqual((COLUMNS[name] ?? "").split(" ").flatMap((column) => formsAmong(column, given)));
    const isAllowed = (key: string): boolean =>
      NULLABLE.has(key) || (name === "faqs" && key === "product_id");
    const missing = answer(queries, name).flatMap((row) =>
      Object.keys(row).filter((key) => row[key] === null && !isAllowed(key)),
    );
    expect(missing).toEqual([]);
  });

  it.each(names)("%s.sql names its columns and no private table", (name) => {
    const sql = sqlOf(queries, name).replace(/--.*$/gm, "");
    expect(sql).not.toMatch(/(SELECT|,|\.)\s*\*/i);
    const sources = [...sql.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].map((match) => match[1] ?? "");
    const banned =
      queries === STORE_QUERIES ? PRIVATE_TABLES : ["Customer", "Invoice", "InvoiceLine", "Employee"];
    expect(sources.filter((source) => banned.includes(source))).toEqual([]);
  });

  it.each([NOW, LATER, "2098-12-31 00:00:00"])("contains no canary at %s", (now) => {
    const leaks = names
      .filter((name) => name !== "next_change")
      .flatMap((name) => answer(queries, name, now).map((row) => JSON.stringify(row)))
      .filter((text) => CANARY_TEXT.test(text) || CANARY_NUMBER.test(text) || text.includes("must-not-show"));
    // Chinook has other numbers and names, and no canaries: only its columns are tested.
    expect(queries === STORE_QUERIES ? leaks : []).toEqual([]);
  });

  it.each(["categories", "products", "blog", "forum"])(
    "%s.sql gives unique ids, and unique slugs that follow the rule, or their sources",
    (name) => {
      const rows = answer(queries, name);
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
      if (rows.every((row) => row["slug_source"])) return;
      expect(new Set(rows.map((row) => row.slug)).size).toBe(rows.length);
      expect(rows.filter((row) => !/^[a-z0-9][a-z0-9._-]{0,149}$/.test(String(row.slug)))).toEqual([]);
    },
  );

  it("uses slugs for types, and the three public states", () => {
    const products = answer(queries, "products");
    const kinds = products.flatMap((row) => row.type ?? []);
    expect(kinds.filter((kind) => !/^[a-z0-9][a-z0-9._-]{0,149}$/.test(String(kind)))).toEqual([]);
    const states = new Set(products.map((row) => row.status));
    expect(["coming_soon", "preorder", "published"]).toEqual(expect.arrayContaining([...states]));
    const types = answer(queries, "faqs").map((row) => String(row.type));
    expect(types.filter((type) => !/^[a-z0-9][a-z0-9._-]{0,149}$/.test(type))).toEqual([]);
  });
});

describe("Chinook", () => {
  it("sells every track, and every album for the sum of its tracks", () => {
    const products = answer(CHINOOK_QUERIES, "products");
    const albums = products.filter((row) => row["type_source"] === "bundle");
    const total = (rows: Row[]): number =>
      rows.reduce((sum, row) => sum + Math.round(Number(row.price) * 100), 0);
    expect(products).toHaveLength(3503 + 347);
    expect(albums).toHaveLength(347);
    expect(total(albums) * 2).toBe(total(products));
  });

  it("contains nothing of customers and employees", () => {
    const text = Object.keys(COLUMNS)
      .map((name) => JSON.stringify(answer(CHINOOK_QUERIES, name)))
      .join("\n");
    const people = stores.chinook
      .prepare<[], Row>(
        "SELECT Email, Phone, Address FROM Customer UNION SELECT Email, Phone, Address FROM Employee",
      )
      .all();
    const leaks = people
      .flatMap((row) => Object.values(row))
      .filter((value) => value !== null && text.includes(String(value)));
    expect(people.length).toBeGreaterThan(60);
    expect(leaks).toEqual([]);
  });
});
