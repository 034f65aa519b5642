/**
 * SQL files for a store that nobody knows, from names, types and keys. What cannot be told to be public is not selected:
 * a table of which a column speaks of states gives only rows in states that are public everywhere.
 */
import type { Fields } from "../api/field.ts";
import { formsAmong } from "../api/forms.ts";
import { category } from "../api/records/category.ts";
import { product } from "../api/records/product.ts";
import { review } from "../api/records/review.ts";
import { store } from "../api/records/store.ts";
import { QUERY_COLUMNS } from "../extract/allow-list.ts";
import type { Column, Dialect, Schema } from "./schema.ts";

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

const PRODUCTS = /^(?:\w*_)?(?:products?|items?|articles?|tracks?|downloads?|goods)$/i;
const CATEGORIES = /^(?:\w*_)?(?:categor(?:y|ies)|genres?|sections?|departments?)$/i;
const REVIEWS = /^(?:\w*_)?reviews?$/i;

const TITLE = /^(?:(?:product|item|article|track|category)_?)?(?:title|name)$/i;
const PRICE = /^(?:(?:unit|list|retail|regular|product)_?)?price$/i;
const MINOR = /^(?:(?:unit|list|retail|regular|product)_?)?price_?(?:cents|minor)$/i;
const SLUG = /^(?:slug|handle|url_key|permalink)$/i;
const TEXT = /^(?:description|body|content|details)$/i;
const CREATED = /^(?:created(?:_?at|_?on)?|date_created|date_add)$/i;
const UPDATED = /^(?:updated(?:_?at|_?on)?|modified(?:_?at)?|date_updated|date_upd)$/i;

/** States that are public wherever they are used. */
const PUBLIC_STATES = "('published', 'publish', 'public', 'active', 'visible', 'approved', 'live')";

function columnLike({ columns }: Table, pattern: RegExp): string | undefined {
  return columns.find(({ name }) => pattern.test(name))?.name;
}

function keyOf({ columns }: Table): string | undefined {
  const keys = columns.filter(({ isKey }) => isKey);
  return keys.length === 1 && /int|serial|number/.test(keys[0]?.type ?? "") ? keys[0]?.name : undefined;
}

function tableLike(schema: Schema, pattern: RegExp, ...needs: readonly RegExp[]): Table | undefined {
  const tables = [...schema].map(([name, columns]) => ({ name, columns }));
  const fitting = tables.filter(
    (table) =>
      pattern.test(table.name) &&
      keyOf(table) !== undefined &&
      needs.every((need) => columnLike(table, need) !== undefined),
  );
  return fitting.toSorted((a, b) => a.name.length - b.name.length)[0];
}

/** The column that names a row of another table: `category_id`, `CategoryID`, `category`. */
function referenceTo(table: Table, other: Table): string | undefined {
  const singular = other.name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "").replace(/^.*_/, "");
  const key = keyOf(other)?.toLowerCase();
  return table.columns.find(({ name, type }) => {
    const low = name.toLowerCase();
    return (
      /int|serial|number/.test(type) &&
      (low === `${singular}_id` || low === `${singular}id` || (low !== "id" && low === key))
    );
  })?.name;
}

const NOW: Readonly<Record<Dialect, string>> = {
  sqlite: ":now",
  mysql: "@now",
  postgres: "current_setting('vitrine.now')::timestamptz",
};

/** What a file of the allow-list is for. */
interface Filed {
  readonly file: string;
  readonly fields: Fields;
  readonly added?: Fields;
  readonly hidden?: Fields;
}

/** The literal that says nothing, by what the field is that a column is read for; undefined where it must say something. */
function nothingFor({ fields, added, hidden }: Filed, column: string): string | undefined {
  const reads = ([name, { from }]: [string, Fields[string]]) => (from ?? [name]).includes(column);
  const schema = Object.entries({ ...fields, ...added, ...hidden }).find(reads)?.[1].schema;
  return { string: "''", boolean: "0", array: "'[]'" }[String(schema && "type" in schema && schema.type)];
}

