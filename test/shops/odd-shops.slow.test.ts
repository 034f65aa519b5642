/**
 * Shops with products that are odd, but valid, which their own code made (`scripts/shops/…-odd.php`): every public value of a build
 * is compared with what the shop shows a visitor at that moment, and whatever the shop lists and the build leaves out has a reason.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../../scripts/seed/canary.ts";
import type { Category, ProductDetail, Review } from "../../src/api/types.ts";
import { build } from "../../src/pipeline/build.ts";
import { eachLeftOut } from "../../src/pipeline/left-out.ts";
import { openPublicCatalog } from "../../src/serve/read-catalog.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";
import { writeSmallInit } from "../support/small-init.ts";

interface ShownProduct {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly type: string;
  readonly url: string;
  /** What it costs now; null where the page shows no price. */
  readonly price: number | null;
  readonly regular?: number;
  readonly on_sale?: boolean;
  readonly categories: readonly string[];
  readonly images: readonly string[];
  readonly excerpt: string;
  readonly description: string;
  readonly rating?: string;
  readonly featured?: boolean;
  /** Seconds since 1970. */
  readonly created: number | null;
  readonly updated: number | null;
}

interface Shown {
  readonly made: { readonly at: string };
  readonly currency: string;
  /** Ids of the products that the shop's own page lists. */
  readonly shop: readonly number[];
  readonly products: readonly ShownProduct[];
  readonly categories: readonly {
    readonly id: number;
    readonly slug: string;
    readonly name: string;
    readonly url: string;
    readonly description: string;
  }[];
  readonly reviews: readonly {
    readonly id: number;
    readonly product: number;
    readonly rating: number | null;
    readonly author: string;
    readonly verified: boolean;
    readonly text: string;
  }[];
}

interface Shop {
  readonly name: string;
  readonly shows: readonly string[];
  /** Titles of products that are left out here, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Where the shop contradicts itself: titles of products whose rating or price is not that of its list, with ours. */
  readonly ratings?: Readonly<Record<string, number>>;
  readonly prices?: Readonly<Record<string, number>>;
  /** Reviews that the shop's page shows and its average counts, but not its API. */
  readonly others?: number;
}

const DUMPS = "test/shops/dumps";
const SITE = "https://shop.example";

const SHOPS: readonly Shop[] = [
  {
    name: "woocommerce-odd",
    shows: ["woocommerce-odd", "woocommerce-odd.later"],
    leftOut: {
      "All variants without a price": "without a price",
      "All variants off": "without a variant that is shown",
      "All variants sold out": "out of stock",
      "Hidden part": "hidden from the catalog and hidden from the search",
      "Set of nothing": "without a part that is shown",
      "Elsewhere without a price": "without a price",
      "CNRY sold out": "out of stock",
      "CNRY sold out in an import": "out of stock",
      "Catalog alone": "hidden from the search",
      "Search alone": "hidden from the catalog",
      "CNRY password": "protected by a password",
    },
    // Its stars are shown, but neither a review nor the number of them.
    ratings: { "Reviews are closed": 0 },
    others: 1,
  },
  {
    name: "edd-odd",
    shows: ["edd-odd"],
    leftOut: {
      "Without a price": "without a price",
      "Variable without variants": "without a price that can be read",
      "CNRY password": "protected by a password",
    },
    // Its range is "20 – 20", because the variant of 20 is for 5 sites: any value of a variant counts as its price.
    prices: { "As cheap as it has sites": 5 },
  },
];

const folder = temporaryFolder();

