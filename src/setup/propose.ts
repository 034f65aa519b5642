/**
 * SQL files for a store that nobody knows, from its tables and what was found in them. They are proposals: each says that nobody
 * has confirmed it, and nothing is built of it until a person has. Pure.
 */
import type { Fields } from "../api/field.ts";
import { formsAmong } from "../api/forms.ts";
import { category } from "../api/records/category.ts";
import { product } from "../api/records/product.ts";
import { review } from "../api/records/review.ts";
import { store } from "../api/records/store.ts";
import { formatCount } from "../base/log.ts";
import { choiceNote, QUERY_COLUMNS, unconfirmedLine } from "../extract/allow-list.ts";
import { quoteName } from "../store/sql.ts";
import { CREATED, type Expression, type Findings, UPDATED } from "./findings.ts";
import { wordsOf } from "./names.ts";
import type { Dialect, Schema } from "./schema.ts";
import type { Condition } from "./states.ts";
import {
  type Child,
  type Chosen,
  columnLike,
  type Named,
  RATING,
  REVIEW,
  referenceTo,
  SLUG,
  type Table,
  TEXT,
} from "./tables.ts";

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

/** Expressions as a list, each with why behind it. */
function listed(all: readonly Expression[], indent = "  "): string {
  return all
    .map(
      ({ sql, note = "" }, at) =>
        `\n${indent}${sql}${at < all.length - 1 ? "," : ""}${note === "" ? "" : ` -- ${note}`}`,
    )
    .join("");
}

/**
 * The columns of a record's file, in its order.
 * @param given SQL by the column, in a form of it that there is; all others say nothing
 */
function columnsOf(filed: Filed, given: Readonly<Record<string, string | Expression>>): string {
  const columns = (QUERY_COLUMNS[filed.file] ?? []).map((column) => {
    const [form = column] = formsAmong(column, Object.keys(given));
    const own = given[form] ?? nothingFor(filed, column);
    if (own === undefined) throw new Error(`Nothing is proposed for ${column} of ${filed.file}`);
    const { sql, note = "" } = typeof own === "string" ? { sql: own } : own;
    return { sql: `${sql} AS ${form}`, note };
  });
  return listed(columns);
}

/** Conditions below each other, each with why behind it. */
function whereAll(conditions: readonly Expression[], indent = ""): string {
  return conditions
    .map(
      ({ sql, note = "" }, at) =>
        `\n${indent}${at === 0 ? "WHERE" : "  AND"} ${sql}${note === "" ? "" : ` -- ${note}`}`,
    )
    .join("");
}

/** What a row of the products is left out for, as a column of a view: `by_status`. */
function reasonsOf(
  conditions: readonly Condition[],
): readonly (Condition & { readonly view: string; readonly reason: string })[] {
  const taken = new Set<string>();
  return conditions.map((condition) => {
    const name = `by_${
      wordsOf(condition.name)
        .join("_")
        .replace(/[^a-z_]/g, "") || "column"
    }`;
    const view = taken.has(name) ? `${name}_${taken.size}` : name;
    taken.add(view);
    return { ...condition, view, reason: `left out by ${condition.name.replace(/[^\p{L}\p{N}_ ]/gu, "")}` };
  });
}

/** The id of the category of products that have none. */
const NO_CATEGORY = "2147483647";

class Proposal {
  readonly #dialect: Dialect;
  readonly #chosen: Chosen;
  readonly #findings: Findings;
  /** What the names of the views begin with: no table's do. */
  readonly #view: string;

  constructor(dialect: Dialect, schema: Schema, chosen: Chosen, findings: Findings) {
    this.#dialect = dialect;
    this.#chosen = chosen;
    this.#findings = findings;
    let view = "shown";
    while ([...schema.keys()].some((name) => name.toLowerCase().startsWith(view))) view += "_";
    this.#view = view;
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

  #conditions({ name }: Table): readonly Condition[] {
    return this.#findings.conditions.get(name) ?? [];
  }

