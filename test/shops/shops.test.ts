/** The allow-lists of shops that people run: on their own tables, with a row in each state that must not get out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../../scripts/seed/canary.ts";
import type { BuildReport } from "../../src/build.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, NOW, readTree, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

type Data = Readonly<Record<string, unknown>>;

interface Shop {
  readonly name: string;
  readonly server: { readonly create: () => Promise<TestDatabase>; readonly missing: string | null };
  /** How many there are of each record. */
  readonly records: BuildReport["records"];
  readonly nextChangeAt: string | null;
  /** Products by slug, and what they must say. */
  readonly products: Readonly<Record<string, Data>>;
  /** Other answers by key, and what their data must say. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const MARIADB = { create: createMariadbDatabase, missing: MARIADB_MISSING };
const POSTGRES = { create: createPostgresDatabase, missing: POSTGRES_MISSING };

const SHOPS: readonly Shop[] = [
  {
    name: "woocommerce",
    server: MARIADB,
    records: { category: 2, product: 6, review: 2, post: 1 },
    nextChangeAt: "2026-11-30T00:53:20+00:00",
    products: {
      "gallery-slider": {
        title: "Gallery & Slider",
        excerpt: "Pictures, fast.",
        description: "Shows pictures.",
        price: 49.9,
        sale_price: 39.5,
        currency: "EUR",
        type: "simple",
        image: "https://shop.example/wp-content/uploads/2026/01/gallery.png",
        gallery: [
          "https://shop.example/wp-content/uploads/2026/01/more.png",
          "https://shop.example/wp-content/uploads/2026/01/gallery.png",
        ],
        category: expect.objectContaining({ id: 2, name: "日本語", product_count: 2 }),
        review_count: 2,
        public_url: "https://shop.example/product/gallery-slider/",
        created_at: "2026-01-01 00:00:00",
      },
      "checkout-fields": { description: "First line same paragraph\n\nSecond & last", sale_price: null },
      "theme-bundle": { type: "variable", price: 59 },
      "three-parts": { type: "grouped", price: 12.5 },
      "sale-over": { price: 8, sale_price: null },
    },
    answers: {
      "store.json": expect.objectContaining({ store_name: "Tom & Ada", currency: "EUR" }),
      "reviews/page=1.json": [
        expect.objectContaining({ id: 502, customer_display_name: "Anonymous", verified_purchase: false }),
        expect.objectContaining({
          body: "Good & fast.",
          customer_display_name: "Ada",
          verified_purchase: true,
        }),
      ],
    },
  },
  {
    name: "edd",
    server: MARIADB,
    records: { category: 2, product: 4, review: 1, post: 1 },
    nextChangeAt: null,
    products: {
      "invoice-kit": { price: 29, type: "download", description: "Invoices.", review_count: 1 },
      "form-kit": { price: 39.5, image: "", pricing: expect.objectContaining({ extended: 199 }) },
      "both-kits": { type: "bundle", price: 59.5 },
      "free-kit": { price: 0 },
    },
    answers: { "store.json": expect.objectContaining({ store_name: "Ada's Code" }) },
  },
  {
    name: "prestashop",
    server: MARIADB,
    records: { category: 2, product: 4, review: 2 },
    nextChangeAt: "2026-11-20T18:00:00+00:00",
    products: {
      theme: { id: 1, price: 49.9, sale_price: 39.92, type: "virtual", excerpt: "A blue one" },
      "theme-2": { id: 2, price: 20, sale_price: null },
      "theme-pack": { category: expect.objectContaining({ id: 3 }), sale_price: 25.5, type: "pack" },
      green: { price: 10, sale_price: null },
    },
    answers: {
      "reviews/page=1.json": [
        expect.objectContaining({ customer_display_name: "Anonymous" }),
        expect.objectContaining({ customer_display_name: "Marie", body: "Very <blue>.", rating: 4 }),
      ],
    },
  },
  {
    name: "medusa",
    server: POSTGRES,
    records: { category: 2, product: 4 },
    nextChangeAt: "2026-11-20T13:00:00+00:00",
    products: {
      "blue-shirt": {
        title: "Blue <Shirt>",
        type: "mens-wear",
        price: 19.99,
        sale_price: 14.5,
        description: "Soft & warm.\n\nWash < 40°",
        description_html: "<p>Soft &amp; warm.</p>\n<p>Wash &lt; 40°</p>",
        gallery: ["https://cdn.example/1.png", "https://cdn.example/2.png"],
        created_at: "2026-01-01 00:00:00",
      },
      "red-shirt": { price: 19.99, sale_price: null, type: "product" },
      "green-shirt": { sale_price: null, type: "product" },
      "old-shirt": { sale_price: null },
    },
    answers: { "store.json": expect.objectContaining({ store_name: "Medusa Shop", currency: "EUR" }) },
  },
  {
    name: "saleor",
    server: POSTGRES,
    records: { category: 2, product: 5 },
    nextChangeAt: "2026-11-20T12:00:01+00:00",
    products: {
      "a-book": {
        price: 12.5,
        sale_price: 9.5,
        currency: "USD",
        type: "digital",
        status: "published",
        image: "https://shop.example/media/products/a.png",
        description: "First.\n\nSecond & last.",
      },
      "a-game": { sale_price: null, type: "simple" },
      "coming-game": { status: "coming_soon" },
      "preordered-book": { status: "preorder" },
    },
    answers: { "store.json": expect.objectContaining({ public_url: "https://saleor.example" }) },
  },
];

const config = { ...DEMO_CONFIG, siteUrl: "https://shop.example", grid: { depth: 0, maxFiles: 1000 } };

describe.each(SHOPS.filter(({ server }) => server.missing === null))("a shop of $name", (shop) => {
  let database: TestDatabase;
  let report: BuildReport;
  const out = join(folder, shop.name);
  const template = join("templates/shops", shop.name);
  const inputs = () =>
    demoInputs(database.address, out, { queries: join(template, "queries"), config, now: NOW });
  const dataOf = (key: string): unknown =>
    (JSON.parse(readFileSync(join(out, "site/api/v1", key), "utf8")) as { readonly data: unknown }).data;

  beforeAll(async () => {
    database = await shop.server.create();
    await database.run(readFileSync(join(template, "seed.sql"), "utf8"));
    report = await buildQuietly(inputs());
  });
  afterAll(() => database.close());

  it("shows what its page says is public", () => {
    expect(report.records).toEqual(shop.records);
    expect(report.nextChangeAt).toBe(shop.nextChangeAt);
    for (const [slug, product] of Object.entries(shop.products))
      expect(dataOf(`product/slug=${slug}.json`)).toMatchObject(product);
    for (const [key, answer] of Object.entries(shop.answers)) expect(dataOf(key)).toEqual(answer);
  });

  it("lets no canary out, of the many that it holds", () => {
    const seed = readFileSync(join(template, "seed.sql"), "utf8");
    expect(seed.match(/CNRY/g)?.length).toBeGreaterThan(30);
    const leaks = [...readTree(out)].filter(([path, bytes]) => {
      const text = `${path}\n${bytes.toString("latin1")}`;
      return CANARY_TEXT.test(text) || CANARY_NUMBER.test(text);
    });
    expect(leaks.map(([path]) => path)).toEqual([]);
    expect(JSON.stringify(report)).not.toMatch(CANARY_TEXT);
  });
});
