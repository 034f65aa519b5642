/** Which tables a file of the allow-list may read, judged by its words. */
import { describe, expect, it } from "vitest";
import { type Definitions, readsOf } from "../../src/setup/privacy/reads.ts";

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

describe("a column that two tables have", () => {
  const read = (sql: string) =>
    ["products", "prices", "orders"].filter(
      (table) => readsOf(sql, definitions)?.mayRead(table, "at") === true,
    );

  it.each([
    ["SELECT o.at FROM orders AS o JOIN prices p ON p.id = o.id", ["orders"]],
    ['SELECT o . "at" FROM orders o, prices', ["orders"]],
    ["SELECT orders.at FROM orders JOIN prices ON prices.id = orders.id", ["orders"]],
    ["SELECT o.* FROM orders AS o JOIN prices p ON p.id = o.id", ["orders"]],
    [
      "SELECT p.id FROM prices p WHERE p.id IN (SELECT id FROM (SELECT * FROM orders WHERE id > 1) AS x)",
      ["orders"],
    ],
    ["WITH f AS (SELECT * FROM orders) SELECT p.id FROM prices p JOIN f ON f.id = p.id", ["orders"]],
    // One name for several tables, or for something else.
    ["SELECT (SELECT o.at FROM orders o), (SELECT o.id FROM prices o)", ["prices", "orders"]],
    [
      "WITH o AS (SELECT id FROM orders) SELECT o.at FROM o JOIN prices p ON TRUE",
      ["products", "prices", "orders"],
    ],
    ["SELECT o.at FROM (SELECT id FROM prices) AS o JOIN orders ON TRUE", ["products", "prices", "orders"]],
    ["WITH orders AS (SELECT at FROM prices) SELECT o.at FROM orders o", ["products", "prices", "orders"]],
    ["SELECT o.at FROM cheap AS o JOIN orders ON TRUE", ["products", "prices", "orders"]],
    [
      "SELECT o.at FROM (orders JOIN prices ON TRUE) AS o WHERE 1 IN (SELECT o.id FROM products AS o)",
      ["products", "prices", "orders"],
    ],
    ["SELECT at FROM orders o JOIN prices p ON p.id = o.id", ["products", "prices", "orders"]],
    ["SELECT * FROM orders o JOIN prices p ON p.id = o.id", ["products", "prices", "orders"]],
    ["SELECT * FROM orders NATURAL JOIN prices", ["products", "prices", "orders"]],
    ["SELECT o.at, 'it\\' FROM orders o JOIN prices p ON p.id = o.id -- '", ["products", "prices", "orders"]],
    ["SELECT to_jsonb(o) FROM orders o JOIN prices p ON p.id = o.id", ["products", "prices", "orders"]],
    // An operator of PostgreSQL that MySQL reads as a quote; a comment whose end is not certain.
    ["SELECT p.id ` 1, to_jsonb(o), 2 ` 3 FROM orders o, prices p", ["products", "prices", "orders"]],
    ["SELECT p.id /* /* */ -- */ , to_jsonb(o)\n FROM orders o, prices p", ["products", "prices", "orders"]],
  ])("may be read in %s", (sql, tables) => expect(read(sql)).toEqual(tables));
});

describe("in a shop with a table named order", () => {
  const shop = { ...definitions, tables: new Set(["products", "order"]) };
  it.each([
    ["SELECT id FROM products AS p ORDER BY p.id", ["products"], false],
    ["SELECT id, array_agg(p.name Order\n by p.rank) FROM products AS p", ["products"], false],
    ["SELECT * FROM products ORDER BY id", ["products"], true],
    ['SELECT id FROM products JOIN "order" ON TRUE ORDER BY id', ["products", "order"], false],
    ['SELECT to_jsonb("order") FROM "order" ORDER BY 1', ["order"], true],
  ])("the clause is not the table: %s", (sql, tables, readsAll) => {
    const reads = readsOf(sql, shop);
    expect([reads?.tables, reads?.mayRead(tables[0] ?? "", "secret")]).toEqual([new Set(tables), readsAll]);
  });
});