/**
 * The columns of a record's file, in its order.
 * @param given SQL by the column, in a form of it that there is; all others say nothing
 */
function columnsOf(filed: Filed, given: Readonly<Record<string, string>>): string {
  const columns = (QUERY_COLUMNS[filed.file] ?? []).map((column) => {
    const [form = column] = formsAmong(column, Object.keys(given));
    const sql = given[form] ?? nothingFor(filed, column);
    if (sql === undefined) throw new Error(`Nothing is proposed for ${column} of ${filed.file}`);
    return `${sql} AS ${form}`;
  });
  return columns.map((column) => `\n  ${column}`).join(",");
}

class Proposal {
  readonly #schema: Schema;
  readonly #dialect: Dialect;

  constructor(schema: Schema, dialect: Dialect) {
    this.#schema = schema;
    this.#dialect = dialect;
  }

  files(): ReadonlyMap<string, string> | null {
    const products =
      tableLike(this.#schema, PRODUCTS, TITLE, PRICE) ?? tableLike(this.#schema, PRODUCTS, TITLE, MINOR);
    if (products === undefined) return null;
    const found = tableLike(this.#schema, CATEGORIES, TITLE);
    const categories = found !== undefined && referenceTo(products, found) !== undefined ? found : undefined;
    const reviews = tableLike(this.#schema, REVIEWS, /^(?:rating|stars|grade|score)$/i);
    return new Map([
      ["store.sql", STORE],
      ["categories.sql", this.#categories(categories)],
      ["products.sql", this.#products(products, categories)],
      ...(reviews === undefined ? [] : this.#reviews(reviews, products)),
    ]);
  }

  #quoted(name: string): string {
    return this.#dialect === "mysql" ? `\`${name}\`` : `"${name}"`;
  }

  /** What of a row must be so that it is public, as its columns say. */
  #conditions({ columns }: Table): string[] {
    return columns.flatMap(({ name, type }) => {
      const column = `t.${this.#quoted(name)}`;
      const low = name.toLowerCase();
      const yes = /bool/.test(type) && this.#dialect === "postgres" ? column : `${column} = 1`;
      const no = /bool/.test(type) && this.#dialect === "postgres" ? `NOT ${column}` : `${column} = 0`;
      if (/^(deleted|archived|trashed|disabled|hidden)_?(at|on|date)$/.test(low))
        return [`${column} IS NULL`];
      if (/^(published|publish|available|released|release)_?(at|on|date|from)$/.test(low))
        return [`${column} <= ${NOW[this.#dialect]}`];
      if (/^(is_)?(active|enabled|published|visible|public|approved)$/.test(low)) return [yes];
      if (
        /^(is_)?(deleted|archived|hidden|draft|private|internal|disabled|discontinued|spam|test)$/.test(low)
      )
        return [no];
      if (/^(status|state|visibility)$/.test(low)) return [`${column} IN ${PUBLIC_STATES}`];
      if (/^(password|passphrase)$/.test(low)) return [`COALESCE(${column}, '') = ''`];
      return [];
    });
  }

  #where(table: Table, ...more: readonly string[]): string {
    const all = [...more, ...this.#conditions(table)];
    return all.length === 0 ? "" : `\nWHERE ${all.join("\n  AND ")}`;
  }

  #slug(table: Table): string {
    const slug = columnLike(table, SLUG);
    return `t.${this.#quoted(slug ?? columnLike(table, TITLE) ?? "")}`;
  }

  #text(table: Table): string {
    const text = columnLike(table, TEXT);
    return text === undefined ? "''" : `COALESCE(t.${this.#quoted(text)}, '')`;
  }

  #time(table: Table, ...patterns: readonly RegExp[]): string {
    const column = patterns.map((pattern) => columnLike(table, pattern)).find((name) => name !== undefined);
    if (column === undefined) return "'2000-01-01 00:00:00'";
    const name = `t.${this.#quoted(column)}`;
    const type = table.columns.find((each) => each.name === column)?.type ?? "";
    if (/int/.test(type)) return name;
    if (this.#dialect === "sqlite") return `datetime(${name})`;
    if (this.#dialect === "mysql") return `DATE_FORMAT(${name}, '%Y-%m-%d %H:%i:%s')`;
    return `to_char(${name}, 'YYYY-MM-DD HH24:MI:SS')`;
  }

  #categories(table: Table | undefined): string {
    if (table === undefined) {
      const all = { id: "1", name: "'All'", slug: "'all'", url: "'/'" };
      return `-- No table of categories was found: all products stand in one.\nSELECT${columnsOf(category, all)}\n`;
    }
    const columns = columnsOf(category, {
      id: `t.${this.#quoted(keyOf(table) ?? "")}`,
      name: `t.${this.#quoted(columnLike(table, TITLE) ?? "")}`,
      slug_source: this.#slug(table),
      description_html: this.#text(table),
      url: "'/'",
    });
    return `SELECT${columns}\nFROM ${this.#quoted(table.name)} AS t${this.#where(table)}\n`;
  }

  #products(table: Table, categories: Table | undefined): string {
    const minor = columnLike(table, MINOR);
    const price = minor ?? columnLike(table, PRICE) ?? "";
    const form = minor === undefined ? "price" : "price_minor";
    const reference = categories === undefined ? undefined : referenceTo(table, categories);
    const columns = columnsOf(product, {
      id: `t.${this.#quoted(keyOf(table) ?? "")}`,
      title: `t.${this.#quoted(columnLike(table, TITLE) ?? "")}`,
      slug_source: this.#slug(table),
      description_html: this.#text(table),
      category_id: reference === undefined ? "1" : `t.${this.#quoted(reference)}`,
      type: "'product'",
      status: "'published'",
      [form]: `t.${this.#quoted(price)}`,
      ...{ sale_price: "NULL", preorder_price: "NULL", extended_price: "NULL", currency: "'EUR'" },
      public_url: "'/'",
      created_at: this.#time(table, CREATED, UPDATED),
      updated_at: this.#time(table, UPDATED, CREATED),
    });
    const shelf = reference === undefined ? [] : [this.#inCategory(reference, categories)];
    const where = this.#where(table, `t.${this.#quoted(price)} IS NOT NULL`, ...shelf);
    return `SELECT${columns}\nFROM ${this.#quoted(table.name)} AS t${where}\n`;
  }

  /** Products of categories that are left out are left out too. */
  #inCategory(reference: string, table: Table | undefined): string {
    if (table === undefined) return "";
    const inner = this.#where(table).replace(/\s+/g, " ");
    return `t.${this.#quoted(reference)} IN (SELECT t.${this.#quoted(keyOf(table) ?? "")} FROM ${this.#quoted(table.name)} AS t${inner})`;
  }

  /** Only where a column says that somebody approved them. */
  #reviews(table: Table, products: Table): [string, string][] {
    const owner = referenceTo(table, products);
    const body = columnLike(table, /^(?:body|content|comment|text|review)$/i);
    if (owner === undefined || body === undefined || this.#conditions(table).length === 0) return [];
    const rating = `t.${this.#quoted(columnLike(table, /^(?:rating|stars|grade|score)$/i) ?? "")}`;
    const columns = columnsOf(review, {
      id: `t.${this.#quoted(keyOf(table) ?? "")}`,
      product_id: `t.${this.#quoted(owner)}`,
      rating,
      body: `t.${this.#quoted(body)}`,
      customer_display_name: "'Anonymous'",
      created_at: this.#time(table, CREATED, UPDATED),
    });
    const where = this.#where(table, `${rating} BETWEEN 1 AND 5`);
    return [["reviews.sql", `SELECT${columns}\nFROM ${this.#quoted(table.name)} AS t${where}\n`]];
  }
}

const STORE = `-- Write your shop's name, currency and addresses here.
SELECT${columnsOf(store, { store_name: "'My shop'", currency: "'EUR'", public_url: "'/'" })}
`;

/** SQL by file name; null where no table of products can be told. */
export function proposeFiles(schema: Schema, dialect: Dialect): ReadonlyMap<string, string> | null {
  return new Proposal(schema, dialect).files();
}