/** As both sides can be compared: without tags, typographic quotes and white space. */
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/[“”]|&#822[01];/g, '"')
    .replace(/[‘’]|&#821[67];/g, "'")
    .replace(/\s+/g, " ")
    .trim();

const seconds = (time: string) => Date.parse(`${time.replace(" ", "T")}Z`) / 1000;

describe.skipIf(MARIADB_MISSING !== null).each(SHOPS)("the odd shop $name", (shop) => {
  const project = join(folder, shop.name);
  const [queries, out] = [join(project, "queries"), join(project, "out")];
  let database: TestDatabase;

  function read<Data>(path: string): Data {
    const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
    const { status, body } = catalog.get(path);
    catalog.close();
    expect([path, status]).toEqual([path, 200]);
    return (JSON.parse(body) as { readonly data: Data }).data;
  }

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.run(dumpOf(shop.name));
    writeInit(project, await planInit({ store: database.address, folder: project }));
  });
  afterAll(() => database?.close());

  describe.each(shop.shows)("as %s", (file) => {
    const shown = JSON.parse(readFileSync(join(DUMPS, `${file}.json`), "utf8")) as Shown;
    const now = new Date(shown.made.at);
    const slugs = new Map(shown.categories.map(({ slug, name }) => [slug, name]));
    const expected = shown.products.filter(({ title }) => shop.leftOut[title] === undefined);
    let ours: ReadonlyMap<number, ProductDetail>;

    beforeAll(async () => {
      const configFile = join(project, "vitrine.config.json");
      const report = await build({ configFile, queries, out, now, allowShrink: 100_000 });
      expect(report.wrong).toEqual([]);
      const list = read<readonly { id: number }[]>("/products?per_page=100");
      ours = new Map(list.map(({ id }) => [id, read<ProductDetail>(`/product?id=${id}`)]));
    });

    it("has every product that the shop lists, or names it with its reason", async () => {
      const leftOut = new Map<number, string>();
      const titles: Record<string, string> = {};
      for await (const { id, title, reason } of eachLeftOut({
        store: database.address,
        queries,
        now: now.toISOString().slice(0, 19).replace("T", " "),
      })) {
        leftOut.set(Number(id), reason);
        titles[title] = reason;
      }
      const listed = new Set([...shown.shop, ...shown.products.map(({ id }) => id)]);
      expect([...listed].filter((id) => !ours.has(id) && !leftOut.has(id))).toEqual([]);
      expect([...ours.keys()].filter((id) => !listed.has(id) || leftOut.has(id))).toEqual([]);
      expect(titles).toEqual(shop.leftOut);
    });

    const values: readonly [
      name: string,
      shown: (product: ShownProduct) => unknown,
      ours: (product: ProductDetail, theirs: ShownProduct) => unknown,
    ][] = [
      ["title", ({ title }) => plain(title), ({ title }) => title],
      ["type", ({ type }) => (type === "default" ? "download" : type), ({ type }) => type],
      [
        "slug",
        ({ slug }) => slug,
        ({ slug }, { slug: theirs }) => (/^[a-z0-9-]+$/.test(theirs) ? slug : theirs),
      ],
      ["url", ({ url }) => decodeURI(url), ({ public_url }) => decodeURI(public_url)],
      [
        "current price",
        ({ price, title }) => shop.prices?.[title] ?? price,
        ({ pricing }) => pricing.current,
      ],
      [
        "regular price",
        // A price that a plugin wrote may be above the regular one; without a sale, the page shows the current one alone.
        ({ price, title, regular = 0, on_sale }) =>
          on_sale ? Math.max(regular, price ?? 0) : (shop.prices?.[title] ?? price),
        ({ pricing }, { type, on_sale }) =>
          on_sale || type !== "variable" ? pricing.regular : pricing.current,
      ],
      ["currency", () => shown.currency, ({ pricing }) => pricing.currency],
      [
        "category",
        ({ categories }) =>
          categories.length === 0
            ? "Uncategorised"
            : categories.map((slug) => slugs.get(decodeURIComponent(slug))),
        ({ category }, { categories }) => {
          const names = categories.map((slug) => slugs.get(decodeURIComponent(slug)));
          return names.includes(category?.name) ? names : category?.name;
        },
      ],
      [
        "pictures",
        ({ images }) => [...new Set(images.map((image) => encodeURI(image)))],
        ({ image, gallery }) => [...new Set([image, ...gallery])].filter((each) => each !== ""),
      ],
      ["excerpt", ({ excerpt }) => plain(excerpt), ({ excerpt }) => plain(excerpt)],
      [
        "description",
        ({ description }) => plain(description),
        ({ description_html }) => plain(description_html),
      ],
      [
        "rating",
        ({ rating = 0, title }) => shop.ratings?.[title] ?? Number(rating),
        ({ rating_summary }) => rating_summary.average,
      ],
      [
        "times",
        // Jobs of the shop, which have not run in the dump, save the products whose price they move.
        ({ created, updated }) => [created, file === shop.name ? updated : null],
        ({ created_at, updated_at }, { created, updated }) => [
          created === null ? null : seconds(created_at),
          updated === null || file !== shop.name ? null : seconds(updated_at),
        ],
      ],
    ];
    it.each(values)("has each product's %s as the shop shows it", (_, theirs, mine) => {
      const pairs = expected.map((product) => {
        const found = ours.get(product.id) as ProductDetail;
        return [product.title, theirs(product), mine(found, product)] as const;
      });
      expect(pairs.map(([title, , value]) => [title, value])).toEqual(
        pairs.map(([title, value]) => [title, value]),
      );
      expect(pairs.length).toBeGreaterThan(20);
    });

    it("recommends the products that the shop recommends", () => {
      const ids = read<readonly { id: number }[]>("/products?featured=true&per_page=100").map(({ id }) => id);
      expect(ids.toSorted()).toEqual(
        expected
          .filter(({ featured }) => featured)
          .map(({ id }) => id)
          .toSorted(),
      );
    });

    it("has the categories with public products as the shop shows them", () => {
      const mine = read<readonly Category[]>("/categories");
      const shownIds = new Map(shown.categories.map((each) => [each.id, each]));
      for (const { id, name, url, description } of mine.filter(({ slug }) => slug !== "uncategorised")) {
        const theirs = shownIds.get(id);
        expect([id, name, decodeURI(new URL(url, SITE).href)]).toEqual([
          id,
          theirs?.name,
          decodeURI(theirs?.url ?? ""),
        ]);
        expect(description.replace("[shortcode]", "").trim()).toBe(
          plain(theirs?.description ?? "")
            .replace("[shortcode]", "")
            .trim(),
        );
      }
    });

    it("has the reviews with stars, each with its author, its text and whether the author bought it", () => {
      const mine = read<readonly Review[]>("/reviews?per_page=100");
      const theirs = shown.reviews.filter(({ rating, product }) => {
        const title = shown.products.find(({ id }) => id === product)?.title ?? "";
        return rating !== null && shop.ratings?.[title] !== 0;
      });
      for (const { id, product, rating, author, verified, text } of theirs) {
        const found = mine.find((review) => review.id === id);
        expect([id, found?.product_id, found?.rating, found?.verified_purchase]).toEqual([
          id,
          product,
          rating,
          verified,
        ]);
        expect([found?.customer_display_name, plain(found?.body ?? "")]).toEqual([
          author === "" ? "Anonymous" : author,
          plain(text),
        ]);
      }
      expect(mine.length).toBe(theirs.length + (shop.others ?? 0));
    });
  });

  it("lets nothing private out", () => {
    const leaks = [...readTree(out)].filter(([path, bytes]) => {
      const text = `${path}\n${bytes.toString("latin1")}`;
      const isLeak = CANARY_TEXT.test(text) || CANARY_NUMBER.test(text);
      return !path.endsWith(".js") && (path === "manifest.sqlite" ? CANARY_TEXT.test(text) : isLeak);
    });
    expect(leaks.map(([path]) => path)).toEqual([]);
  });
});