  /** A text of a record: its own, or the translation's. */
  #text({ table, texts }: Named, pattern: RegExp): string | undefined {
    const place = columnLike(texts ?? table, pattern);
    return place === undefined ? undefined : `${texts === null ? "t" : "d"}.${this.#quoted(place)}`;
  }

  /** A name, as plain text or as HTML whose plain text it is; and what a slug is made of. */
  #name(named: Named): { readonly isHtml: boolean; readonly sql: string; readonly slug: string } {
    const sql = `${named.texts === null ? "t" : "d"}.${this.#quoted(named.title)}`;
    const isHtml = this.#isEscaped(named, named.title);
    return { isHtml, sql, slug: this.#text(named, SLUG) ?? (isHtml ? unescaped(sql) : sql) };
  }

  #isEscaped({ table, texts }: Named, column: string | undefined): boolean {
    return this.#findings.escaped.has(`${(texts ?? table).name}.${column}`);
  }

  /** HTML of a record, which stands as such or as a text that shows it. */
  #html(named: Named): string | Expression {
    const text = this.#text(named, TEXT);
    if (text === undefined) return "''";
    const sql = `COALESCE(${text}, '')`;
    return this.#isEscaped(named, columnLike(named.texts ?? named.table, TEXT))
      ? { sql: unescaped(sql), note: "HTML is kept escaped" }
      : sql;
  }

  #time(table: Table, ...patterns: readonly RegExp[]): string {
    const never = "'2000-01-01 00:00:00'";
    for (const pattern of patterns) {
      const name = columnLike(table, pattern);
      const form = this.#findings.moments.get(`${table.name}.${name}`);
      if (name !== undefined && form !== null && form !== undefined)
        return `COALESCE(${this.#moment(this.#column(name), form)}, ${never})`;
    }
    return never;
  }

  #moment(column: string, form: "time" | "text" | "seconds" | "milliseconds"): string {
    const seconds = form === "milliseconds" ? `${column} / 1000` : column;
    const isNumber = form === "seconds" || form === "milliseconds";
    if (this.#dialect === "sqlite")
      return isNumber ? `datetime(${seconds}, 'unixepoch')` : `datetime(NULLIF(${column}, ''))`;
    if (form === "text") return `REPLACE(SUBSTR(NULLIF(${column}, ''), 1, 19), 'T', ' ')`;
    if (this.#dialect === "mysql")
      return `DATE_FORMAT(${isNumber ? `FROM_UNIXTIME(${seconds})` : column}, '%Y-%m-%d %H:%i:%s')`;
    return `to_char(${isNumber ? `to_timestamp(${seconds}) AT TIME ZONE 'UTC'` : column}, 'YYYY-MM-DD HH24:MI:SS')`;
  }

  /** Joins the texts of a record, where they stand in a table of translations. */
  #withTexts({ table, key, texts }: Named): string {
    if (texts === null) return this.#from(table);
    const on = `d.${this.#quoted(texts.reference)} = ${this.#column(key)}`;
    return `${this.#from(table)}\nLEFT JOIN ${this.#textsView(texts)} AS d ON ${on}`;
  }

  #textsView({ name }: Child): string {
    return `${this.#view}_${name === this.#chosen.products.texts?.name ? "" : "category_"}texts`;
  }

  /** A table's rows, of those columns that are used. */
  #textsExpression(named: Named): string[] {
    const { texts, title } = named;
    if (texts === null) return [];
    const used = [texts.reference, title, columnLike(texts, SLUG), columnLike(texts, TEXT)];
    const columns = [...new Set(used.filter((name) => name !== undefined))];
    const list = columns.map((name) => ({ sql: this.#column(name) }));
    const head = `${this.#textsView(texts)} (${columns.map((name) => this.#quoted(name)).join(", ")})`;
    return [
      `${head} AS (\n  SELECT${listed(list, "    ")}\n  ${this.#from(texts)}${whereAll(this.#conditions(texts), "  ")}\n)`,
    ];
  }

  #categoriesExpressions(): string[] {
    const { categories, products } = this.#chosen;
    if (categories === undefined) return [];
    const { table, key } = categories;
    const conditions = this.#conditions(table);
    // A tree may have its root in each of its rows, too.
    const called = columnLike(table, /^parent(?:_?id)?$/i);
    const parent = called ?? table.columns.find(({ references }) => references.includes(table.name))?.name;
    const view = `${this.#view}_categories`;
    const own = `  SELECT ${this.#column(key)}\n  ${this.#from(table)}${whereAll(conditions, "  ")}`;
    const texts = categories.texts?.name === products.texts?.name ? [] : this.#textsExpression(categories);
    if (parent === undefined || conditions.length === 0) return [...texts, `${view} (id) AS (\n${own}\n)`];
    const up = this.#column(parent);
    return [
      ...texts,
      `${view}_own (id, parent) AS (\n  SELECT ${this.#column(key)}, NULLIF(${up}, 0)\n  ${this.#from(table)}${whereAll(conditions, "  ")}\n)`,
      [
        `${view} (id) AS (`,
        `  SELECT o.id FROM ${view}_own AS o WHERE o.parent IS NULL`,
        "  UNION",
        `  SELECT o.id FROM ${view}_own AS o JOIN ${view} AS above ON above.id = o.parent`,
        ")",
      ].join("\n"),
    ];
  }

  /** The lowest price of a product, and its currency, where they stand in other tables. */
  #pricesExpressions(): string[] {
    const { path, column } = this.#chosen.products.price;
    const [near, far] = path;
    if (near === undefined) return [];
    const { currency } = this.#findings;
    const table = far ?? near;
    const owner = far === undefined ? this.#column(near.reference) : "v.product_id";
    const coin = currency === null ? [] : [`MIN(UPPER(${this.#column(currency)}))`];
    const select = [owner, `MIN(${this.#column(column)})`, ...coin].join(", ");
    const variants = `${this.#view}_variants`;
    const join =
      far === undefined ? "" : `\n  JOIN ${variants} AS v ON v.id = ${this.#column(far.reference)}`;
    const variantKey = near.columns.find(({ isKey }) => isKey)?.name;
    return [
      ...(far === undefined
        ? []
        : [
            `${variants} (id, product_id) AS (\n  SELECT ${this.#column(variantKey)}, ${this.#column(near.reference)}\n  ${this.#from(near)}${whereAll(this.#conditions(near), "  ")}\n)`,
          ]),
      `${this.#view}_prices (id, price${currency === null ? "" : ", currency"}) AS (\n  SELECT ${select}\n  ${this.#from(table)}${join}${whereAll(this.#conditions(table), "  ")}\n  GROUP BY ${owner}\n)`,
    ];
  }

  /** Any category of a product, and a public one. */
  #shelf(): readonly [string, string] {
    const { products, categories } = this.#chosen;
    if (categories === undefined) return ["NULL", "1"];
    const { link, column } = categories.shelving;
    const view = `${this.#view}_categories`;
    if (link === null) {
      const own = this.#column(column);
      return [`NULLIF(${own}, 0)`, `(SELECT c.id FROM ${view} AS c WHERE c.id = ${own})`];
    }
    const [from, mine] = [
      this.#quoted(link.name),
      `l.${this.#quoted(link.reference)} = ${this.#column(products.key)}`,
    ];
    const category = `l.${this.#quoted(column)}`;
    return [
      `(SELECT MIN(${category}) FROM ${from} AS l WHERE ${mine})`,
      `(SELECT MIN(c.id) FROM ${from} AS l JOIN ${view} AS c ON c.id = ${category} WHERE ${mine})`,
    ];
  }

  views(): string {
    const { products, categories } = this.#chosen;
    const { table, key, title, price, texts } = products;
    const none = this.#findings.uncategorised;
    const reasons = reasonsOf(this.#conditions(table));
    const isOwn = price.path.length === 0;
    const [any, shelf] = this.#shelf();
    const rows = [
      { sql: this.#column(key) },
      { sql: `${texts === null ? "t" : "d"}.${this.#quoted(title)}` },
      { sql: isOwn ? this.#column(price.column) : "p.price" },
      { sql: any },
      { sql: shelf },
      ...reasons,
    ];
    const head = ["id", "title", "price", "any_category", "category_id", ...reasons.map(({ view }) => view)];
    const from = `${this.#withTexts(products)}${isOwn ? "" : `\nLEFT JOIN ${this.#view}_prices AS p ON p.id = ${this.#column(key)}`}`;
    const where = [
      "r.title IS NOT NULL",
      "r.price IS NOT NULL",
      ...(categories === undefined
        ? []
        : [none > 0 ? "(r.category_id IS NOT NULL OR r.any_category IS NULL)" : "r.category_id IS NOT NULL"]),
      ...reasons.map(({ view }) => `r.${view}`),
    ];
    const expressions = [
      ...this.#categoriesExpressions(),
      ...this.#textsExpression(products),
      ...this.#pricesExpressions(),
      `-- Every row of ${table.name}, and what is asked of it.\n${this.#view}_rows (${head.join(", ")}) AS (\n  SELECT${listed(rows, "    ")}\n  ${from.replaceAll("\n", "\n  ")}\n)`,
      `${this.#view}_products (id, category_id) AS (\n  SELECT r.id, r.category_id\n  FROM ${this.#view}_rows AS r${whereAll(
        where.map((sql) => ({ sql })),
        "  ",
      )}\n)`,
    ];
    const isRecursive = expressions.some((each) => each.includes("\n  UNION\n"));
    return `-- What is public, written once: the other files name these as if they were tables.\nWITH${isRecursive ? " RECURSIVE" : ""}\n${expressions.join(",\n")}\n`;
  }

  categories(): string {
    const { categories, products } = this.#chosen;
    const amount = this.#findings.uncategorised;
    if (categories === undefined) {
      const all = { id: "1", name: "'All'", slug: "'all'", url: "'/'" };
      return `-- No table of categories can be told: all products stand in one.\nSELECT${columnsOf(category, all)}\n`;
    }
    const { key } = categories;
    const { isHtml, sql, slug } = this.#name(categories);
    const columns = columnsOf(category, {
      id: this.#column(key),
      [isHtml ? "name_html" : "name"]: sql,
      slug_source: slug,
      description_html: this.#html(categories),
      url: "'/'",
    });
    const none = {
      id: NO_CATEGORY,
      [isHtml ? "name_html" : "name"]: "'Uncategorised'",
      slug_source: "'uncategorised'",
      description_html: "''",
      url: "'/'",
    };
    return [
      `SELECT${columns}`,
      this.#withTexts(categories),
      `WHERE ${this.#column(key)} IN (SELECT c.id FROM ${this.#view}_categories AS c)`,
      ...(amount === 0
        ? []
        : [
            comment(`${formatCount(amount)} rows of ${products.table.name} have no category`),
            "UNION ALL",
            `SELECT${columnsOf(category, none)}`,
            `WHERE EXISTS (SELECT 1 FROM ${this.#view}_products AS s WHERE s.category_id IS NULL)`,
          ]),
      "",
    ].join("\n");
  }

  #price(): Readonly<Record<string, Expression | string>> {
    const { price } = this.#chosen.products;
    const { unit } = this.#findings;
    const sql = price.path.length === 0 ? this.#column(price.column) : "p.price";
    if (unit !== null) return { [unit]: sql };
    const offers = `${sql} AS price (1999 is 1,999.00) or ${sql} AS price_minor (1999 is 19.99)`;
    return {
      price: {
        sql: "NULL",
        note: choiceNote("NULL AS price", `${offers}; all its values are whole numbers`),
      },
    };
  }

  products(): string {
    const { products, categories, notes } = this.#chosen;
    const { table, key, price } = products;
    const { currency, sale, image, storeCurrency, uncategorised: none } = this.#findings;
    const { isHtml, sql: name, slug } = this.#name(products);
    const saleForm = sale !== null && /cents|minor/i.test(sale) ? "sale_price_minor" : "sale_price";
    const isOwn = price.path.length === 0;
    const columns = columnsOf(product, {
      id: this.#column(key),
      [isHtml ? "title_html" : "title"]: name,
      slug_source: slug,
      description_html: this.#html(products),
      category_id:
        categories === undefined
          ? "1"
          : none === 0
            ? "s.category_id"
            : `COALESCE(s.category_id, ${NO_CATEGORY})`,
      type: "'product'",
      status: "'published'",
      ...this.#price(),
      [saleForm]: sale === null || this.#findings.unit === null ? "NULL" : `NULLIF(${this.#column(sale)}, 0)`,
      ...{ preorder_price: "NULL", extended_price: "NULL" },
      currency: currency === null ? storeCurrency : isOwn ? `UPPER(${this.#column(currency)})` : "p.currency",
      ...(image === null ? {} : { image: `COALESCE(${this.#column(image)}, '')` }),
      public_url: "'/'",
      created_at: this.#time(table, CREATED, UPDATED),
      updated_at: this.#time(table, UPDATED, CREATED),
    });
    return [
      ...[...notes, ...this.#findings.notes].map(comment),
      `SELECT${columns}`,
      this.#withTexts(products),
      ...(isOwn ? [] : [`LEFT JOIN ${this.#view}_prices AS p ON p.id = ${this.#column(key)}`]),
      `JOIN ${this.#view}_products AS s ON s.id = ${this.#column(key)}`,
      "",
    ].join("\n");
  }

  leftOut(): string {
    const { products, categories } = this.#chosen;
    const reasons = reasonsOf(this.#conditions(products.table));
    const cases = [
      ...reasons.map(({ view, reason }) => `WHEN r.${view} IS NOT TRUE THEN '${reason}'`),
      "WHEN r.title IS NULL THEN 'without a name'",
      "WHEN r.price IS NULL THEN 'without a price'",
      ...(categories === undefined ? [] : ["WHEN r.any_category IS NULL THEN 'without a category'"]),
      `ELSE ${categories === undefined ? "'for another reason'" : "'in no public category'"}`,
    ];
    return [
      "-- What these files leave out, and why. It becomes no answer.",
      comment(`all rows of: ${products.table.name}`),
      "SELECT",
      "  r.id AS id,",
      "  r.title AS title,",
      `  CASE\n${cases.map((each) => `    ${each}\n`).join("")}  END AS reason`,
      `FROM ${this.#view}_rows AS r`,
      `WHERE r.id NOT IN (SELECT s.id FROM ${this.#view}_products AS s)`,
      "",
    ].join("\n");
  }

  reviews(table: Table, key: string): string {
    const { products } = this.#chosen;
    const rating = this.#column(columnLike(table, RATING));
    const columns = columnsOf(review, {
      id: this.#column(key),
      product_id: this.#column(referenceTo(table, products.table)),
      rating,
      body: this.#column(columnLike(table, REVIEW)),
      customer_display_name: "'Anonymous'",
      created_at: this.#time(table, CREATED, UPDATED),
    });
    const where = whereAll([{ sql: `${rating} BETWEEN 1 AND 5` }, ...this.#conditions(table)]);
    return `SELECT${columns}\n${this.#from(table)}${where}\n`;
  }

  store(): string {
    const { storeCurrency } = this.#findings;
    const columns = columnsOf(store, { store_name: "'My shop'", currency: storeCurrency, public_url: "'/'" });
    return `-- Write your shop's name and addresses here.\nSELECT${columns}\n`;
  }
}

/** As a database can undo what `htmlspecialchars` did: the ampersand last. */
function unescaped(sql: string): string {
  const parts = [
    ["&lt;", "<"],
    ["&gt;", ">"],
    ["&quot;", '"'],
    ["&#039;", "''"],
    ["&#39;", "''"],
    ["&amp;", "&"],
  ];
  return parts.reduce((text, [from, to]) => `REPLACE(${text}, '${from}', '${to}')`, sql);
}

/** A comment's line cannot end before its text does. */
function comment(text: string): string {
  return `-- ${text.replace(/\p{C}/gu, " ")}`;
}

/** SQL by file name. Each that something public may come of has the line that says that nobody has confirmed it. */
export function proposeFiles(
  schema: Schema,
  chosen: Chosen,
  dialect: Dialect,
  findings: Findings,
): ReadonlyMap<string, string> {
  const proposal = new Proposal(dialect, schema, chosen, findings);
  const { reviews } = chosen;
  const files: [string, string][] = [
    ["store.sql", proposal.store()],
    ["categories.sql", proposal.categories()],
    ["products.sql", proposal.products()],
    ...(reviews === undefined
      ? []
      : [["reviews.sql", proposal.reviews(reviews.table, reviews.key)] as [string, string]]),
  ];
  return new Map([
    ["_views.sql", proposal.views()],
    ...files.map(([file, sql]) => [file, `${unconfirmedLine(file)}\n${sql}`] as const),
    ["products.left-out.sql", proposal.leftOut()],
  ]);
}
