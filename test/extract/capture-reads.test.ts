/** What a file of the allow-list leads to, by its words alone, and which of its rows follow from which of a table's. */
import { describe, expect, it } from "vitest";
import type { StoreSchema, StoreTable } from "../../src/store/capture/dialect.ts";
import { filesChanged, readsOf, rowsLines } from "../../src/store/capture/reads.ts";

const table = (name: string): StoreTable => ({
  ...{ name, sql: name, on: [name], numbers: ["id"], definition: "", refusal: null },
  triggers: new Map(),
});
const schema: StoreSchema = {
  tables: new Map(["products", "prices", "orders"].map((name) => [name, [table(name)]])),
  views: new Map([
    ["cheap", "select products.id, v.amount from products join deep v"],
    ["deep", "select product_id, amount from prices"],
    ["secret", null],
  ]),
  opaque: new Set(["stock_of", "other_shop"]),
  identity: "",
};

describe("what a file may read", () => {
  it.each([
    ["SELECT amount FROM prices", ["prices"]],
    ['SELECT "amount" FROM `prices`', ["prices"]],
    ["SELECT AMOUNT FROM Prices -- products", ["prices"]],
    ["SELECT amount /* products */ FROM prices -- it's", ["prices"]],
    ["SELECT amount, '-- products' FROM prices", ["products", "prices"]],
    // MySQL's minus, comment and code; a string that may end or not; PostgreSQL's comment within another.
    ["SELECT 1--products\n, amount FROM prices", ["products", "prices"]],
    ["SELECT amount FROM prices # products", ["products", "prices"]],
    ["SELECT amount /*! , products */ FROM prices", ["products", "prices"]],
    ["SELECT amount, 'it\\' -- ' , products FROM prices", ["products", "prices"]],
    ["SELECT amount, $$ -- $$ , products FROM prices", ["products", "prices"]],
    ["SELECT amount /* /* */ , products */ FROM prices", ["products", "prices"]],
    ["SELECT id FROM cheap", ["products", "prices"]],
    ["SELECT stock_of(1)", null],
    ["SELECT amount FROM other_shop.prices", null],
    ["SELECT id FROM secret", null],
    ['SELECT amount FROM U&"pric\\0065s"', null],
  ])("%s", (sql, tables) =>
    expect(readsOf(sql, schema)?.tables.map(({ name }) => name) ?? null).toEqual(tables),
  );

  it("says by which columns its rows follow from tables", () => {
    const sql =
      "-- rows: prices.id, Products.Id = Product_Id\n  -- rows: tags.product_id, nonsense, a.b.c\nSELECT 1 -- rows: no.thing";
    expect(rowsLines(sql)).toEqual([
      { table: "prices", column: "id", to: "id" },
      { table: "products", column: "id", to: "product_id" },
      { table: "tags", column: "product_id", to: "id" },
    ]);
  });
});

describe("rows that follow from a change", () => {
  const sources = [
    { table: "products", column: "id" },
    { table: "prices", column: "id" },
    { table: "prices", column: "product_id" },
    { table: "orders", column: null },
  ];
  const reviews =
    "-- rows: prices.id, products.id = product_id\nSELECT id, product_id FROM prices JOIN products";
  const told = (
    sql: string,
    changes: readonly (readonly [number, string | number | null])[],
    isTold = true,
  ) => {
    const query = { name: "reviews", file: "reviews.sql", sql };
    const files = [{ query, reads: readsOf(sql, schema) }];
    const { changed, rowFilters } = filesChanged({
      changes,
      sources,
      schema,
      files,
      isCaptured: () => isTold,
    });
    const rows = rowFilters?.get("reviews")?.map(({ column, ids }) => [column, ids]);
    return changed === "all" || changed.size > 0 ? (rows ?? "any") : "none";
  };
  it.each([
    ["nothing of it", reviews, [[4, null]], "none"],
    ["by its own id", reviews, [[2, 7]], [["id", [7]]]],
    ["by whose it is", reviews, [[1, 7]], [["product_id", [7]]]],
    [
      "another key of the same change",
      reviews,
      [
        [3, 5],
        [2, 7],
      ],
      [["id", [7]]],
    ],
    ["no row that is named", reviews, [[1, null]], "any"],
    ["a key that is no number", reviews, [[1, "7"]], "any"],
    ["a number that is not exact", reviews, [[1, 2 ** 53]], "any"],
    ["a file without lines", "SELECT id FROM prices", [[2, 7]], "any"],
    ["a line that no trigger follows", "-- rows: products.slug\nSELECT id FROM products", [[1, 7]], "any"],
    [
      "a column that tells no rows",
      "-- rows: products.id = rating\nSELECT id FROM products",
      [[1, 7]],
      "any",
    ],
    ["a source that stands for nothing", reviews, [[9, 7]], "any"],
  ] as const)("%s", (_, sql, changes, expected) => expect(told(sql, changes)).toEqual(expected));

  it("are any where not every change of a table is written down, or the file may read anything", () => {
    expect(told(reviews, [], false)).toBe("any");
    expect(told("SELECT stock_of(1)", [])).toBe("any");
    expect(
      told(
        reviews,
        Array.from({ length: 2001 }, (_, at) => [1, at] as const),
      ),
    ).toBe("any");
  });
});
