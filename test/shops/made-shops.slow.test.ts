/**
 * Shops whose tables their own code made (`scripts/shops`): what each shop reports as shown, compared with a build from a dump
 * of its database. Dumps are of one day, so builds are of that day, too.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../../scripts/seed/canary.ts";
import type { BlogPost, Category, ProductDetail, Review, Store } from "../../src/api/types.ts";
import { cleanHtml } from "../../src/extract/html.ts";
import { build } from "../../src/pipeline/build.ts";
import { eachLeftOut } from "../../src/pipeline/left-out.ts";
import { openPublicCatalog } from "../../src/serve/read-catalog.ts";
import type { Wanted } from "../../src/setup/choices.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";
import { writeSmallInit } from "../support/small-init.ts";

interface Page {
  readonly url: string;
}

/** What a shop reports as shown: the `shown` of the script that made it. */
interface Shown {
  readonly made: { readonly at: string };
  readonly currency: string;
  /** Titles in its API. */
  readonly api: readonly string[];
  readonly products: readonly (Page & {
    readonly id: number | string;
    readonly title: string;
    /** The current price. */
    readonly price: number | null;
    readonly regular?: number | null;
    /** Slugs, including hidden ones. */
    readonly categories: readonly string[];
    /** By the answer's field; those that are left out are empty. */
    readonly texts?: Readonly<Record<string, unknown>>;
    readonly created_at?: string;
    /** HTML. */
    readonly description?: string;
    /** `2026-11-28T12:00:00.000Z` */
    readonly createdAt?: string;
    /** Paths. */
    readonly image?: string;
    readonly gallery?: readonly string[];
  })[];
  readonly categories: readonly (Page & {
    readonly slug: string;
    readonly name: string;
    readonly description?: string;
  })[];
  readonly posts?: readonly (Page & { readonly title: string })[];
  /** What it shows with another choice of `vitrine init`. */
  readonly choices?: readonly {
    readonly wanted: Wanted;
    readonly currency: string;
    readonly products: readonly (Page & {
      readonly title: string;
      readonly price: number | null;
      readonly regular: number | null;
      readonly texts: Readonly<Record<string, unknown>>;
    })[];
    readonly categories: readonly { readonly name: string; readonly description: string }[];
  }[];
}

interface Shop {
  readonly name: string;
  /** The channel that becomes public, if it is not the shop's own. */
  readonly channel?: string;
  readonly title: string;
  readonly server: {
    readonly create: (sql: string) => Promise<TestDatabase>;
    readonly missing: string | null;
  };
  /** For a shop that does not store its own address. */
  readonly siteUrl?: string;
  /** The shop's time zone on the day of its dump, for a server that knows no zones by name. */
  readonly zone?: string;
  /** Products that are left out here, by their title in the shop, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Slugs of categories that are no product's here, where each product has one: the deepest, or the first made. */
  readonly unused?: readonly string[];
  readonly reviews: readonly string[];
  /** Table and column of reviewers' names. */
  readonly names?: readonly [table: string, column: string];
  /** The part of addresses that must be equal; all of them by default. */
  readonly same?: RegExp;
  /** Other addresses: the SQL that changes them, and the file with the shop's own report. */
  readonly moved?: { readonly sql: string; readonly shown: string };
}

const DUMPS = "test/shops/dumps";
const MARIADB = { create: createMariadbDatabase, missing: MARIADB_MISSING };
/** Vitrine's own for products without a category, and WooCommerce's, which its API does not report. */
const NONE = ["Uncategorised", "Uncategorized"];
const POSTGRES = { create: createPostgresDatabase, missing: POSTGRES_MISSING };
/** Site address of all of them. */
const SITE = "https://shop.example";
const PLAIN = "UPDATE wp_options SET option_value = '' WHERE option_name = 'permalink_structure'";

