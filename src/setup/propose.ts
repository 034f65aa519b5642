/**
 * SQL files for a store that nobody knows, from names, types, keys and the few values of columns that speak of states. They are
 * proposals: each says that nobody has confirmed it, and nothing is built of it until a person has. Pure.
 */
import type { Fields } from "../api/field.ts";
import { formsAmong } from "../api/forms.ts";
import { category } from "../api/records/category.ts";
import { product } from "../api/records/product.ts";
import { review } from "../api/records/review.ts";
import { store } from "../api/records/store.ts";
import { VitrineError } from "../base/error.ts";
import { QUERY_COLUMNS } from "../extract/allow-list.ts";
import { quoteName } from "../extract/stores/sql.ts";
import { unconfirmedLine } from "../extract/unconfirmed.ts";
import { type Purpose, vetoOf, wordsOf } from "./names.ts";
import type { Column, Dialect, Schema } from "./schema.ts";
import { type Condition, meaningOf } from "./states.ts";

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** The tables that files are proposed of. */
export interface Chosen {
  readonly products: Table;
  readonly categories: Table | undefined;
  readonly reviews: Table | undefined;
  /** Of what nothing is proposed, and why: a sentence each. */
  readonly notes: readonly string[];
}

/** What of a row of a table must be so that it is public. */
export type Conditions = ReadonlyMap<Table, readonly Condition[]>;

/** Last words of a table's name, the likeliest first. */
const NOUNS: Readonly<Record<Purpose, readonly string[]>> = {
  products: ["product", "item", "article", "track", "download", "good"],
  categories: ["category", "genre", "section", "department"],
  reviews: ["review"],
};

const TITLE = /^(?:(?:product|item|article|track|category)_?)?(?:title|name)$/i;
const PRICE = /^(?:(?:unit|list|retail|regular|product)_?)?price$/i;
const MINOR = /^(?:(?:unit|list|retail|regular|product)_?)?price_?(?:cents|minor)$/i;
const SLUG = /^(?:slug|handle|url_key|permalink)$/i;
const TEXT = /^(?:description|body|content|details)$/i;
const RATING = /^(?:rating|stars|grade|score)$/i;
const REVIEW = /^(?:body|content|comment|text|review|message)$/i;
const CREATED = /^(?:created(?:_?at|_?on)?|date_created|date_add)$/i;
const UPDATED = /^(?:updated(?:_?at|_?on)?|modified(?:_?at)?|date_updated|date_upd)$/i;

function columnLike({ columns }: Table, pattern: RegExp): string | undefined {
  return columns.find(({ name }) => pattern.test(name))?.name;
}

function keyOf({ columns }: Table): string | undefined {
  const keys = columns.filter(({ isKey }) => isKey);
  return keys.length === 1 && keys[0]?.kind === "number" && /int|serial/.test(keys[0].type)
    ? keys[0].name
    : undefined;
}

/** The column that names a row of another table: its foreign key, else `category_id`, `CategoryID`, `category`. */
function referenceTo(table: Table, other: Table): string | undefined {
  const noun = wordsOf(other.name).at(-1) ?? "";
  const key = keyOf(other)?.toLowerCase();
  const named = table.columns.find(({ references }) => references.includes(other.name));
  const likely = table.columns.find(({ name, kind }) => {
    const low = name.toLowerCase();
    return (
      kind === "number" && (low === `${noun}_id` || low === `${noun}id` || (low !== "id" && low === key))
    );
  });
  return (named ?? likely)?.name;
}

/** Tables that look like a purpose's; those that speak of customers' doings apart, each with why. */
function candidates(schema: Schema, purpose: Purpose, hasAll: (table: Table) => boolean) {
  const named = [...schema].flatMap(([name, columns]) => {
    const words = wordsOf(name);
    const rank = NOUNS[purpose].indexOf(words.at(-1) ?? "");
    const table = { name, columns };
    const isLike = rank >= 0 && keyOf(table) !== undefined && hasAll(table);
    return isLike ? [{ table, rank: words.length * 10 + rank, veto: vetoOf(name, columns, purpose) }] : [];
  });
  const allowed = named.filter(({ veto }) => veto === null).toSorted((a, b) => a.rank - b.rank);
  const [first, second] = allowed;
  const isClear = first !== undefined && first.rank !== second?.rank;
  const alike = allowed.filter(({ rank }) => rank === first?.rank).map(({ table }) => table.name);
  const vetoed = named.flatMap(({ table, veto }) => (veto === null ? [] : [`${table.name}: ${veto}`]));
  return { table: isClear ? first.table : undefined, alike: isClear ? [] : alike, vetoed };
}

