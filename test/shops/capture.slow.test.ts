/** What a capture makes a build read of shops that people run: of a price the products, and of reviews only that product's. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askingStore } from "../../src/build/capture.ts";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { changesIn, installFor } from "../extract/support/captured.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { NOW } from "../support/shop.ts";

interface Shop {
  readonly name: string;
  readonly price: string;
  /** Each hides reviews, shows others, or changes one. */
  readonly edits: readonly string[];
}

const WORDPRESS = [
  "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 101",
  "UPDATE wp_posts SET post_status = 'publish' WHERE ID IN (101, 201)",
  "DELETE FROM wp_comments WHERE comment_ID = 501",
  "UPDATE wp_comments SET comment_approved = '1' WHERE comment_ID = 503",
  "UPDATE wp_commentmeta SET meta_value = '2' WHERE comment_id IN (502, 504) AND meta_key LIKE '%rating'",
  "DELETE FROM wp_postmeta WHERE post_id = 101 AND meta_key IN ('_regular_price', 'edd_price')",
  "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (101, '_regular_price', '7'), (101, 'edd_price', '7')",
];

const SHOPS: readonly Shop[] = [
  {
    name: "woocommerce",
    price: "UPDATE wp_postmeta SET meta_value = '48' WHERE post_id = 101 AND meta_key = '_regular_price'",
    edits: [...WORDPRESS, "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (101, 16)"],
  },
  {
    name: "edd",
    price: "UPDATE wp_postmeta SET meta_value = '48' WHERE post_id = 101 AND meta_key = 'edd_price'",
    edits: WORDPRESS,
  },
  {
    name: "prestashop",
    price: "UPDATE ps_product_shop SET price = 48 WHERE id_product = 1",
    edits: [
      "UPDATE ps_product_shop SET active = 0 WHERE id_product = 1",
      "UPDATE ps_product_shop SET active = 1 WHERE id_product IN (1, 11)",
      "UPDATE ps_product SET state = 0 WHERE id_product = 2",
      "UPDATE ps_product_comment SET validate = 1 WHERE id_product_comment = 2",
      "UPDATE ps_category_product SET id_category = 5 WHERE id_product = 1",
      "DELETE FROM ps_product_comment WHERE id_product_comment = 6",
    ],
  },
];

describe.skipIf(MARIADB_MISSING !== null).each(SHOPS)("a captured shop of $name", (shop) => {
  let database: TestDatabase;
  const queries = Object.values(readAllowList(join("templates/shops", shop.name, "queries")));
  const reviews = queries.find(({ name }) => name === "reviews");

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.run(readFileSync(join("templates/shops", shop.name, "seed.sql"), "utf8"));
    await installFor(database.address, queries, "root@localhost");
  });
  afterAll(() => database.close());

  /** By id: the product, and the whole row. */
  async function rows(): Promise<Map<unknown, { readonly product: unknown; readonly text: string }>> {
    const sql = reviews?.sql.replaceAll("@now", `TIMESTAMP '${NOW}'`) ?? "";
    const found = await askingStore(database.address, (ask) =>
      ask(`SELECT id, product_id, f.* FROM (${sql}\n) AS f`),
    );
    return new Map(found.map(([id, product, ...row]) => [id, { product, text: JSON.stringify(row) }]));
  }

  it("reads of its reviews those of the product that has another price", async () => {
    const { mark } = await changesIn(database.address, null, queries);
    await database.run(shop.price);
    const { changed, rowFilters } = await changesIn(database.address, mark, queries);
    expect(changed).toContain("products");
    expect(rowFilters?.get("reviews")).toContainEqual(
      expect.objectContaining({ column: "product_id", ids: [shop.name === "prestashop" ? 1 : 101] }),
    );
  });

  it("is told each review that another row hides, shows or changes", async () => {
    let differing = 0;
    for (const edit of shop.edits) {
      const before = await rows();
      const { mark } = await changesIn(database.address, null, queries);
      await database.run(edit);
      const { changed, rowFilters } = await changesIn(database.address, mark, queries);
      const after = await rows();
      const told = rowFilters?.get("reviews");
      const isTold = (column: string, value: unknown) =>
        told === undefined || told.some((each) => each.column === column && each.ids.includes(Number(value)));
      for (const id of new Set([...before.keys(), ...after.keys()])) {
        const [one, other] = [before.get(id), after.get(id)];
        if (one?.text === other?.text) continue;
        differing += 1;
        const product = (other ?? one)?.product;
        const isNamed = isTold("id", id) || isTold("product_id", product);
        expect([edit, id, changed === "all" || changed.has("reviews"), isNamed]).toEqual([
          edit,
          id,
          true,
          true,
        ]);
      }
    }
    expect(differing).toBeGreaterThan(3);
  });
});
