/** Changes a shop's store: one change at a time, each to a product that has a file. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Far apart, so that changes affect both new and old pages. */
const STRIDE = 7919;

interface Row {
  readonly id: number;
  readonly slug: string;
  /** The price that the store has when it is opened. */
  readonly minor: number;
}

interface Product extends Row {
  /** The file of its answer. */
  readonly file: string;
}

export class Shop {
  readonly #db: Database.Database;
  readonly #site: string;
  readonly #products: readonly Row[];
  readonly #hidden = new Set<number>();
  #at = 0;

  /** @param site the folder of the answers' files */
  constructor(store: string, site: string) {
    this.#db = new Database(store, { timeout: 30_000 });
    this.#site = site;
    const sql = `SELECT id, slug, regular_price_minor AS minor FROM products
                 WHERE status = 'published' AND regular_price_minor > 100 ORDER BY id`;
    this.#products = this.#db.prepare<[], Row>(sql).all();
  }

  /** A different product each time. */
  #next(suits: (product: Product) => boolean = () => true): Product {
    for (let tries = 0; tries < this.#products.length; tries++) {
      this.#at = (this.#at + STRIDE) % this.#products.length;
      const row = this.#products[this.#at];
      if (row === undefined) break;
      if (this.#hidden.has(row.id)) continue;
      const product = { ...row, file: join(this.#site, `api/v1/product/slug=${row.slug}.json`) };
      if (existsSync(product.file) && suits(product)) return product;
    }
    throw new Error("no product of the store fits");
  }

  /** Lowers a price by a tenth; returns how the product's file shows it. */
  price(): Product & { readonly text: string } {
    const product = this.#next();
    const minor = Math.round(product.minor * 0.9);
    this.#db.prepare("UPDATE products SET regular_price_minor = ? WHERE id = ?").run(minor, product.id);
    return { ...product, text: `"price":${minor / 100},` };
  }

  approveReview(): void {
    const pending = this.#db
      .prepare<[number], number>("SELECT id FROM reviews WHERE product_id = ? AND status = 'pending'")
      .pluck();
    const { id } = this.#next((product) => pending.get(product.id) !== undefined);
    this.#db.prepare("UPDATE reviews SET status = 'approved' WHERE id = ?").run(pending.get(id));
  }

  /** Copies a product under a new name, in the same categories. */
  addProduct(): void {
    const { id: of } = this.#next();
    const row = this.#db
      .prepare<[number], Record<string, unknown>>("SELECT * FROM products WHERE id = ?")
      .get(of);
    const id = Number(this.#db.prepare("SELECT MAX(id) + 1 FROM products").pluck().get());
    const added = { ...row, id, slug: `added-${id}`, sku: `ADDED-${id}`, name: `Added ${id}` };
    const columns = Object.keys(added);
    const places = columns.map(() => "?").join(", ");
    this.#db.transaction(() => {
      this.#db
        .prepare(`INSERT INTO products (${columns.join(", ")}) VALUES (${places})`)
        .run(...Object.values(added));
      this.#db
        .prepare(
          `INSERT INTO product_categories (product_id, category_id, is_primary)
           SELECT ?, category_id, is_primary FROM product_categories WHERE product_id = ?`,
        )
        .run(id, of);
    })();
  }

  hideProduct(): void {
    const { id } = this.#next();
    this.#hidden.add(id);
    this.#db.prepare("UPDATE products SET visibility = 'hidden' WHERE id = ?").run(id);
  }

  /** Changes something that no answer shows. */
  order(): void {
    this.#db.exec("UPDATE orders SET total = total + 1 WHERE id = (SELECT MAX(id) FROM orders)");
  }

  close(): void {
    this.#db.close();
  }
}
