/** Which tables a file of the allow-list may read, judged by its words. */
import { describe, expect, it } from "vitest";
import { type Definitions, readsOf } from "../../src/store/reads.ts";

const definitions: Definitions = {
  tables: new Set(["products", "prices", "orders"]),
  views: new Map([
    ["cheap", "select products.id, v.amount from products join deep v"],
    ["deep", "select product_id, amount from prices"],
    ["secret", null],
  ]),
  opaque: new Set(["stock_of", "other_shop"]),
  hasRows: true,
};

describe("a file", () => {
  it.each([
    ["SELECT amount FROM prices", ["prices"]],
    ['SELECT "amount" FROM `prices`', ["prices"]],
    ["SELECT AMOUNT FROM Prices -- products", ["prices"]],
    ["SELECT amount /* products */ FROM prices -- it's", ["prices"]],
    ["SELECT amount, '-- products' FROM prices", ["products", "prices"]],
    // MySQL's minus, comment and code; a string that may end or not; PostgreSQL's nested comment.
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
  ])("may read in %s", (sql, tables) =>
    expect(readsOf(sql, definitions)?.tables ?? null).toEqual(tables && new Set(tables)),
  );
});
