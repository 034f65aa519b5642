/** A catalog with the parts that feeds read, full of records that no shop would have. */
import Database from "better-sqlite3";
import fc from "fast-check";
import type { PublicConfig } from "../../../src/api/config.ts";
import type { BlogPost, Product, ProductDetail, Release, Store } from "../../../src/api/types.ts";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { SMALL_CONFIG } from "../../support/shop.ts";

const FEEDS_CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  baseUrl: "https://api.shop.example/api/v1",
  siteUrl: "https://shop.example",
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true },
};

export interface Records {
  readonly products: readonly ProductDetail[];
  readonly releases?: readonly Release[];
  readonly posts?: readonly BlogPost[];
  readonly store: Pick<Store, "store_name" | "tagline" | "description" | "public_url">;
}

export function catalogOf({ products, releases = [], posts = [], store }: Records): Catalog {
  const db = new Database(":memory:");
  db.exec(`
    CREATE TABLE product (id INTEGER PRIMARY KEY, created_at TEXT, updated_at TEXT);
    CREATE TABLE product_list (id INTEGER PRIMARY KEY, json TEXT); CREATE TABLE product_added (id INTEGER PRIMARY KEY, json TEXT);
    CREATE TABLE release (id INTEGER PRIMARY KEY, release_date TEXT); CREATE TABLE release_list (id INTEGER PRIMARY KEY, json TEXT);
    CREATE TABLE post (id INTEGER PRIMARY KEY, published_at TEXT); CREATE TABLE post_list (id INTEGER PRIMARY KEY, json TEXT);
    CREATE TABLE category (id INTEGER PRIMARY KEY); CREATE TABLE category_list (id INTEGER PRIMARY KEY, json TEXT);
    CREATE TABLE review (id INTEGER PRIMARY KEY); CREATE TABLE faq (id INTEGER PRIMARY KEY);
    CREATE TABLE thread (id INTEGER PRIMARY KEY)`);
  for (const { gallery, description, description_html, faqs, latest_release, ...list } of products) {
    const { id, created_at, updated_at } = list;
    db.prepare("INSERT INTO product VALUES (?, ?, ?)").run(id, created_at, updated_at);
    db.prepare("INSERT INTO product_list VALUES (?, ?)").run(id, JSON.stringify(list));
    const added = { gallery, description, description_html, faqs, latest_release };
    db.prepare("INSERT INTO product_added VALUES (?, ?)").run(id, JSON.stringify(added));
  }
  for (const [at, release] of releases.entries()) {
    db.prepare("INSERT INTO release VALUES (?, ?)").run(at, release.release_date);
    db.prepare("INSERT INTO release_list VALUES (?, ?)").run(at, JSON.stringify(release));
  }
  for (const post of posts) {
    db.prepare("INSERT INTO post VALUES (?, ?)").run(post.id, post.published_at);
    db.prepare("INSERT INTO post_list VALUES (?, ?)").run(post.id, JSON.stringify(post));
  }
  for (const name of ["product", "release", "post", "category"])
    db.exec(`CREATE TABLE ${name}_digest (id INTEGER PRIMARY KEY, list BLOB, detail BLOB);
      INSERT INTO ${name}_digest SELECT id, zeroblob(16), zeroblob(16) FROM ${name}`);
  const list = (name: string) => ({
    ids: Float64Array.from(db.prepare<[], number>(`SELECT id FROM ${name} ORDER BY id`).pluck().all()),
  });
  const detail = (_: unknown, id: number) => {
    const [list, added] = ["list", "added"].map((table) =>
      db.prepare<[number], string>(`SELECT json FROM product_${table} WHERE id = ?`).pluck().get(id),
    );
    return list === undefined ? null : `${list.slice(0, -1)},${added?.slice(1)}`;
  };
  return { db, config: FEEDS_CONFIG, store, detail, list } as unknown as Catalog;
}