/** Why nothing is proposed of a kind; none where nothing looked like it. */
function notesOn(what: string, { alike, vetoed }: ReturnType<typeof candidates>): string[] {
  return [
    ...(alike.length > 0 ? [`${what}: ${alike.join(" or ")}? That can't be told, so none is proposed.`] : []),
    ...(vetoed.length > 0 ? [`${what}: never proposed are ${vetoed.join("; ")}.`] : []),
  ];
}

/**
 * Which tables files are proposed of.
 * @throws VitrineError usage where no table of products can be told
 */
export function chooseTables(schema: Schema): Chosen {
  const hasPrice = (table: Table) =>
    columnLike(table, TITLE) !== undefined &&
    (columnLike(table, PRICE) ?? columnLike(table, MINOR)) !== undefined;
  const products = candidates(schema, "products", hasPrice);
  if (products.table === undefined)
    throw new VitrineError(
      "usage",
      [
        `None of the store's ${schema.size} tables can be told to be its products: one with a whole number as its key, a name and a price.`,
        ...notesOn("Products", products),
        "Write the SQL files yourself, which takes minutes (docs/own-store.md), with examples/chinook as a model. Nothing was written.",
      ].join(" "),
    );
  const categories = candidates(schema, "categories", (table) => columnLike(table, TITLE) !== undefined);
  const shelf = categories.table;
  const reviews = candidates(schema, "reviews", (table) => columnLike(table, RATING) !== undefined);
  const written = reviews.table;
  const isReviewed =
    written !== undefined &&
    referenceTo(written, products.table) !== undefined &&
    columnLike(written, REVIEW) !== undefined &&
    written.columns.some(({ name }) => meaningOf(name) !== null);
  return {
    products: products.table,
    categories: shelf !== undefined && referenceTo(products.table, shelf) !== undefined ? shelf : undefined,
    reviews: isReviewed ? written : undefined,
    notes: [
      ...notesOn("Categories", categories),
      ...notesOn("Reviews", reviews),
      ...(written !== undefined && !isReviewed
        ? [
            `Reviews: ${written.name} has no column that says who approved them, or none that names the product or the text.`,
          ]
        : []),
    ],
  };
}

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
  readonly #dialect: Dialect;
  readonly #conditions: Conditions;

  constructor(dialect: Dialect, conditions: Conditions) {
    this.#dialect = dialect;
    this.#conditions = conditions;
  }

  #quoted(name: string | undefined): string {
    return quoteName(name ?? "", this.#dialect);
  }

  #column(name: string | undefined): string {
    return `t.${this.#quoted(name)}`;
  }

  #from({ name }: Table): string {
    return `FROM ${this.#quoted(name)} AS t`;
  }

  #where(table: Table, own: readonly string[], indent = ""): string {
    const all = [...own.map((sql) => ({ sql, note: "" })), ...(this.#conditions.get(table) ?? [])];
    return all
      .map(({ sql, note }, at) => {
        const line = `\n${indent}${at === 0 ? "WHERE" : "  AND"} ${sql}`;
        return note === "" ? line : `${line} -- ${note}`;
      })
      .join("");
  }

  #text(table: Table): string {
    const text = columnLike(table, TEXT);
    return text === undefined ? "''" : `COALESCE(${this.#column(text)}, '')`;
  }

  #time(table: Table, ...patterns: readonly RegExp[]): string {
    const name = patterns.map((pattern) => columnLike(table, pattern)).find((each) => each !== undefined);
    const kind = table.columns.find((each) => each.name === name)?.kind;
    if (name === undefined) return "'2000-01-01 00:00:00'";
    const column = this.#column(name);
    if (kind === "number") return column;
    if (this.#dialect === "sqlite") return `datetime(${column})`;
    if (this.#dialect === "mysql") return `DATE_FORMAT(${column}, '%Y-%m-%d %H:%i:%s')`;
    return kind === "time" ? `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')` : column;
  }

  categories(table: Table | undefined): string {
    if (table === undefined) {
      const all = { id: "1", name: "'All'", slug: "'all'", url: "'/'" };
      return `-- No table of categories can be told: all products stand in one.\nSELECT${columnsOf(category, all)}\n`;
    }
    const title = columnLike(table, TITLE);
    const columns = columnsOf(category, {
      id: this.#column(keyOf(table)),
      name: this.#column(title),
      slug_source: this.#column(columnLike(table, SLUG) ?? title),
      description_html: this.#text(table),
      url: "'/'",
    });
    return `SELECT${columns}\n${this.#from(table)}${this.#where(table, [])}\n`;
  }

  products(table: Table, categories: Table | undefined): string {
    const minor = columnLike(table, MINOR);
    const price = this.#column(minor ?? columnLike(table, PRICE));
    const title = columnLike(table, TITLE);
    const reference = categories === undefined ? undefined : referenceTo(table, categories);
    const columns = columnsOf(product, {
      id: this.#column(keyOf(table)),
      title: this.#column(title),
      slug_source: this.#column(columnLike(table, SLUG) ?? title),
      description_html: this.#text(table),
      category_id: reference === undefined ? "1" : this.#column(reference),
      type: "'product'",
      status: "'published'",
      [minor === undefined ? "price" : "price_minor"]: price,
      ...{ sale_price: "NULL", preorder_price: "NULL", extended_price: "NULL", currency: "'EUR'" },
      public_url: "'/'",
      created_at: this.#time(table, CREATED, UPDATED),
      updated_at: this.#time(table, UPDATED, CREATED),
    });
    const shelf = categories === undefined ? [] : [this.#inCategory(this.#column(reference), categories)];
    const where = this.#where(table, [`${price} IS NOT NULL`, ...shelf]);
    return `SELECT${columns}\n${this.#from(table)}${where}\n`;
  }

  /** Products of categories that are left out are left out too. */
  #inCategory(reference: string, table: Table): string {
    const where = this.#where(table, [], "    ");
    return `${reference} IN (\n    SELECT ${this.#column(keyOf(table))} ${this.#from(table)}${where}\n  )`;
  }

  reviews(table: Table, products: Table): string {
    const rating = this.#column(columnLike(table, RATING));
    const columns = columnsOf(review, {
      id: this.#column(keyOf(table)),
      product_id: this.#column(referenceTo(table, products)),
      rating,
      body: this.#column(columnLike(table, REVIEW)),
      customer_display_name: "'Anonymous'",
      created_at: this.#time(table, CREATED, UPDATED),
    });
    const where = this.#where(table, [`${rating} BETWEEN 1 AND 5`]);
    return `SELECT${columns}\n${this.#from(table)}${where}\n`;
  }
}

const STORE = `-- Write your shop's name, currency and addresses here.
SELECT${columnsOf(store, { store_name: "'My shop'", currency: "'EUR'", public_url: "'/'" })}
`;

/** A comment's line cannot end before its text does. */
function comment(text: string): string {
  return `-- ${text.replace(/\p{C}/gu, " ")}\n`;
}

/** SQL by file name, each with the line that says that nobody has confirmed it. */
export function proposeFiles(
  chosen: Chosen,
  dialect: Dialect,
  conditions: Conditions,
): ReadonlyMap<string, string> {
  const proposal = new Proposal(dialect, conditions);
  const { products, categories, reviews, notes } = chosen;
  const files: [string, string][] = [
    ["store.sql", STORE],
    ["categories.sql", proposal.categories(categories)],
    ["products.sql", notes.map(comment).join("") + proposal.products(products, categories)],
    ...(reviews === undefined
      ? []
      : [["reviews.sql", proposal.reviews(reviews, products)] as [string, string]]),
  ];
  return new Map(files.map(([file, sql]) => [file, `${unconfirmedLine(file)}\n${sql}`]));
}