const SHOPS: readonly Shop[] = [
  {
    name: "edd",
    title: "Easy Digital Downloads",
    server: MARIADB,
    leftOut: { "Without a price": "without a price", "CNRY password": "protected by a password" },
    reviews: ["Does it."],
    names: ["wp_comments", "comment_author"],
    moved: { sql: PLAIN, shown: "edd.plain" },
  },
  {
    name: "woocommerce",
    title: "WooCommerce",
    server: MARIADB,
    leftOut: {
      "CNRY out of stock": "out of stock",
      "Without a price": "without a price",
      "In the catalog alone": "hidden from the search",
      "In the search alone": "hidden from the catalog",
      "CNRY hidden": "hidden from the catalog and hidden from the search",
      "CNRY password": "protected by a password",
    },
    reviews: ["Hits the nail."],
    names: ["wp_comments", "comment_author"],
    moved: { sql: PLAIN, shown: "woocommerce.plain" },
  },
  {
    name: "medusa",
    title: "Medusa 2",
    server: POSTGRES,
    siteUrl: SITE,
    leftOut: {
      "In dollars alone": "without a price for everybody in EUR",
      "Without variants": "without a variant",
      "Gift card": "a gift card",
      "In a sale to come alone": "without a price for everybody in EUR",
    },
    reviews: [],
  },
  {
    name: "vendure",
    title: "Vendure",
    server: POSTGRES,
    siteUrl: SITE,
    leftOut: {
      "Without variants": "without a variant that is on",
      "In dollars alone": "without a price in EUR",
      "All variants are off": "without a variant that is on",
    },
    unused: ["empty-shelf"],
    reviews: [],
  },
  {
    name: "vendure.outlet",
    channel: "outlet",
    title: "Vendure",
    server: POSTGRES,
    siteUrl: SITE,
    leftOut: {},
    reviews: [],
  },
  {
    name: "magento",
    title: "Magento 1 (OpenMage, Maho)",
    server: MARIADB,
    zone: "UPDATE core_config_data SET value = '+01:00' WHERE path = 'general/locale/timezone'",
    leftOut: {
      "In a category that is off": "in no public category",
      "In one below it": "in no public category",
      "In the catalog alone": "hidden from the search",
      "In the search alone": "hidden from the catalog",
      "Price shown in the cart": "with a price that is shown in the cart alone",
      "Price shown in the order": "with a price that is shown in the cart alone",
      "Lower than advertised": "with a price that is shown in the cart alone",
      "In a category that is off in this store": "in no public category",
    },
    reviews: ["Hits the nail."],
    names: ["review_detail", "nickname"],
  },
  {
    name: "opencart",
    title: "OpenCart",
    server: MARIADB,
    zone: "UPDATE oc_setting SET value = '+01:00' WHERE `key` = 'config_timezone'",
    siteUrl: SITE,
    leftOut: {
      "In a category that is off": "in no public category",
      "In one below it": "in no public category",
      "In a category of the outlet": "in no public category",
    },
    reviews: ["Hits the nail."],
    names: ["oc_review", "author"],
  },
  {
    name: "prestashop",
    title: "PrestaShop",
    server: MARIADB,
    zone: "UPDATE ps_configuration SET value = '+01:00' WHERE name = 'PS_TIMEZONE'",
    leftOut: {
      "In a category that is off": "in no public category",
      "For members": "in no public category",
      "Price not shown": "without a price that visitors are shown",
      "In the catalog alone": "hidden from the search",
      "In the search alone": "hidden from the catalog",
      "Below one that is off": "in no public category",
    },
    reviews: ["Hits the nail."],
    names: ["ps_product_comment", "customer_name"],
    // By number; PrestaShop redirects to the friendly address.
    same: /(?:[?&]id_\w+=|\/)(\d+)/,
  },
];

const folder = temporaryFolder();

function shownBy(file: string): Shown {
  return JSON.parse(readFileSync(join(DUMPS, `${file}.json`), "utf8")) as Shown;
}

const NO_TEXTS = { excerpt: "", description: "", image: "", gallery: [] };

/** A catalog's amounts have the digits of their currency; a shop may show more. */
const rounded = (amount: number | null) => amount && Math.round(amount * 100) / 100;

function textsOf({ excerpt, description, image, gallery }: ProductDetail) {
  return { excerpt, description, image, gallery };
}

/** Decoded, so that both are comparable. */
function addresses(pages: readonly Page[], same = /^(.*)$/): readonly string[] {
  return pages.map(({ url }) => same.exec(decodeURI(new URL(url, SITE).href))?.[1] ?? url).toSorted();
}