describe.skipIf(MARIADB_MISSING !== null)("Easy Digital Downloads", () => {
  it("has amounts with the digits that the shop shows in its currency", async () => {
    const shown = JSON.parse(readFileSync(join(DUMPS, "edd-odd.json"), "utf8")) as Shown & {
      readonly in_currencies: Readonly<Record<string, number>>;
    };
    const project = join(folder, "currencies");
    const [queries, out] = [join(project, "queries"), join(project, "out")];
    const database = await createMariadbDatabase();
    try {
      await database.run(dumpOf("edd-odd"));
      writeSmallInit(project, await planInit({ store: database.address, folder: project }));
      const { id } = shown.products.find(({ title }) => title === "Plain ten") as ShownProduct;
      await database.run(
        `UPDATE wp_postmeta SET meta_value = '1574.803' WHERE post_id = ${id} AND meta_key = 'edd_price'`,
      );
      const found: (readonly [string, string, number])[] = [];
      for (const code of ["HUF", "TWD", "JPY", "EUR", "RIAL"]) {
        await database.run(`UPDATE wp_options SET option_value = REGEXP_REPLACE(option_value,
          '"currency";s:[34]:"[A-Z]+"', '"currency";s:${code.length}:"${code}"') WHERE option_name = 'edd_settings'`);
        const configFile = join(project, "vitrine.config.json");
        await build({ configFile, queries, out, now: new Date(shown.made.at), allowShrink: 100_000 });
        const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
        const { data } = JSON.parse(catalog.get(`/product?id=${id}`).body) as {
          readonly data: ProductDetail;
        };
        catalog.close();
        found.push([code, data.currency, data.price]);
      }
      expect(found).toEqual(
        found.map(([code]) => [code, code === "RIAL" ? "IRR" : code, shown.in_currencies[code]]),
      );
    } finally {
      await database.close();
    }
  });
});

