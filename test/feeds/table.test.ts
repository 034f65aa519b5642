import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { EXPORTS, exportToFile } from "../../src/feeds/export.ts";
import { csvLines, type ExportColumn, exportColumns, formatCell } from "../../src/feeds/table.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const catalog = openCatalog(layoutOf(sharedSnapshot("small")).catalog);
afterAll(() => catalog.close());

interface Product {
  id: number;
  title: string;
  category: { slug: string };
  pricing: { current: number };
  sale_price: number | null;
}

function exported(list: string, format: "csv" | "ndjson" | "parquet"): string {
  const file = join(folder, `${list}.${format}`);
  exportToFile(catalog, list, format, file);
  return file;
}

/** Reads CSV as RFC 4180 has it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === "" && quoted === undefined && plain === "") continue;
    rows.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** The cells of a file as spreadsheets find them between separators of any kind: quotes count only at a cell's beginning. */
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
  it("of any list has each record once, in all formats", async () => {
    for (const list of EXPORTS) {
      const records = readFileSync(exported(list, "ndjson"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Product);
      const [head = [], ...rows] = parseCsv(readFileSync(exported(list, "csv"), "utf8"));
      const objects = await parquetReadObjects({
        file: await asyncBufferFromFile(exported(list, "parquet")),
      });
      expect(head).toEqual(exportColumns(list).map(({ name }) => name));
      expect([list, rows.length, objects.length]).toEqual([list, records.length, records.length]);
      const [first = ""] = head;
      const keys = records.map((record) => `${(record as unknown as Record<string, unknown>)[first]}`);
      expect(rows.map(([key]) => key)).toEqual(keys);
      expect(objects.map((object) => `${object[first]}`)).toEqual(keys);
    }
  });

  it("keeps values: numbers as numbers, null apart from 0, one level of objects as columns", async () => {
    const lines = readFileSync(exported("products", "ndjson"), "utf8").trimEnd().split("\n");
    const objects = await parquetReadObjects({
      file: await asyncBufferFromFile(exported("products", "parquet")),
    });
    for (const [at, line] of lines.entries()) {
      const { id, title, category, pricing, sale_price } = JSON.parse(line) as Product;
      expect(objects[at]).toMatchObject({
        id: BigInt(id),
        title,
        "category.slug": category.slug,
        "pricing.current": pricing.current,
      });
      expect(objects[at]?.["sale_price"] ?? null).toBe(sale_price);
    }
  });

  it("is no formula in a spreadsheet, whatever a text says", () => {
    const column: ExportColumn = { name: "title", kind: "text", path: ["title"] };
    for (const text of ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"]) {
      const lines = [...csvLines([JSON.stringify({ title: text }) as Json], [column])];
      expect(lines[1]?.replace(/^"/, "").startsWith("'")).toBe(true);
    }
    expect([formatCell(-5), formatCell('say "a", b'), formatCell(null)]).toEqual([
      "-5",
      '"say ""a"", b"',
      "",
    ]);
  });

  it.each([",", ";", "\t", "|"])("is none where cells end at %j either, in any text", (separator) => {
    const column: ExportColumn = { name: "title", kind: "text", path: ["title"] };
    const columns: ExportColumn[] = [
      { name: "id", kind: "integer", path: ["id"] },
      column,
      { ...column, path: ["body"] },
    ];
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
  });

  it("keeps texts that are no formulas as they are, and numbers numbers", () => {
    for (const text of ["a-b = c + d", "mail@shop.example", "it's, 5 - 3", "“=”", "a, b; c"])
      expect(parseCsv(`x\r\n${formatCell(text)}\r\n`)[1]).toEqual([text]);
    expect([formatCell(-5), formatCell(0.5), formatCell("a;b")]).toEqual(["-5", "0.5", '"a;b"']);
    expect([formatCell("=1+1"), formatCell("a,=1+1")]).toEqual([`"'=1+1"`, `"a,'=1+1"`]);
  });

  it("leaves nothing half where it cannot be written", () => {
    expect(() => exportToFile(catalog, "products", "csv", join(folder, "none/x.csv"))).toThrow();
    expect(() => exportToFile(catalog, "products", "parquet", "/proc/x.parquet")).toThrow();
  });
});
