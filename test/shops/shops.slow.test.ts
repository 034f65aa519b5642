/**
 * The allow-lists of real shops: on their own tables, with a row in each state that must not become public. As a shop owner
 * uses them: vitrine init, vitrine build, vitrine serve.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../../scripts/seed/canary.ts";
import type { BuildReport } from "../../src/pipeline/build.ts";
import { type Running, startServer, vitrine } from "../support/command.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { NOW, readTree, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

type Data = Readonly<Record<string, unknown>>;

interface Shop {
  readonly name: string;
  /** The shop that `vitrine init` recognises. */
  readonly title: string;
  readonly server: {
    readonly create: (sql: string) => Promise<TestDatabase>;
    readonly missing: string | null;
  };
  /** Number of records of each kind. */
  readonly records: BuildReport["records"];
  readonly nextChangeAt: string | null;
  /** What the shop shows and the build leaves out, as `vitrine doctor --left-out` lists it. */
  readonly leftOut: readonly string[];
  /** Products by slug, with expected fields. */
  readonly products: Readonly<Record<string, Data>>;
  /** Other answers by path, with expected data. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const UNCATEGORISED = expect.objectContaining({
  name: "Uncategorised",
  slug: "uncategorised",
  product_count: 1,
});

const MARIADB = { create: createMariadbDatabase, missing: MARIADB_MISSING };
const POSTGRES = { create: createPostgresDatabase, missing: POSTGRES_MISSING };

const SHOPS: readonly Shop[] = [
  {
    name: "woocommerce",
    title: "WooCommerce",
    server: MARIADB,
    records: { category: 3, product: 7, review: 2, post: 1 },
    leftOut: [
      "205  CNRY password: protected by a password",
      "207  CNRY not out yet: dated in the future",
      "208  CNRY not in the catalog: hidden from the catalog",
      "209  CNRY not in the search: hidden from the search",
      "210  CNRY without a price: without a price",
      "218  CNRY for members: for members alone",
    ],
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
        // WordPress stores names escaped, and leaves escapes out when it makes a slug.
        category: expect.objectContaining({
          id: 2,
          name: "日本語 & 本",
          slug: "ribenyu-ben",
          product_count: 2,
        }),
        review_count: 2,
        public_url: "https://shop.example/product/gallery-slider/",
        created_at: "2026-01-01 00:00:00",
      },
      "checkout-fields": { description: "First line same paragraph\n\nSecond & last", sale_price: null },
      "theme-bundle": { type: "variable", price: 59 },
      "ribenyu-ben": { id: 104, title: "日本語 & 本" },
      "three-parts": { type: "grouped", price: 8 },
      "sale-over": { price: 8, sale_price: null },
      "stray-plugin": { category: UNCATEGORISED },
    },
    answers: {
      store: expect.objectContaining({ store_name: "Tom & Ada", currency: "EUR" }),
      reviews: [
        expect.objectContaining({ id: 502, customer_display_name: "Anonymous", verified_purchase: false }),
        expect.objectContaining({
          body: "Good & fast.\n\nPro: quick\nCon: none",
          customer_display_name: "Ada",
          verified_purchase: true,
        }),
      ],
    },
  },
  {
    name: "edd",
    title: "Easy Digital Downloads",
    server: MARIADB,
    records: { category: 3, product: 5, review: 1, post: 1 },
    leftOut: [
      "205  CNRY password: protected by a password",
      "207  CNRY not out yet: dated in the future",
      "208  CNRY without a price: without a price",
      "210  CNRY with prices that cannot be read: without a price that can be read",
      "215  CNRY for members: for members alone",
    ],
    nextChangeAt: null,
    products: {
      "invoice-kit": { price: 29, type: "download", description: "Invoices.", review_count: 1 },
      "form-kit": { price: 39.5, image: "", pricing: expect.objectContaining({ extended: 199 }) },
      "both-kits": { type: "bundle", price: 59.5 },
      "free-kit": { price: 0 },
      "stray-kit": { category: UNCATEGORISED },
    },
    answers: {
      store: expect.objectContaining({ store_name: "Ada's Code" }),
      reviews: [expect.objectContaining({ body: "Works & more.\nBuy it!" })],
    },
  },
  {
    name: "prestashop",
    title: "PrestaShop",
    server: MARIADB,
    records: { category: 3, product: 5, review: 2 },
    leftOut: [
      "13  CNRY not in the search: hidden from the search",
      "14  CNRY not in the catalog: hidden from the catalog",
      "16  CNRY category off: in no public category",
      "17  CNRY category below: in no public category",
      "18  CNRY for members: in no public category",
      "19  CNRY price not shown: without a price that visitors are shown",
      "21  : without a name in the language of the shop",
    ],
    nextChangeAt: "2026-11-20T18:00:00+00:00",
    products: {
      theme: { id: 1, price: 49.9, sale_price: 39.92, type: "virtual", excerpt: "A blue one" },
      // Its category and the product below are named in a script of which the shop's import makes no address.
      "theme-2": { id: 2, price: 20, sale_price: null, category: expect.objectContaining({ slug: "ben" }) },
      "theme-pack": { category: expect.objectContaining({ id: 3 }), sale_price: 25.5, type: "pack" },
      ribenyu: { id: 4, title: "日本語", price: 10, sale_price: null },
      stray: { category: UNCATEGORISED },
    },
    answers: {
      reviews: [
        expect.objectContaining({ customer_display_name: "Anonymous" }),
        expect.objectContaining({ customer_display_name: "Marie", body: "Very <blue>.", rating: 4 }),
      ],
    },
  },
  {
    name: "opencart",
    title: "OpenCart",
    server: MARIADB,
    records: { category: 3, product: 4, review: 2 },
    leftOut: [
      "54  CNRY category off: in no public category",
      "55  CNRY category below: in no public category",
      "56  CNRY without a price: without a price",
      "58  : without a name in the language of the shop",
    ],
    nextChangeAt: "2037-11-29T22:00:00+00:00",
    products: {
      "phone-one": {
        title: 'Phone "One"',
        price: 101,
        sale_price: null,
        currency: "USD",
        type: "product",
        description: "Rings & shines.",
        // A file "phone & case.jpg": OpenCart stores its name escaped, as all that was sent to it (4.1.0.4).
        image: "https://shop.example/image/catalog/demo/phone%20&%20case.jpg",
        gallery: [
          "https://shop.example/image/catalog/demo/side.jpg",
          "https://shop.example/image/catalog/demo/salt%20&%20pepper.jpg",
        ],
        category: expect.objectContaining({
          id: 20,
          slug: "phones-pdas",
          name: "Phones & PDAs",
          product_count: 2,
        }),
        review_count: 2,
        created_at: "2025-12-31 22:00:00",
      },
      case: { price: 17.95, sale_price: null },
      stray: { category: UNCATEGORISED, price: 5, sale_price: 4 },
      free: { price: 0 },
    },
    answers: {
      store: expect.objectContaining({ store_name: "Tom & Ada", currency: "USD" }),
      reviews: [
        expect.objectContaining({ customer_display_name: "Anonymous" }),
        expect.objectContaining({ customer_display_name: "R&D", body: 'Very "good".\nBuy <it>!' }),
      ],
    },
  },
  {
    name: "medusa",
    title: "Medusa 2",
    server: POSTGRES,
    records: { category: 4, product: 7 },
    leftOut: [
      "prod_h  CNRY gift card: a gift card",
      "prod_l  CNRY without a public price: without a price for everybody in EUR",
    ],
    // A list is valid until its last moment, which is the one of the build.
    nextChangeAt: "2026-11-20T12:00:01+00:00",
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
      "stray-shirt": { category: { name: "Uncategorised", product_count: 2 }, sale_price: 11 },
      "internal-shirt": { category: { name: "Uncategorised" } },
      "deep-shirt": { category: { name: "Below internal" } },
    },
    answers: {
      store: expect.objectContaining({ store_name: "Medusa Shop", currency: "EUR" }),
      // The handle is what's-new?-#2:-50%-off (2.21.2).
      categories: expect.arrayContaining([
        expect.objectContaining({
          slug: "whats-new-2-50-off",
          url: "https://shop.example/categories/what's-new%3F-%232:-50%25-off",
        }),
      ]),
    },
  },
  {
    name: "saleor",
    title: "Saleor",
    server: POSTGRES,
    records: { category: 2, product: 5 },
    leftOut: [
      "16  CNRY without a category: without a category",
      "17  CNRY not sold: without a day from which it is sold",
    ],
    nextChangeAt: "2026-12-01T00:00:00+00:00",
    products: {
      "a-book": {
        price: 12.5,
        sale_price: 9.5,
        currency: "USD",
        type: "digital",
        status: "published",
        image: "https://shop.example/media/products/a.png",
        // Saleor's plain text of it is "First. Second &amp; &lt;last&gt;. One Two https://…" (3.24).
        description: "First.\n\nSecond & <last>.\n\n* One\n* Two",
        description_html:
          "<p><b>First.</b></p>\n<h2>Second &amp; &lt;last&gt;.</h2>\n<ul><li>One</li><li>Two</li></ul>",
      },
      "a-game": { sale_price: null, type: "simple" },
      "coming-game": { status: "coming_soon" },
      "preordered-book": { status: "preorder" },
    },
    answers: {
      store: expect.objectContaining({ public_url: "https://saleor.example" }),
      categories: expect.arrayContaining([
        expect.objectContaining({ name: "Books", description: "To read & keep." }),
      ]),
    },
  },
];

const AS_OF = `${NOW.replace(" ", "T")}Z`;

describe.each(SHOPS.filter(({ server }) => server.missing === null))("a shop of $name", (shop) => {
  let database: TestDatabase;
  let server: (Running & { readonly url: string }) | undefined;
  let report: BuildReport;
  const project = join(folder, shop.name);
  const seed = readFileSync(join("templates/shops", shop.name, "seed.sql"), "utf8");
  /** All output of the commands. */
  const said: string[] = [];

  function run(...args: string[]) {
    const { status, stdout, stderr } = vitrine(args, {}, project);
    said.push(stdout, stderr);
    return { status, stdout, stderr };
  }

  async function dataOf(path: string): Promise<unknown> {
    const response = await fetch(`${server?.url}/api/v1/${path}`);
    const text = await response.text();
    said.push(text);
    expect([path, response.status]).toEqual([path, 200]);
    return (JSON.parse(text) as { readonly data: unknown }).data;
  }

  beforeAll(async () => {
    database = await shop.server.create(seed);
    mkdirSync(project);
    const options = ["--store", database.address, "--site-url", "https://shop.example"];
    // Standard error has progress if the command takes long.
    const made = run("init", ...options, "--yes");
    expect(made.status, made.stderr).toBe(0);
    const built = run("build", "--as-of", AS_OF, "--allow-shrink", "100000", "--json");
    expect(built.status, built.stderr).toBe(0);
    report = JSON.parse(built.stdout) as BuildReport;
    server = await startServer(["serve", "--no-rate-limit"], project);
  });
  afterAll(async () => {
    server?.child.kill("SIGTERM");
    await server?.ended;
    await database.close();
  });

  it("is recognised, and documented column by column", () => {
    expect(said[0]).toContain(` tables: this is ${shop.title}.\n`);
    const page = readFileSync(join(project, "PRIVACY.md"), "utf8");
    const tables = seed.matchAll(/CREATE TABLE "?(\w+)/g);
    for (const [, table = ""] of tables)
      expect(page).toMatch(new RegExp(`^(### \`${table}\`|- \`${table}\`: .*)$`, "m"));
    // Not every database can report for every query which column a title comes from.
    expect(page).toMatch(/(\| public as|^- computed:) [^|]*`products\.title(_html)?`/m);
    expect(page).toMatch(/\| public as `/);
    const about = readFileSync(join(project, "queries/README.md"), "utf8");
    expect(about).toContain(`# ${shop.title.replace(/ 2$/, "")}`);
  });

  it("serves what its PRIVACY.md lists as public", async () => {
    expect(report.records).toEqual(shop.records);
    expect(report.nextChangeAt).toBe(shop.nextChangeAt);
    expect(await dataOf("products")).toHaveLength(shop.records.product ?? 0);
    for (const [slug, product] of Object.entries(shop.products))
      expect(await dataOf(`product?slug=${slug}`)).toMatchObject(product);
    for (const [path, answer] of Object.entries(shop.answers)) expect(await dataOf(path)).toEqual(answer);
  });

  it("lists what the shop shows and the build leaves out, and why", () => {
    const { status, stdout } = vitrine(["doctor", "--left-out"], {}, project);
    expect([status, stdout.trim().split("\n")]).toEqual([0, shop.leftOut]);
    const count = shop.leftOut.length;
    expect(said[0]).toContain(
      `${count === 1 ? "1 product that the shop shows is" : `${count} products that the shop shows are`} left out: `,
    );
    const reasons = shop.leftOut.map((line) => line.slice(line.lastIndexOf(": ") + 2));
    const counts = Object.fromEntries(
      reasons.map((reason) => [reason, reasons.filter((each) => each === reason).length]),
    );
    expect(report.notPublic).toEqual(counts);
  });

  it("reveals none of its many canaries: in no file, no answer and no output", () => {
    expect(seed.match(/CNRY/g)?.length).toBeGreaterThan(30);
    const isLeak = (text: string) => CANARY_TEXT.test(text) || CANARY_NUMBER.test(text);
    // Numbers in the pages' scripts belong to the package.
    const out = [...readTree(join(project, "out"))].filter(([path]) => !path.endsWith(".js"));
    const leaks = out.filter(([path, bytes]) => {
      const text = `${path}\n${bytes.toString("latin1")}`;
      // Some of the manifest's many digests look like a number.
      return path === "manifest.sqlite" ? CANARY_TEXT.test(text) : isLeak(text);
    });
    expect(leaks.map(([path]) => path)).toEqual([]);
    expect([...said, server?.said() ?? ""].filter(isLeak)).toEqual([]);
  });
});