describe.skipIf(MARIADB_MISSING !== null)("WooCommerce beside Polylang", () => {
  it("has what the list of the default language has, and names what other lists alone have", async () => {
    const shown = JSON.parse(readFileSync(join(DUMPS, "languages.json"), "utf8")) as {
      readonly made: { readonly at: string };
      readonly default: string;
      readonly lists: Readonly<Record<string, readonly string[]>>;
    };
    const project = join(folder, "languages");
    const [queries, out] = [join(project, "queries"), join(project, "out")];
    const database = await createMariadbDatabase();
    try {
      await database.run(dumpOf("languages"));
      const plan = await planInit({ store: database.address, folder: project });
      expect(plan.notes.join()).toMatch(/en.*default/);
      writeSmallInit(project, plan);
      const now = new Date(shown.made.at);
      const configFile = join(project, "vitrine.config.json");
      const titlesOf = async () => {
        await build({ configFile, queries, out, now, allowShrink: 100_000 });
        const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
        const { body } = catalog.get("/products?per_page=100");
        catalog.close();
        const { data } = JSON.parse(body) as { readonly data: readonly { readonly title: string }[] };
        return data.map(({ title }) => title).toSorted();
      };
      expect(await titlesOf()).toEqual(shown.lists[shown.default]?.toSorted());
      const leftOut: Record<string, string> = {};
      const moment = shown.made.at.slice(0, 19).replace("T", " ");
      for await (const { title, reason } of eachLeftOut({ store: database.address, queries, now: moment }))
        leftOut[title] = reason;
      expect(leftOut).toEqual({
        Zange: "in another language",
        "Nur deutsch": "in another language",
        Säge: "in another language",
        Scie: "in another language",
        "In no language": "in no language",
      });
      for (const [language, titles] of Object.entries(shown.lists)) {
        rmSync(project, { recursive: true });
        writeSmallInit(
          project,
          await planInit({ store: database.address, folder: project, wanted: { language } }),
        );
        expect([language, await titlesOf()]).toEqual([language, titles.toSorted()]);
      }
    } finally {
      await database.close();
    }
  });
});
