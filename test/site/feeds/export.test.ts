import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { csvColumns, csvLines, formatCell } from "../../../src/site/feeds/csv.ts";
import { EXPORTS, exportLines, writeLines } from "../../../src/site/feeds/export.ts";
import { unknownIn } from "../../../src/site/feeds/products.ts";
import { layoutOf } from "../../../src/site/layout.ts";
import { sharedSnapshot } from "../../support/shared-demo.ts";

const catalog = openCatalog(layoutOf(sharedSnapshot("small")).catalog);
afterAll(() => catalog.close());

type Values = Readonly<Record<string, unknown>>;

function exported(list: string, format: "csv" | "ndjson"): string {
  return [...exportLines(catalog, list, format)].join("");
}

/** Parses CSV as RFC 4180 defines it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === "" && quoted === undefined && plain === "") continue;
    rows.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** The cells of a file as spreadsheets find them for any separator: quotes count only at a cell's beginning. */
function cellsBetween(separator: string, text: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at += 1;
    }
    for (; at < text.length && text[at] !== separator && !"\r\n".includes(text[at] ?? ""); at += 1)
      cell += text[at];
    cells.push(cell);
    at += 1;
  }
  return cells;
}

describe("an export", () => {
  it("has each record of any list once, in both formats", () => {
    for (const list of EXPORTS) {
      const records = exported(list, "ndjson")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Values);
      const [head = [], ...rows] = parseCsv(exported(list, "csv"));
      expect(head).toEqual(csvColumns(list));
      expect(records.length, list).toBeGreaterThan(0);
      const [first = ""] = head;
      expect(rows.map(([key]) => key)).toEqual(records.map((record) => `${record[first]}`));
    }
  });

  it("keeps values: null differs from 0, one level of objects becomes columns, lists stay JSON", () => {
    const records = [
      { id: 1, pricing: { sale: 0, tiers: { a: 1 } }, tags: ["a", "b"], is_new: false },
      { id: 2, pricing: { sale: null, tiers: null }, tags: [], is_new: true },
    ];
    const columns = ["id", "pricing.sale", "pricing.tiers", "tags", "is_new", "category.slug"];
    const lines = csvLines(
      records.map((record) => JSON.stringify(record) as Json),
      columns,
    );
    expect(parseCsv([...lines].join(""))).toEqual([
      columns,
      ["1", "0", '{"a":1}', '["a","b"]', "false", ""],
      ["2", "", "", "[]", "true", ""],
    ]);
    expect(csvColumns("products")).toEqual(
      expect.arrayContaining(["id", "title", "pricing.current", "category.slug", "sale_price"]),
    );
  });

  it("has an empty cell where the API's 0 means that nobody knows, and 0 for what is free", () => {
    const csv = (change: object, pricing: object = {}) => {
      const json = {
        status: "published",
        price: 0,
        pricing: { regular: 0, sale: null, preorder: null, current: 0, extended: 0, ...pricing },
        rating_summary: { average: 0, count: 0 },
        ...change,
      };
      const lines = csvLines([JSON.stringify(json) as Json], COLUMNS, unknownIn);
      return parseCsv([...lines].join(""))[1];
    };
    const COLUMNS = [
      ...["price", "pricing.regular", "pricing.current", "pricing.extended", "pricing.preorder"],
      "rating_summary.average",
    ];
    expect(csv({})).toEqual(["0", "0", "0", "0", "", ""]);
    expect(csv({ rating_summary: { average: 4.5, count: 2 } })?.at(-1)).toBe("4.5");
    expect(csv({ status: "coming_soon" })).toEqual(["", "", "", "", "", ""]);
    const priced = { regular: 9, current: 9, extended: 9 };
    expect(csv({ status: "coming_soon", price: 9 }, priced)).toEqual(["9", "9", "9", "9", "", ""]);
    expect(csv({ status: "preorder" })).toEqual(["", "", "", "", "", ""]);
    expect(csv({ status: "preorder" }, { preorder: 5, current: 5 })).toEqual(["", "", "5", "", "5", ""]);
    expect(csv({ status: "preorder" }, { preorder: 0 })).toEqual(["", "", "0", "", "0", ""]);
    const gift = { regular: 9, sale: 0, current: 0, extended: 20 };
    expect(csv({ status: "coming_soon", price: 9 }, gift)).toEqual(["9", "9", "0", "20", "", ""]);

    const [head = [], ...rows] = parseCsv(exported("products", "csv"));
    const at = (name: string) => head.indexOf(name);
    const open = rows.filter((row) => row[at("pricing.current")] === "");
    expect(open.length).toBeGreaterThan(0);
    for (const row of open) expect(row[at("status")]).not.toBe("published");
  });

  it("is written to a stream that stays open, and ends silently if its reader goes away", async () => {
    const stream = new PassThrough();
    const read = text(stream);
    await writeLines(["a\n", "b\n"], stream);
    stream.end("c\n");
    expect(await read).toBe("a\nb\nc\n");
    const gone = new PassThrough();
    setImmediate(() => gone.destroy());
    await writeLines(exportLines(catalog, "products", "csv"), gone);
  });

  it("is never a formula in a spreadsheet, for any text", () => {
    for (const text of ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"]) {
      const lines = [...csvLines([JSON.stringify({ title: text }) as Json], ["title"])];
      expect(lines[1]?.replace(/^"/, "").startsWith("'")).toBe(true);
    }
    expect([formatCell(-5), formatCell('say "a", b'), formatCell(null)]).toEqual([
      "-5",
      '"say ""a"", b"',
      "",
    ]);
  });

  it.each([",", ";", "\t", "|"])(
    "is never a formula for cells that end at %j either, for any text",
    (separator) => {
      const columns = ["id", "title", "body"];
      const text = fc
        .array(fc.constantFrom(..."=+-@;,|\t\r\n\"' ax1＝\u00a0", "=1+1", ";=1", '""', ';"=', "\n- "), {
          maxLength: 12,
        })
        .map((parts) => parts.join(""));
      const formulas = (title: string, body: string) =>
        cellsBetween(
          separator,
          [...csvLines([JSON.stringify({ id: 5, title, body }) as Json], columns)].join(""),
        ).filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell));
      expect(formulas("a;=1+1", "b\t@SUM(A1)\n- good")).toEqual([]);
      fc.assert(
        fc.property(text, text, (title, body) => {
          expect(formulas(title, body)).toEqual([]);
        }),
        { numRuns: 3000 },
      );
    },
  );

  it("leaves texts that are not formulas unchanged, and numbers as numbers", () => {
    for (const text of ["a-b = c + d", "mail@shop.example", "it's, 5 - 3", "“=”", "a, b; c"])
      expect(parseCsv(`x\r\n${formatCell(text)}\r\n`)[1]).toEqual([text]);
    expect([formatCell(-5), formatCell(0.5), formatCell("a;b")]).toEqual(["-5", "0.5", '"a;b"']);
    expect([formatCell("=1+1"), formatCell("a,=1+1")]).toEqual([`"'=1+1"`, `"a,'=1+1"`]);
  });
});
