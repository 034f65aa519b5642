/** What the values of the chosen tables say, beyond their names: what must be asked of a row, the unit of money, moments, pictures. */
import { VitrineError } from "../base/error.ts";
import { choiceNote } from "../extract/allow-list.ts";
import type { StoreReader } from "../extract/store.ts";
import { quoteName } from "../store/sql.ts";
import type { Column, Dialect, Schema } from "./schema.ts";
import { type Condition, chosenBy, conditionsOf, UNCHOSEN, valueOffers } from "./states.ts";
import {
  type Chosen,
  columnLike,
  isMinorName,
  isScope,
  limitsOf,
  ON_SALE,
  salesOf,
  type Table,
  TEXT,
  type Wanted,
} from "./tables.ts";
import { countRows, type Held, type MomentForm, readHeld } from "./values.ts";

/** SQL of a column, with why for a comment behind it. */
export interface Expression {
  readonly sql: string;
  readonly note?: string;
}

export interface Findings {
  /** What of a table's rows, which the SQL calls `t`, must be so, by the table's name. */
  readonly conditions: ReadonlyMap<string, readonly Condition[]>;
  /** How the price's column is to be read; null where a person has to say it. */
  readonly unit: "price" | "price_minor" | null;
  /** The column of currencies, where there is one: beside the price. */
  readonly currency: string | null;
  /** Of the store. */
  readonly storeCurrency: Expression;
  readonly sale: string | null;
  /** Of what may lower prices, and is not read: a sentence each. */
  readonly notes: readonly string[];
  readonly image: string | null;
  /** Products that have no category. */
  readonly uncategorised: number;
  /** Columns of texts that hold HTML's entities, `Tom &amp; Ada`, and no element: `table.column`. */
  readonly escaped: ReadonlySet<string>;
  /** Columns of moments by table and name. */
  readonly moments: ReadonlyMap<string, MomentForm | null>;
}

export const CREATED = /^(?:created(?:_?at|_?on)?|date_created|date_add(?:ed)?)$/i;
export const UPDATED =
  /^(?:updated(?:_?at|_?on)?|modified(?:_?at)?|date_updated|date_modified|date_upd|last_update)$/i;
const CURRENCY = /^(?:currency|currency_?code|currency_?iso(?:_?code)?|iso_?currency)$/i;
const SALE = /^(?:sale|special|discount(?:ed)?|offer|promo)_?price(?:_?(?:cents|minor))?$/i;
const IMAGE = /^(?:image|image_?url|thumbnail|thumbnail_?url|picture|picture_?url|photo|photo_?url)$/i;

const CODE = /^[a-z]{3}$/i;

/** What programs make of a text before they keep it: PHP's `htmlspecialchars` writes these. */
const ENTITIES = ["&amp;", "&lt;", "&gt;", "&quot;", "&#039;", "&#39;"];

/** What stands for a currency until a person has written one. */
const NO_CURRENCY: Expression = {
  sql: "'EUR'",
  note: choiceNote("'EUR'", "the currency of the prices, by its ISO 4217 code; nothing in the store says it"),
};

class Look {
  readonly #store: StoreReader;
  readonly #dialect: Dialect;

  constructor(store: StoreReader, dialect: Dialect) {
    this.#store = store;
    this.#dialect = dialect;
  }

