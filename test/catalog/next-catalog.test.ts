import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../src/api/record.ts";
import type { Json } from "../../src/base/json.ts";
import { type Catalog, type CatalogChange, openCatalog } from "../../src/catalog/catalog.ts";
import type { RowChanges } from "../../src/catalog/table.ts";
import { documentId, splitWords } from "../../src/search/documents.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { makeDemoCatalog } from "../support/demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
let original: string;
beforeAll(async () => {
  original = await makeDemoCatalog(folder, 200);
});

const TARGETS = [
  "products",
  "products?page=2",
  ...["newest", "oldest", "updated", "price_asc", "price_desc", "title_asc", "title_desc", "rating"].flatMap(
    (sort) => [
      `products?sort=${sort}&per_page=100`,
      `products?sort=${sort}&status=published&page=2`,
      `products?sort=${sort}&min_price=10&max_price=60`,
    ],
  ),
  "products?search=zebra",
  "products?search=kit&sort=price_asc",
  "product?slug=zebra-kit",
  "product?id=100",
  "reviews",
  "reviews?min_rating=4&sort=lowest&page=3",
  "search?q=zebra",
  "search?q=zebar",
  "search?q=kit&per_page=100",
  "categories",
  "forum?q=problem",
  "blog",
  "",
  "openapi.json",
];

function answers(catalog: Catalog): Record<string, string> {
  return Object.fromEntries(
    TARGETS.map((target) => [target, answerTarget(catalog, `/api/v1/${target}`).body.toString()]),
  );
}

interface Product {
  readonly id: number;
  readonly columns: Record<string, Cell>;
  readonly list: Json;
  readonly added: Json;
}

/** A row as another that is there, under an id, slug and title of its own. */
function copyOf(db: Database.Database, source: number, id: number, slug: string, price: number): Product {
  const { id: _, ...columns } = db.prepare("SELECT * FROM product WHERE id = ?").get(source) as Record<
    string,
    Cell
  >;
  const json = (table: string) =>
    db.prepare(`SELECT json FROM product_${table} WHERE id = ?`).pluck().get(source) as Json;
  const added = json("added");
  return {
    id,
    columns: { ...columns, slug, price, title_key: slug },
    list: JSON.stringify({ ...JSON.parse(json("list")), id, slug, title: slug }) as Json,
    added,
  };
}

/** What whoever applies a delta does to the file: one product put again, one new, one gone, reviews gone. */
function changeFile(db: Database.Database): Pick<CatalogChange, "changes" | "meta"> {
  const again = copyOf(db, 12, 12, "product-twelve", 33.33);
  const come = copyOf(db, 20, 123_456, "zebra-kit", 12);
  const gone = [30, 31];
  const names = Object.keys(again.columns);
  const put = (table: string, id: number, cells: readonly Cell[]) =>
    db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?${", ?".repeat(cells.length)})`).run(id, ...cells);
  for (const { id, columns, list, added } of [again, come]) {
    put(
      "product",
      id,
      names.map((name) => columns[name] as Cell),
    );
    put("product_list", id, [list]);
    put("product_added", id, [added]);
  }
  const document = documentId("product", come.id);
  put("document", document, ["zebra kit", "a zebra", "about zebras"]);
  db.prepare("INSERT INTO document_text (rowid, title, excerpt, text) VALUES (?, ?, ?, ?)").run(
    document,
    ...["zebra kit", "a zebra", "about zebras"].map((text) => splitWords(text).join(" ")),
  );
  const reviews = db.prepare("SELECT id FROM review WHERE id % 5 = 0 ORDER BY id").pluck().all() as number[];
  const remove = (table: string, ids: readonly number[]) => {
    for (const id of ids) db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
  };
  for (const table of ["product", "product_list", "product_added"]) remove(table, gone);
  for (const table of ["review", "review_list"]) remove(table, reviews);
  for (const id of gone) removeDocument(db, documentId("product", id));
  const meta = { digest: "f".repeat(64), generated_at: "2026-12-01T00:00:00+00:00" };
  for (const [name, value] of Object.entries(meta)) {
    db.prepare("UPDATE meta SET value = ? WHERE name = ?").run(value, name);
  }
  const product: RowChanges = { put: [again, come], deleted: gone };
  return { changes: { product, review: { put: [], deleted: reviews } }, meta };
}

function removeDocument(db: Database.Database, id: number): void {
  const row = db
    .prepare("SELECT title_words, excerpt, text FROM document WHERE id = ?")
    .raw()
    .get(id) as string[];
  const [title = "", excerpt = "", text = ""] = row;
  db.prepare(
    "INSERT INTO document_text (document_text, rowid, title, excerpt, text) VALUES ('delete', ?, ?, ?, ?)",
  ).run(id, title, ...[excerpt, text].map((part) => splitWords(part).join(" ")));
  db.prepare("DELETE FROM document WHERE id = ?").run(id);
}

let copies = 0;
function freshCopy(): string {
  copies += 1;
  const file = join(folder, `copy-${copies}.sqlite`);
  copyFileSync(original, file);
  return file;
}

/** Changes a file under an open catalog, as another connection does. */
function changed(file: string): Pick<CatalogChange, "changes" | "meta"> {
  const writer = new Database(file);
  const change = changeFile(writer);
  writer.close();
  return change;
}

function reread(file: string): Record<string, string> {
  const again = openCatalog(file);
  const all = answers(again);
  again.close();
  return all;
}

describe("a catalog", () => {
  it.each([true, false])("answers after a change as one that is opened then (in use before: %s)", (used) => {
    const file = freshCopy();
    const catalog = openCatalog(file);
    const before = used ? answers(catalog) : null;
    const next = catalog.next({ ...changed(file), words: null });
    expect(answers(next)).toEqual(reread(file));
    expect(answers(next)).not.toEqual(before);
    next.probe();
    catalog.close();
  });

  it("loads nothing at once that was not in use", () => {
    const file = freshCopy();
    const catalog = openCatalog(file);
    catalog.table("product");
    const next = catalog.next({ ...changed(file), words: null });
    catalog.close();
    expect(next.table("product").rowOf(123_456)).toBeGreaterThan(0);
    expect(() => next.table("review")).toThrow("not open");
  });
});