/** Texts that break formats: separators, markup, halves of characters, direction marks, and far too long ones. */
const TEXT = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 3, arbitrary: fc.string({ maxLength: 80 }) },
  fc.constantFrom(
    ...["", " ", "tab\there\r\nand a line", '"quoted", "twice"', "]]><script>alert(1)</script>", "&amp;&lt;"],
    ...["half \ud83d", "\udc00 half", "\u0000\u0008\u000b\u001f\u007f\ufffe\uffff", "\u202eright to left"],
    ...[
      "x".repeat(5000),
      "😀".repeat(2600),
      `${"y".repeat(149)}😀`,
      "-->",
      "</script><!--",
      "\u2028\u2029",
      "=1+1",
    ],
  ),
);
const ADDRESS = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1 }).map((at) => `https://shop.example/media/${at}.png`) },
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    ...[
      "",
      "/media/a.png",
      "a.png",
      "//shop.example/a.png",
      "data:image/png;base64,AA",
      "javascript:alert(1)",
    ],
    ...["https://shop.example/a.svg", "https://shop.example/a.png?x=1&y=<2>", "https://shop.example/a,b.JPG"],
    ...[
      "https://shop.example/ä ö.webp",
      "https://münchen.example/a.png",
      `https://shop.example/${"z".repeat(2500)}.png`,
    ],
    ...[
      "https://shop.example/%zz|^`{}\\.gif",
      "http://[::1]/a.bmp",
      "https://shop.example/no-extension",
      "https://",
    ],
  ),
);
const CURRENCY = fc.constantFrom(
  ...["EUR", "USD", "JPY", "KWD", "IQD", "COP", "HUF", "CLF", "XAU", "XTS", "XXX", "ISK", "BHD", "XAF"],
);
const AMOUNT = fc.oneof(
  fc.integer({ min: 0, max: 10_000_000 }).map((minor) => minor / 100),
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.constantFrom(0, 0.005, 1.005, 29.99, 0.1 + 0.2, 9_007_199_254_740, 1e15),
);
const TIME = fc.constantFrom("2026-01-31 23:59:59", "1999-12-31 00:00:00", "2026-11-20 12:00:00");

export const PRODUCT: fc.Arbitrary<ProductDetail> = fc
  .record({
    title: TEXT,
    excerpt: TEXT,
    description_short: TEXT,
    description: TEXT,
    name: TEXT,
    image: ADDRESS,
    public_url: ADDRESS,
    gallery: fc.array(ADDRESS, { maxLength: 13 }),
    currency: CURRENCY,
    status: fc.constantFrom<Product["status"]>(
      "published",
      "published",
      "published",
      "coming_soon",
      "preorder",
    ),
    regular: AMOUNT,
    sale: fc.option(AMOUNT),
    preorder: fc.option(AMOUNT),
    time: TIME,
    updated: TIME,
    count: fc.nat(3),
    average: fc.integer({ min: 100, max: 500 }).map((hundredths) => hundredths / 100),
    questions: fc.array(fc.record({ question: TEXT, answer: TEXT }), { maxLength: 3 }),
  })
  .map(({ name, regular, sale, preorder, currency, time, updated, count, average, questions, ...rest }) => ({
    ...rest,
    id: 0,
    slug: "a",
    type: "script",
    price: regular,
    sale_price: sale,
    currency,
    category: { id: 1, name, slug: "b", description: "", product_count: 1, url: "" },
    rating_summary: { average: count === 0 ? 0 : average, best: 5, worst: 1, count },
    review_count: count,
    demo_url: "",
    docs_url: "",
    created_at: time,
    updated_at: updated,
    pricing: {
      regular,
      sale,
      preorder,
      extended: regular,
      currency,
      current: (rest.status === "preorder" ? preorder : null) ?? sale ?? regular,
    },
    description_html: "",
    latest_release: null,
    faqs: questions.map((question, id) => ({ ...question, id, product_id: 1 })) as never,
  }));

export const RECORDS: fc.Arbitrary<Records> = fc
  .record({
    products: fc.array(PRODUCT, { minLength: 1, maxLength: 30 }),
    releases: fc.array(
      fc.record({ title: TEXT, notes: TEXT, version: TEXT, product_title: TEXT, url: ADDRESS, time: TIME }),
      { maxLength: 60 },
    ),
    posts: fc.array(fc.record({ title: TEXT, excerpt: TEXT, url: ADDRESS, time: TIME, updated: TIME }), {
      maxLength: 5,
    }),
    store: fc.record({
      store_name: TEXT.filter((text) => /[a-z]/i.test(text)),
      tagline: TEXT,
      description: TEXT,
      public_url: ADDRESS,
    }),
  })
  .map(({ products, releases, posts, store }) => ({
    store,
    products: products.map((product, at) => ({ ...product, id: at + 1 })),
    releases: releases.map(({ url, time, ...release }) => ({
      ...release,
      product_id: 1,
      release_date: time,
      public_url: url,
    })),
    posts: posts.map(({ url, time, updated, ...post }, at) => ({
      ...post,
      id: at + 1,
      slug: `post-${at}`,
      image: "",
      url,
      published_at: time,
      updated_at: updated,
    })),
  }));
