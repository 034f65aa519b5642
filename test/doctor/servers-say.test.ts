/** What the doctor makes of what servers say: plans, rights, time zones. */
import { describe, expect, it } from "vitest";
import { readAgain } from "../../src/doctor/plans.ts";
import { isUtc, writingGrants } from "../../src/doctor/rights.ts";

describe("tables that are read again for each row", () => {
  const NESTED = [
    "Sort  (cost=1.00..2.00 rows=1 width=4)",
    "  Sort Key: p.id",
    "  ->  Nested Loop  (cost=1.00..2.00 rows=1 width=4)",
    "        ->  Seq Scan on products p  (cost=0.00..900.00 rows=1 width=4)",
    "        ->  Seq Scan on reviews r  (cost=0.00..900.00 rows=1 width=4)",
  ];
  const SUBPLAN = [
    "Seq Scan on products p  (cost=0.00..900.00 rows=1 width=4)",
    "  SubPlan 1",
    "    ->  Aggregate  (cost=0.00..900.00 rows=1 width=4)",
    "          ->  Seq Scan on faqs f  (cost=0.00..900.00 rows=1 width=4)",
  ];
  it.each([
    ["sqlite", ["SCAN p", "SEARCH c USING INDEX x (id=?)"], []],
    ["sqlite", ["SCAN p", "SCAN c"], ["c"]],
    ["sqlite", ["SCAN p", "CORRELATED SCALAR SUBQUERY 2", "  SCAN r USING COVERING INDEX y"], ["r"]],
    ["sqlite", ["MATERIALIZE v", "  SCAN p", "SCAN v"], []],
    ["sqlite", ["SCAN p", "CORRELATED SCALAR SUBQUERY 2", "  SCAN json_each VIRTUAL TABLE INDEX 1:"], []],
    ["postgres", NESTED, ["reviews"]],
    [
      "postgres",
      NESTED.map((line) => line.replace("reviews r  (cost=0.00..900.00", "reviews r  (cost=0.00..9.00")),
      [],
    ],
    [
      "postgres",
      NESTED.with(4, "        ->  Index Scan using x on reviews r  (cost=0.00..900.00 rows=1)"),
      [],
    ],
    [
      "postgres",
      [
        ...NESTED.slice(0, 4),
        "        ->  Materialize  (cost=0.00..900.00 rows=1)",
        "              ->  Seq Scan on reviews r  (cost=0.00..900.00 rows=1 width=4)",
      ],
      [],
    ],
    ["postgres", SUBPLAN, ["faqs"]],
    ["postgres", [...SUBPLAN, "  Filter: (hashed SubPlan 1)"], []],
    [
      "mysql",
      ["1  PRIMARY  p  ALL  -  -  -  -  5000  -", "1  PRIMARY  r  ALL  -  -  -  -  5000  Using where"],
      ["r"],
    ],
    ["mysql", ["1  PRIMARY  p  ALL  -  -  -  -  5000  -", "1  PRIMARY  r  ref  k  k  4  p.id  1  -"], []],
    [
      "mysql",
      [
        "1  PRIMARY  p  ALL  -  -  -  -  9  -",
        "2  DEPENDENT SUBQUERY  f  -  ALL  -  -  -  -  2000  10.00  Using where",
      ],
      ["f"],
    ],
    [
      "mysql",
      ["1  PRIMARY  p  ALL  -  -  -  -  9  -", "2  DEPENDENT SUBQUERY  f  ALL  -  -  -  -  20  Using where"],
      [],
    ],
  ] as const)("%s: %j", (kind, lines, tables) => expect(readAgain(kind, lines)).toEqual(tables));
});

describe("rights and time zones of a server", () => {
  it.each([
    ["GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*DELETE'", []],
    ["GRANT SELECT, SHOW VIEW, TRIGGER ON `shop`.* TO `a`@`%`", []],
    ["GRANT SELECT (`insert`, `id`), SHOW VIEW ON `shop`.`products` TO `a`@`%`", []],
    ["GRANT SELECT, INSERT, UPDATE ON `shop`.* TO `a`@`%`", ["INSERT, UPDATE ON `shop`.*"]],
    [
      "GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` IDENTIFIED BY PASSWORD '*X' WITH GRANT OPTION",
      ["ALL PRIVILEGES ON *.*"],
    ],
    ["GRANT `reader`@`%` TO `a`@`%`", []],
  ])("%s", (line, rights) => expect(writingGrants([line])).toEqual(rights));

  it.each([
    ["UTC", true],
    ["Etc/UTC", true],
    ["+00:00", true],
    ["Europe/Berlin", false],
    ["CET", false],
  ])("%s is UTC: %s", (zone, is) => expect(isUtc(zone)).toBe(is));
});