  source({ name }: Pick<Table, "name">): string {
    return quoteName(name, this.#dialect);
  }

  column(name: string): string {
    return `t.${quoteName(name, this.#dialect)}`;
  }

  held(table: Table, column: Column): Promise<Held> {
    const quoted = quoteName(column.name, this.#dialect);
    return readHeld(this.#store, this.source(table), quoted, column, this.#dialect);
  }

  count(table: Table, condition: string): Promise<number> {
    return countRows(this.#store, this.source(table), condition);
  }

  states(table: Table): Promise<readonly Condition[]> {
    return conditionsOf(this.#store, table, this.#dialect);
  }

  /** For whom a row is: its one value, or a choice. Of products that are for all there may be several. */
  async scope(table: Table, column: Column, isOwn: boolean): Promise<Condition[]> {
    const held = await this.held(table, column);
    const { name, kind } = column;
    if (held.rows === held.nulls) return [];
    const [only, another] = held.values ?? [];
    const offers = valueOffers({ column: this.column(name), kind, held });
    const [offer] = offers;
    if (only !== undefined && held.values?.length === 1 && another === undefined && offer !== undefined)
      return [{ name, sql: offer.sql, note: `all ${held.rows} rows have it` }];
    const all = isOwn ? [...offers, { sql: "1 = 1", rows: held.rows }] : offers;
    const why = held.values === null ? "it has too many values to list them" : "it says for whom a row is";
    return [await chosenBy(this.#store, this.source(table), name, { offers: all, why })];
  }

  async scopes(table: Table & { readonly reference?: string }, isOwn: boolean): Promise<Condition[]> {
    const found: Condition[] = [];
    for (const column of table.columns)
      if (column.name !== table.reference && isScope(column, isOwn))
        found.push(...(await this.scope(table, column, isOwn)));
    return found;
  }

  /** Products that another table limits to a store, a channel or a group. */
  async limits(schema: Schema, { products }: Chosen): Promise<Condition[]> {
    const found: Condition[] = [];
    for (const limit of limitsOf(schema, products)) {
      const column = limit.columns.find(({ name }) => name === limit.scope);
      if (column === undefined) continue;
      const held = await this.held(limit, column);
      if (held.rows === 0) continue;
      const key = this.column(products.key);
      const reference = `x.${quoteName(limit.reference, this.#dialect)}`;
      const within = (condition: string) =>
        `${key} IN (SELECT ${reference} FROM ${this.source(limit)} AS x WHERE ${condition})`;
      const offers = valueOffers({
        column: `x.${quoteName(limit.scope, this.#dialect)}`,
        kind: column.kind,
        held,
      });
      const [first] = offers;
      if (held.values?.length === 1 && first !== undefined) {
        const sql = within(first.sql);
        const rows = await this.count(products.table, sql);
        found.push({ name: limit.name, sql, note: `${limit.name} names ${rows} products` });
      } else {
        const all = [...offers.map(({ sql }) => ({ sql: within(sql) })), { sql: "1 = 1" }];
        const why = `${limit.name} says for whom a product is`;
        found.push(
          await chosenBy(this.#store, this.source(products.table), limit.name, { offers: all, why }),
        );
      }
    }
    return found;
  }

  /** Some systems keep texts, names too, as a page shows them. One that has elements of its own is HTML or means what it says. */
  async isEscaped(table: Table, { name, kind }: Column): Promise<boolean> {
    if (kind !== "text" && kind !== "any") return false;
    const text = this.#dialect === "postgres" ? `CAST(${this.column(name)} AS TEXT)` : this.column(name);
    const has = (part: string) => `${text} LIKE '%${part}%'`;
    if ((await this.count(table, ENTITIES.map(has).join(" OR "))) === 0) return false;
    return (await this.count(table, has("<"))) === 0;
  }

  async unit(table: Table, name: string): Promise<Findings["unit"]> {
    if (isMinorName(name)) return "price_minor";
    const column = table.columns.find((each) => each.name === name);
    // `decimal(10,2)`
    if (/\(\s*\d+\s*,\s*[1-9]\d*\s*\)|^money/.test(column?.type ?? "")) return "price";
    const sql = this.column(name);
    if (this.#dialect === "postgres" && column?.kind !== "number") return null;
    return (await this.count(table, `${sql} + 0 <> ROUND(${sql} + 0)`)) > 0 ? "price" : null;
  }

  async currency(table: Table, wanted?: string): Promise<Pick<Findings, "currency" | "storeCurrency">> {
    if (wanted !== undefined) return { currency: null, storeCurrency: { sql: `'${wanted.toUpperCase()}'` } };
    const column = table.columns.find(({ name, kind }) => CURRENCY.test(name) && kind !== "number");
    if (column === undefined) return { currency: null, storeCurrency: NO_CURRENCY };
    const { values, rows } = await this.held(table, column);
    const codes = [...new Set((values ?? []).map(({ value }) => String(value ?? "").toUpperCase()))];
    if (codes.length === 0 || !codes.every((code) => CODE.test(code)))
      return { currency: null, storeCurrency: NO_CURRENCY };
    const [first = ""] = codes;
    const several = choiceNote(`'${first}'`, `the store's own of ${codes.join(", ")}`);
    const note = codes.length === 1 ? `${column.name} of all ${rows} rows of ${table.name}` : several;
    return { currency: column.name, storeCurrency: { sql: `'${first}'`, note } };
  }

  /** A sale price, where nothing else says when or for whom it holds, and it is always below the price. */
  async sale(table: Table, price: string): Promise<string | null> {
    const [column, another] = table.columns.filter(({ name }) => ON_SALE.test(name));
    if (column === undefined || another !== undefined || !SALE.test(column.name) || column.kind === "text")
      return null;
    if (isMinorName(price) !== /cents|minor/i.test(column.name)) return null;
    const [sale, regular] = [this.column(column.name), this.column(price)];
    const odd = await this.count(table, `${sale} <> 0 AND (${sale} >= ${regular} OR ${sale} < 0)`);
    return odd === 0 && (await this.count(table, `${sale} > 0`)) > 0 ? column.name : null;
  }

  /** Says what may lower prices without being read: columns of their table but `sale`, and tables that have rows. */
  async unreadSales(
    schema: Schema,
    { products }: Chosen,
    priced: Table,
    sale: string | null,
  ): Promise<string[]> {
    const own = priced.columns.filter(({ name }) => ON_SALE.test(name) && name !== sale);
    const found = own.map(({ name }) => `${priced.name}.${name}`);
    for (const table of salesOf(schema, products))
      if ((await this.count(table, "1 = 1")) > 0) found.push(`${table.name}.${table.column}`);
    return found.length === 0
      ? []
      : [
          `Sales: what ${found.join(", ")} says of prices is not read, so a product shows its regular price. ` +
            "Write sale_price in products.sql, for as long as a sale runs.",
        ];
  }

  /** A picture whose addresses need nothing in front of them. */
  async image(table: Table): Promise<string | null> {
    const column = table.columns.find(
      ({ name, kind }) => IMAGE.test(name) && (kind === "text" || kind === "any"),
    );
    if (column === undefined) return null;
    const image = this.column(column.name);
    const filled = `${image} IS NOT NULL AND ${image} <> ''`;
    const isOther = `${filled} AND ${image} NOT LIKE 'http://%' AND ${image} NOT LIKE 'https://%' AND ${image} NOT LIKE '/%'`;
    return (await this.count(table, isOther)) === 0 && (await this.count(table, filled)) > 0
      ? column.name
      : null;
  }
}

function uncategorised(look: Look, { products, categories }: Chosen): Promise<number> {
  if (categories === undefined) return Promise.resolve(0);
  const { link, column } = categories.shelving;
  const key = look.column(products.key);
  const without =
    link === null
      ? `NULLIF(${look.column(column)}, 0) IS NULL`
      : `NOT EXISTS (SELECT 1 FROM ${look.source(link)} AS l WHERE ${look.column(link.reference).replace("t.", "l.")} = ${key})`;
  return look.count(products.table, without);
}

/** @throws VitrineError store_unreadable */
export async function findingsOn(
  store: StoreReader,
  schema: Schema,
  chosen: Chosen,
  dialect: Dialect,
  wanted: Wanted = {},
): Promise<Findings> {
  if (wanted.currency !== undefined && !CODE.test(wanted.currency))
    throw new VitrineError("usage", `--currency ${wanted.currency} is no ISO 4217 code, like EUR.`);
  const look = new Look(store, dialect);
  const { products, categories, reviews } = chosen;
  const { path, column } = products.price;
  const priced = path.at(-1) ?? products.table;
  const conditions = new Map<string, readonly Condition[]>();
  const children = [products.texts, categories?.texts, ...path];
  const asked = [
    ...(await look.states(products.table)),
    ...(await look.scopes(products.table, true)),
    ...(await look.limits(schema, chosen)),
  ];
  // Of what a person has to choose is counted what nothing else leaves out.
  conditions.set(
    products.table.name,
    asked.toSorted((a, b) => Number(a.sql === UNCHOSEN) - Number(b.sql === UNCHOSEN)),
  );
  for (const table of [categories?.table, reviews?.table])
    if (table !== undefined) conditions.set(table.name, await look.states(table));
  for (const child of children)
    if (child !== null && child !== undefined)
      conditions.set(child.name, [...(await look.states(child)), ...(await look.scopes(child, false))]);
  const escaped = new Set<string>();
  for (const { table, texts, title } of [products, ...(categories === undefined ? [] : [categories])]) {
    const holder = texts ?? table;
    for (const each of holder.columns)
      if ((each.name === title || TEXT.test(each.name)) && (await look.isEscaped(holder, each)))
        escaped.add(`${holder.name}.${each.name}`);
  }
  const moments = new Map<string, MomentForm | null>();
  for (const table of [products.table, ...(reviews === undefined ? [] : [reviews.table])])
    for (const pattern of [CREATED, UPDATED]) {
      const each = table.columns.find(({ name }) => name === columnLike(table, pattern));
      if (each !== undefined)
        moments.set(`${table.name}.${each.name}`, (await look.held(table, each)).moments);
    }
  const sale = path.length > 0 ? null : await look.sale(priced, column);
  return {
    conditions,
    escaped,
    moments,
    sale,
    notes: await look.unreadSales(schema, chosen, priced, sale),
    unit: await look.unit(priced, column),
    ...(await look.currency(priced, wanted.currency)),
    image: await look.image(products.table),
    uncategorised: await uncategorised(look, chosen),
  };
}