describe.each(SHOPS.filter(({ server }) => server.missing === null))("the shop that $name made", (shop) => {
  const project = join(folder, shop.name);
  const [queries, out] = [join(project, "queries"), join(project, "out")];
  const shown = shownBy(shop.name);
  let database: TestDatabase;

  async function buildAgain(): Promise<void> {
    const configFile = join(project, "vitrine.config.json");
    await build({ configFile, queries, out, now: new Date(shown.made.at), allowShrink: 100_000 });
  }

  function read<Data>(path: string): Data {
    const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
    const { status, body } = catalog.get(path);
    catalog.close();
    expect([path, status]).toEqual([path, 200]);
    return (JSON.parse(body) as { readonly data: Data }).data;
  }

  const products = () =>
    read<readonly { slug: string }[]>("/products?per_page=100").map(({ slug }) =>
      read<ProductDetail>(`/product?slug=${slug}`),
    );

  beforeAll(async () => {
    database = await shop.server.create(dumpOf(shop.name));
    if (shop.zone !== undefined) await database.run(shop.zone);
    const plan = await planInit({
      store: database.address,
      folder: project,
      siteUrl: shop.siteUrl,
      ...(shop.channel === undefined ? {} : { wanted: { channel: shop.channel } }),
    });
    expect(plan.shop).toBe(shop.title);
    writeInit(project, plan);
    await buildAgain();
  });
  afterAll(() => database?.close());

  it("has each product at its price, in one of its categories, or gives the reason", async () => {
    const found = new Map(products().map((product) => [product.title, product]));
    const expected = shown.products.filter(({ title }) => shop.leftOut[title] === undefined);
    expect([...found.keys()].toSorted()).toEqual(expected.map(({ title }) => title).toSorted());
    for (const { title, price, regular, categories, texts, created_at } of expected) {
      const product = found.get(title) as ProductDetail;
      const { pricing, category } = product;
      if (texts !== undefined) expect([title, textsOf(product)]).toEqual([title, { ...NO_TEXTS, ...texts }]);
      if (created_at !== undefined) expect([title, product.created_at]).toEqual([title, created_at]);
      const cost = { current: pricing.current, currency: pricing.currency, regular: pricing.regular };
      expect([title, cost]).toEqual([
        title,
        { current: rounded(price), currency: shown.currency, regular: rounded(regular ?? price) },
      ]);
      const known = shown.categories.filter(({ slug }) => categories.includes(slug));
      const names = known.length === 0 ? NONE : known.map(({ name }) => name);
      expect([title, names]).toEqual([title, expect.arrayContaining([category?.name])]);
    }
    const known = new Set([...found.keys(), ...Object.keys(shop.leftOut)]);
    expect(shown.api.filter((title) => !known.has(title))).toEqual([]);
  });

  it.each(shown.choices ?? [])("has what the shop shows with $wanted", async (other) => {
    const place = join(folder, `${shop.name}-${Object.keys(other.wanted).join()}`);
    const { siteUrl } = shop;
    const plan = await planInit({ store: database.address, folder: place, siteUrl, wanted: other.wanted });
    writeSmallInit(place, plan);
    const configFile = join(place, "vitrine.config.json");
    const now = new Date(shown.made.at);
    await build({ configFile, queries: join(place, "queries"), out: join(place, "out"), now });
    const catalog = openPublicCatalog(join(place, "out/catalog.sqlite"));
    const data = <Data>(path: string) =>
      (JSON.parse(catalog.get(path).body) as { readonly data: readonly Data[] }).data;
    const found = data<{ slug: string }>("/products?per_page=100").map(({ slug }) => {
      const { body } = catalog.get(`/product?slug=${slug}`);
      return (JSON.parse(body) as { readonly data: ProductDetail }).data;
    });
    const categories = data<Category>("/categories").map(({ name, description }) => ({ name, description }));
    catalog.close();
    // Gift cards are left out, and products without a price.
    const expected = other.products.filter(
      ({ title, price }) => price !== null && shop.leftOut[title] !== "a gift card",
    );
    const lines = expected.map(({ url, title, price, regular, texts }) => [
      url,
      title,
      { current: rounded(price), currency: other.currency, regular: rounded(regular) },
      texts["excerpt"] ?? "",
      texts["description"] ?? "",
    ]);
    const ours = found.map(({ public_url, title, pricing, excerpt, description }) => [
      decodeURI(public_url).slice(SITE.length),
      title,
      { current: pricing.current, currency: pricing.currency, regular: pricing.regular },
      excerpt,
      description,
    ]);
    expect(ours.toSorted()).toEqual(lines.toSorted());
    for (const category of categories.filter(({ name }) => !NONE.includes(name)))
      expect(other.categories).toContainEqual(expect.objectContaining(category));
  });

  it("has the texts, pictures and times that the shop shows, where it was asked for them", () => {
    const found = new Map(products().map((product) => [product.title, product]));
    for (const { title, description, createdAt, image, gallery } of shown.products) {
      const ours = found.get(title);
      if (ours === undefined || description === undefined) continue;
      const theirs = {
        text: cleanHtml(description).html,
        at: createdAt?.slice(0, 19).replace("T", " "),
        image: image === "" ? "" : `${SITE}${image}`,
        gallery: gallery?.map((path) => `${SITE}${path}`),
      };
      const { description_html: text, created_at: at, image: first, gallery: all } = ours;
      expect([title, { text, at, image: first, gallery: all }]).toEqual([title, theirs]);
    }
    const categories = new Map(read<readonly Category[]>("/categories").map((each) => [each.slug, each]));
    for (const { slug, name, description } of shown.categories) {
      const ours = categories.get(slug);
      if (ours === undefined || description === undefined) continue;
      expect([slug, ours.name, ours.description]).toEqual([slug, name, cleanHtml(description).text]);
    }
  });

  it("lists the products that the shop shows and the build leaves out", async () => {
    const now = shown.made.at.slice(0, 19).replace("T", " ");
    const leftOut: [title: string, reason: string][] = [];
    for await (const { title, reason } of eachLeftOut({ store: database.address, queries, now }))
      leftOut.push([title, reason]);
    expect(leftOut).toEqual(Object.entries(shop.leftOut));
  });

  it("has the addresses, the categories, the reviews and the store's currency", async () => {
    const expected = (by: Shown) => {
      const left = by.products.filter(({ title }) => shop.leftOut[title] === undefined);
      const categories = by.categories.filter(({ slug }) => !shop.unused?.includes(slug));
      return [left, categories, by.posts ?? []].map((pages) => addresses(pages, shop.same));
    };
    const ours = () =>
      [
        products().map(({ public_url }) => ({ url: public_url })),
        read<readonly Category[]>("/categories").filter(({ slug }) => slug !== "uncategorised"),
        shown.posts === undefined ? [] : read<readonly BlogPost[]>("/blog"),
      ].map((pages) => addresses(pages, shop.same));
    expect(ours()).toEqual(expected(shown));
    expect(read<Store>("/store").currency).toBe(shown.currency);
    const reviews = read<readonly { body: string }[]>("/reviews").map(({ body }) => body);
    expect(reviews.toSorted()).toEqual(shop.reviews);
    if (shop.moved === undefined) return;
    await database.run(shop.moved.sql);
    await buildAgain();
    expect(ours()).toEqual(expected(shownBy(shop.moved.shown)));
  });

  it.skipIf(shop.names === undefined)("shows no address as the name of a reviewer", async () => {
    const [table, column] = shop.names ?? [];
    const namesFor = async (name: string) => {
      await database.run(`UPDATE ${table} SET ${column} = '${name}'`);
      await buildAgain();
      return read<readonly Review[]>("/reviews").map(({ customer_display_name }) => customer_display_name);
    };
    expect(await namesFor("Ada")).toEqual(["Ada"]);
    expect(await namesFor("ada@shop.example")).toEqual(["Anonymous"]);
    expect(await namesFor("ada @shop.example")).toEqual(["Anonymous"]);
  });

  it("lets nothing private out", () => {
    const isLeak = (text: string) => CANARY_TEXT.test(text) || CANARY_NUMBER.test(text);
    const files = [...readTree(out)].filter(([path]) => !path.endsWith(".js"));
    expect(files.length).toBeGreaterThan(20);
    const leaks = files.filter(([path, bytes]) => {
      const text = `${path}\n${bytes.toString("latin1")}`;
      // Some of the manifest's many digests look like a number.
      return path === "manifest.sqlite" ? CANARY_TEXT.test(text) : isLeak(text);
    });
    expect(leaks.map(([path]) => path)).toEqual([]);
  });
});

describe.skipIf(MARIADB_MISSING !== null)("a WordPress without a shop", () => {
  it("is recognised as such", async () => {
    const database = await createMariadbDatabase();
    try {
      const columns = "id BIGINT PRIMARY KEY, name TEXT";
      const tables = ["options", "posts", "postmeta", "term_taxonomy", "comments"];
      await database.run(tables.map((table) => `CREATE TABLE site_${table} (${columns});`).join(""));
      const plan = await planInit({ store: database.address, folder: join(folder, "wordpress") });
      expect([plan.shop, plan.notes]).toEqual([
        null,
        [expect.stringMatching(/^This is a WordPress without a shop: /)],
      ]);
    } finally {
      await database.close();
    }
  });
});
