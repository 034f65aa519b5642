/**
 * Which tables of a store that nobody knows are its products, categories and reviews: by their columns, keys and rows, the names
 * last. Where that is not clear it is not guessed: the nearest are told, and flags say which. Pure.
 */
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import { type Purpose, vetoOf, wordsOf } from "./names.ts";
import type { Column, Schema } from "./schema.ts";
import { meaningOf } from "./states.ts";
import type { Sample } from "./values.ts";

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** A table whose rows belong to those of another: `reference` is the column that has the other's key. */
export interface Child extends Table {
  readonly reference: string;
}

/** A table with names: in its own column, or in a table of translations. */
export interface Named {
  readonly table: Table;
  readonly key: string;
  readonly title: string;
  readonly texts: Child | null;
}

interface Price {
  readonly column: string;
  /** From the products to the table that has the column; none where it is their own. */
  readonly path: readonly Child[];
}

/** Where a product's category stands: in its own column, or in a table between the two. */
interface Shelving {
  readonly link: Child | null;
  readonly column: string;
}

/** The tables that files are proposed of. */
export interface Chosen {
  readonly products: Named & { readonly price: Price };
  readonly categories: (Named & { readonly shelving: Shelving }) | undefined;
  readonly reviews: { readonly table: Table; readonly key: string } | undefined;
  /** Of what nothing is proposed, and why: a sentence each. */
  readonly notes: readonly string[];
}

/** What a person says of the tables, in place of a guess. */
export interface Wanted {
  readonly products?: string | undefined;
  readonly title?: string | undefined;
  /** A column of the products', or `table.column`. */
  readonly price?: string | undefined;
  readonly categories?: string | undefined;
  readonly currency?: string | undefined;
}

/** Last words of a table's name, the likeliest first. */
const NOUNS: Readonly<Record<Purpose, readonly string[]>> = {
  products: ["product", "item", "article", "track", "download", "good"],
  categories: ["category", "genre", "section", "department", "taxon", "collection"],
  reviews: ["review"],
};

/** In the name of a table that has what products have, and shows none. */
const ASIDE =
  /\b(?:backup|old|tmp|temp|copy|bak|history|archive|import|staging|deleted|test|supplier|stock|inventory|shipping|tax|fee|coupon|plan|material|ingredient|attribute|option)\b/;

const TITLE = /^(?:(?:product|item|article|track|category)_?)?(?:title|name)$/i;
const PRICE = /^(?:(?:unit|list|retail|regular|product|selling|base)_?)?price$/i;
const MINOR =
  /^(?:(?:unit|list|retail|regular|product|selling|base)_?)?(?:price|amount)_?(?:in_?)?(?:cents|minor)$/i;
const AMOUNT = /^(?:amount|value)$/i;
const COIN = /^[A-Z]{3}$/;
const MINE =
  /^(?:slug|handle|url_key|permalink|description|body|content|details|image|image_url|thumbnail|sku|model|brand)$/i;
export const SLUG = /^(?:slug|handle|url_key|permalink)$/i;
export const TEXT = /^(?:description|body|content|details)$/i;
export const RATING = /^(?:rating|stars|grade|score)$/i;
export const REVIEW = /^(?:body|content|comment|text|review|message)$/i;

/** Names of one thing for several audiences: a product may be of one of them, and a text or a price is. */
const SCOPES = new Set(
  "language locale lang store shop site website channel tenant market currency country region zone group tier list segment role quantity qty".split(
    " ",
  ),
);
/** On a product itself the others say what it is. */
const OWN_SCOPES = new Set("language locale lang store shop site website channel tenant market".split(" "));

/** A column's name without the noun of its table, which some put before each: `products_price`, of `products_description` too. */
function withoutNoun(table: string, column: string): string {
  const [, noun = "", rest = column] = /^([a-z]+)_(.+)$/i.exec(column) ?? [];
  const [word = ""] = wordsOf(noun);
  return isNoun(word) && wordsOf(table).includes(word) ? rest : column;
}

function isNoun(word: string): boolean {
  return Object.values(NOUNS).some((nouns) => nouns.includes(word));
}

export function columnLike({ name: table, columns }: Table, pattern: RegExp): string | undefined {
  const bare = () => columns.find(({ name }) => pattern.test(withoutNoun(table, name)));
  return (columns.find(({ name }) => pattern.test(name)) ?? bare())?.name;
}

/** True for a column that says for whom its row is: `language_id`, `channelId`, `min_quantity`. */
export function isScope({ name }: Column, isOwn: boolean): boolean {
  return wordsOf(name).some((word) => (isOwn ? OWN_SCOPES : SCOPES).has(word));
}

export function isMinorName(column: string): boolean {
  return MINOR.test(column.replace(/^products?_/i, ""));
}

function keyOf({ columns }: Table): string | undefined {
  const keys = columns.filter(({ isKey }) => isKey);
  return keys.length === 1 && keys[0]?.kind === "number" && /int|serial/.test(keys[0].type)
    ? keys[0].name
    : undefined;
}

/** The column that names a row of another table: its foreign key, else `category_id`, `CategoryID`, `category`. */
export function referenceTo(table: Table, other: Table): string | undefined {
  const noun = wordsOf(other.name).at(-1) ?? "";
  const key = keyOf(other)?.toLowerCase();
  const named = table.columns.find(({ references }) => references.includes(other.name));
  const likely = table.columns.find(({ name, kind, references }) => {
    const low = name.toLowerCase();
    return (
      kind === "number" &&
      key !== undefined &&
      references.length === 0 &&
      (low === `${noun}_id` || low === `${noun}id` || (low !== "id" && low === key))
    );
  });
  return (named ?? likely)?.name;
}

function titleOf(table: Table): string | undefined {
  const noun = wordsOf(table.name).at(-1) ?? "";
  const own = new RegExp(`^${noun}_?(?:title|name)$`, "i");
  return columnLike(table, TITLE) ?? columnLike(table, own);
}

/** The columns that may be a table's price, the one that is called so alone first. */
function pricesOf(table: Table): readonly string[] {
  const bare = (name: string) => withoutNoun(table.name, name);
  const all = table.columns
    .filter(({ name }) => PRICE.test(bare(name)) || MINOR.test(bare(name)))
    .map(({ name }) => name);
  const plain = all.find((name) => /^price(?:_?(?:in_?)?(?:cents|minor))?$/i.test(bare(name)));
  if (plain !== undefined) return [plain];
  if (all.length > 0 || wordsOf(table.name).at(-1) !== "price") return all;
  const amount = columnLike(table, AMOUNT);
  if (amount !== undefined) return [amount];
  // A column for each currency: which one, a person says.
  return table.columns
    .filter(({ name, kind }) => kind === "number" && COIN.test(name))
    .map(({ name }) => name);
}

class Tables {
  readonly schema: Schema;
  readonly all: readonly Table[];

  constructor(schema: Schema) {
    this.schema = schema;
    this.all = [...schema].map(([name, columns]) => ({ name, columns }));
  }

  /** Tables whose rows belong to those of a table, without those that hold what customers do. */
  childrenOf(table: Table): readonly Child[] {
    return this.all.flatMap((each) => {
      const reference = each.name === table.name ? undefined : referenceTo(each, table);
      const isOthers = reference === undefined || vetoOf(each.name, each.columns, "products") !== null;
      return isOthers ? [] : [{ ...each, reference }];
    });
  }

  /** The table with its names, which may stand in a table of translations. */
  named(table: Table, title = titleOf(table)): Named | null {
    const key = keyOf(table);
    if (key === undefined) return null;
    if (title !== undefined) return { table, key, title, texts: null };
    const all = this.childrenOf(table).filter(
      (each) => titleOf(each) !== undefined && each.columns.some((column) => isScope(column, true)),
    );
    // Names of its parts, of options for example, may have its key, too; but a translation's own key is no more than for whom it is.
    const keyed = all.filter(({ columns, reference }) =>
      columns.every((column) => column.isKey === (column.name === reference || isScope(column, true))),
    );
    const own = `${wordsOf(table.name).join(" ")} `;
    const called = all.filter(({ name }) => wordsOf(name).join(" ").startsWith(own));
    const [texts, another] = all.length <= 1 ? all : keyed.length === 1 ? keyed : called;
    const name = texts === undefined ? undefined : titleOf(texts);
    return texts === undefined || name === undefined || another !== undefined
      ? null
      : { table, key, title: name, texts };
  }

  /** All prices that a table's rows have: its own, else those of its variants, or of their table of prices. */
  prices(table: Table): readonly Price[] {
    const own = pricesOf(table).map((column) => ({ column, path: [] }));
    if (own.length > 0) return own;
    const children = this.childrenOf(table);
    const near = children.flatMap((child) => pricesOf(child).map((column) => ({ column, path: [child] })));
    if (near.length > 0) return near;
    return children.flatMap((child) =>
      this.childrenOf(child).flatMap((far) =>
        referenceTo(far, table) === undefined
          ? pricesOf(far).map((column) => ({ column, path: [child, far] }))
          : [],
      ),
    );
  }

  /** @throws VitrineError usage where there is none */
  find(name: string, flag: string): Table {
    const isIt = (table: Table) => table.name.toLowerCase() === name.toLowerCase();
    const found = this.all.find((table) => table.name === name) ?? this.all.find(isIt);
    if (found !== undefined) return found;
    throw new VitrineError("usage", `The store has no table ${name}, which --${flag} names.`);
  }

  /** A price that a person names. @throws VitrineError usage where it is no column of the table or of one that belongs to it */
  priceAt(table: Table, name: string): Price {
    const [column = "", place = table.name] = name.split(".").reverse();
    const children = this.childrenOf(table);
    const paths = [
      [],
      ...children.map((child) => [child]),
      ...children.flatMap((child) => this.childrenOf(child).map((far) => [child, far])),
    ];
    const path = paths.find((each) => (each.at(-1) ?? table).name === place);
    const has = (path?.at(-1) ?? table).columns.some((each) => each.name === column);
    if (path !== undefined && has) return { column, path };
    throw new VitrineError(
      "usage",
      `--price ${name} is no column of ${table.name}, nor of a table whose rows name its key (TABLE.COLUMN).`,
    );
  }
}

interface Candidate {
  readonly table: Table;
  readonly named: Named | null;
  readonly prices: readonly Price[];
  readonly veto: string | null;
  readonly points: number;
}

/** Of these many points a table is one of products; so many fewer has the next one. */
const [ENOUGH, CLEAR] = [50, 8];
const MOST_NAMED = 5;

function most(count: number, each: number, limit: number): number {
  return Math.min(count * each, limit);
}

/** How the values of a table look: in a few rows, a name that many share is none, and prices are above 0. */
function pointsOfValues(
  sample: Sample | undefined,
  title: string | undefined,
  price: string | undefined,
): number {
  if (sample === undefined) return 0;
  if (sample.rows === 0) return -20;
  const titles = (sample.values.get(title ?? "") ?? []).filter((value) => value !== null && value !== "");
  const prices = sample.values.get(price ?? "") ?? [];
  const isShared = titles.length > 0 && new Set(titles).size < titles.length / 2;
  const isFree = prices.length > 0 && prices.filter((value) => Number(value) > 0).length < prices.length / 2;
  return (isShared ? -10 : 0) + (isFree ? -10 : 0);
}

function candidateOf(table: Table, tables: Tables, sample: Sample | undefined): Candidate {
  const words = wordsOf(table.name);
  const rank = NOUNS.products.indexOf(words.at(-1) ?? "");
  const named = tables.named(table);
  const prices = tables.prices(table);
  const others = tables.all.filter(({ name }) => name !== table.name);
  const isOfProduct = others.some(
    (other) =>
      NOUNS.products.includes(wordsOf(other.name).at(-1) ?? "") && referenceTo(table, other) !== undefined,
  );
  const isShelved = others.some(
    (other) =>
      NOUNS.categories.includes(wordsOf(other.name).at(-1) ?? "") && referenceTo(table, other) !== undefined,
  );
  const [price, another] = prices;
  const isOwn = price?.path.length === 0;
  const points =
    (rank === 0 ? 30 : rank > 0 ? 20 - rank : 0) -
    2 * Math.max(0, words.length - 1) -
    (ASIDE.test(words.join(" ")) ? 30 : 0) +
    (named === null ? 0 : named.texts === null ? 15 : 12) +
    (price === undefined ? 0 : another !== undefined ? 10 : isOwn ? 20 : 15) +
    most(table.columns.filter(({ name }) => MINE.test(name)).length, 3, 12) +
    most(table.columns.filter(({ name }) => meaningOf(name) !== null).length, 3, 6) +
    most(tables.childrenOf(table).length, 2, 6) +
    (isShelved ? 6 : 0) -
    (isOfProduct ? 15 : 0) +
    pointsOfValues(sample, titleOf(table), isOwn ? price.column : undefined);
  return { table, named, prices, veto: vetoOf(table.name, table.columns, "products"), points };
}

/** The numbers of a table that may be a price under another name. */
function numbersOf({ columns }: Table): readonly string[] {
  return columns
    .filter(
      ({ name, kind, isKey, references }) =>
        kind === "number" && !isKey && references.length === 0 && !/_?id$/i.test(name),
    )
    .map(({ name }) => name)
    .slice(0, MOST_NAMED);
}

function spelled({ column, path }: Price): string {
  return [...path.slice(-1).map(({ name }) => name), column].join(".");
}

/** `film (1,000 rows; key film_id; name title; no price that is called so, its numbers are length, rental_rate)` */
function described({ table, named, prices }: Candidate, sample: Sample | undefined): string {
  const key = keyOf(table);
  const numbers = numbersOf(table);
  const title = named?.title ?? titleOf(table);
  return [
    `${table.name} (${sample === undefined ? "" : `${formatCount(sample.rows)} rows; `}`,
    key === undefined ? "no single whole number as its key; " : `key ${key}; `,
    title === undefined ? "no name" : `name ${named?.texts ? `${named.texts.name}.` : ""}${title}`,
    prices.length > 0
      ? `; price ${prices.map(spelled).join(" or ")}`
      : `; no price that is called so${numbers.length > 0 ? `, its numbers are ${numbers.join(", ")}` : ""}`,
    ")",
  ].join("");
}

export const BY_HAND =
  "Name them with --products TABLE --price COLUMN (TABLE.COLUMN where prices stand in another), --title COLUMN and --categories TABLE, " +
  "or write the SQL files yourself, which takes minutes (docs/own-store.md). Nothing was written.";

/** Why nothing is proposed of a kind; none where nothing looked like it. */
function vetoes(what: string, vetoed: readonly (readonly [string, string])[]): string[] {
  const told = vetoed.slice(0, MOST_NAMED).map(([name, veto]) => `${name}: ${veto}`);
  return told.length === 0 ? [] : [`${what}: never proposed are ${told.join("; ")}.`];
}

type Samples = ReadonlyMap<string, Sample>;

function refusal(
  schema: Schema,
  all: readonly Candidate[],
  samples: Samples,
  alike: readonly Candidate[],
): VitrineError {
  const nearest = all.filter(({ veto, points }) => veto === null && points > 0).slice(0, MOST_NAMED);
  const like = all.filter(({ veto, named, prices }) => veto !== null && named !== null && prices.length > 0);
  const told = nearest.map((each) => described(each, samples.get(each.table.name)));
  return new VitrineError(
    "usage",
    [
      alike.length > 1
        ? `Products: ${alike.map(({ table }) => table.name).join(" or ")}? That can't be told.`
        : `None of the store's ${schema.size} tables can be told to be its products: one with a whole number as its key, a name and a price.`,
      ...(told.length === 0 ? [] : [`The nearest: ${told.join(", ")}.`]),
      ...vetoes(
        "Products",
        like.map(({ table, veto }) => [table.name, veto ?? ""]),
      ),
      BY_HAND,
    ].join(" "),
  );
}

/** Tables that are worth a look at their values: those with a key and a name or a price, that nothing speaks against. */
export function tablesToSample(
  schema: Schema,
): readonly { readonly table: Table; readonly columns: readonly string[] }[] {
  const tables = new Tables(schema);
  const found = tables.all
    .map((table) => candidateOf(table, tables, undefined))
    .filter(({ veto, points }) => veto === null && points > 0);
  return found
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_SAMPLED)
    .map(({ table }) => ({
      table,
      columns: [...new Set([titleOf(table), ...pricesOf(table)])].filter((name) => name !== undefined),
    }));
}
const MOST_SAMPLED = 20;

/** The products' table with its name and price. @throws VitrineError usage where they cannot be told */
function chooseProducts(tables: Tables, samples: Samples, wanted: Wanted): Chosen["products"] {
  const all = tables.all
    .map((table) => candidateOf(table, tables, samples.get(table.name)))
    .toSorted((a, b) => b.points - a.points || (a.table.name < b.table.name ? -1 : 1));
  const isWhole = ({ named, prices }: Candidate) =>
    named !== null && (prices.length > 0 || wanted.price !== undefined);
  const allowed = all.filter(({ veto }) => veto === null);
  const [first, second] = allowed.filter((each) => isWhole(each) && each.points >= ENOUGH - CLEAR);
  const asked = wanted.products === undefined ? undefined : tables.find(wanted.products, "products");
  const isClear =
    first !== undefined && first.points >= ENOUGH && first.points - (second?.points ?? 0) >= CLEAR;
  const chosen =
    asked === undefined ? (isClear ? first : undefined) : all.find(({ table }) => table.name === asked.name);
  if (chosen === undefined) {
    const alike = first === undefined || second === undefined ? [] : [first, second];
    throw refusal(tables.schema, all, samples, alike);
  }
  const { table, veto } = chosen;
  if (veto !== null) throw new VitrineError("usage", `${table.name} is never proposed: ${veto}. ${BY_HAND}`);
  if (wanted.title !== undefined && !table.columns.some(({ name }) => name === wanted.title))
    throw new VitrineError("usage", `--title ${wanted.title} is no column of ${table.name}.`);
  const named = tables.named(table, wanted.title ?? titleOf(table));
  const [price, another] = wanted.price === undefined ? chosen.prices : [tables.priceAt(table, wanted.price)];
  if (named !== null && price !== undefined && another === undefined) return { ...named, price };
  throw new VitrineError(
    "usage",
    `Of ${described(chosen, samples.get(table.name))} not all can be told. ${BY_HAND}`,
  );
}

/** Beside its two keys a table between may say where, since when and which is the first. */
const PLACE = /id$|order|position|rank|primary|main|default|date|_(?:at|on)$/i;

/** True for a table that does no more than lead from one to another. */
function isLink({ columns }: Table): boolean {
  const isPlace = ({ name, kind, isKey, references }: Column) =>
    isKey || kind === "time" || references.length > 0 || PLACE.test(name);
  return columns.length <= 6 && columns.every(isPlace);
}

function shelvingOf(tables: Tables, products: Table, categories: Table): Shelving | null {
  const column = referenceTo(products, categories);
  if (column !== undefined) return { link: null, column };
  const links = tables.childrenOf(products).flatMap((link) => {
    const other = link.name === categories.name ? undefined : referenceTo(link, categories);
    return other === undefined || !isLink(link) ? [] : [{ link, column: other }];
  });
  return links.length === 1 ? (links[0] ?? null) : null;
}

function chooseCategories(tables: Tables, products: Table, wanted: Wanted) {
  const asked = wanted.categories === undefined ? undefined : tables.find(wanted.categories, "categories");
  const called = tables.all.filter(
    (table) =>
      asked === table ||
      (asked === undefined &&
        NOUNS.categories.includes(wordsOf(table.name).at(-1) ?? "") &&
        !ASIDE.test(wordsOf(table.name).join(" "))),
  );
  const vetoed = called.flatMap((table) => {
    const veto = vetoOf(table.name, table.columns, "categories");
    return veto === null ? [] : [[table.name, veto] as const];
  });
  const found = called.flatMap((table) => {
    const [named, shelving] = [tables.named(table), shelvingOf(tables, products, table)];
    const isVetoed = vetoed.some(([name]) => name === table.name);
    return named === null || shelving === null || isVetoed ? [] : [{ ...named, shelving }];
  });
  const [first, ...others] = found;
  const alike = others.length === 0 ? [] : found.map(({ table }) => table.name);
  const notes = [
    ...(alike.length > 0
      ? [`Categories: ${alike.join(" or ")}? That can't be told, so none is proposed: --categories TABLE.`]
      : []),
    ...(asked !== undefined && found.length === 0
      ? [`Categories: nothing leads from ${products.name} to ${asked.name}.`]
      : []),
    ...vetoes("Categories", vetoed),
  ];
  return { categories: alike.length > 0 ? undefined : first, notes };
}

function chooseReviews(tables: Tables, products: Table) {
  const called = tables.all.filter(
    (table) =>
      NOUNS.reviews.includes(wordsOf(table.name).at(-1) ?? "") &&
      keyOf(table) !== undefined &&
      columnLike(table, RATING) !== undefined,
  );
  const vetoed = called.flatMap((table) => {
    const veto = vetoOf(table.name, table.columns, "reviews");
    return veto === null ? [] : [[table.name, veto] as const];
  });
  const [table, another] = called.filter(({ name }) => !vetoed.some(([each]) => each === name));
  const notes = vetoes("Reviews", vetoed);
  if (table === undefined) return { reviews: undefined, notes };
  if (another !== undefined)
    return {
      reviews: undefined,
      notes: [
        ...notes,
        `Reviews: ${table.name} or ${another.name}? That can't be told, so none is proposed.`,
      ],
    };
  const isReviewed =
    referenceTo(table, products) !== undefined &&
    columnLike(table, REVIEW) !== undefined &&
    table.columns.some(({ name }) => meaningOf(name) !== null);
  const why = `Reviews: ${table.name} has no column that says who approved them, or none that names the product or the text.`;
  return isReviewed
    ? { reviews: { table, key: keyOf(table) ?? "" }, notes }
    : { reviews: undefined, notes: [...notes, why] };
}

/**
 * Which tables files are proposed of.
 * @param samples rows of tables, by name, as far as somebody looked
 * @throws VitrineError usage where no table of products can be told
 */
export function chooseTables(schema: Schema, samples: Samples = new Map(), wanted: Wanted = {}): Chosen {
  const tables = new Tables(schema);
  const products = chooseProducts(tables, samples, wanted);
  const { categories, notes } = chooseCategories(tables, products.table, wanted);
  const { reviews, notes: more } = chooseReviews(tables, products.table);
  return { products, categories, reviews, notes: [...notes, ...more] };
}

/** In the name of what lowers prices. */
export const ON_SALE = /sale|special|discount|offer|promo|campaign/i;
const LOWERED = /price|percent|amount|value|rate|reduction|discount/i;

/** Tables that may lower prices of products: `specials`, `product_campaigns`, with the column that says to what. */
export function salesOf(schema: Schema, { table }: Named): readonly (Table & { readonly column: string })[] {
  return [...schema].flatMap(([name, columns]) => {
    const each = { name, columns };
    const isOfProducts = name !== table.name && referenceTo(each, table) !== undefined;
    const column = columns.find(({ name: own, kind }) => kind === "number" && LOWERED.test(own));
    return isOfProducts && ON_SALE.test(name) && column !== undefined
      ? [{ ...each, column: column.name }]
      : [];
  });
}

/** Tables that say of products for whom they are: `product_to_store`, `product_channels`, with the column that says it. */
export function limitsOf(schema: Schema, { table }: Named): readonly (Child & { readonly scope: string })[] {
  return [...schema].flatMap(([name, columns]) => {
    const each = { name, columns };
    const reference = name === table.name ? undefined : referenceTo(each, table);
    const isOfPersons = vetoOf(name, columns, "products") !== null;
    const scope = columns.find(
      (column) =>
        column.name !== reference && (isScope(column, true) || (isOfPersons && isScope(column, false))),
    );
    // A tag of a product in a language says nothing of who sees the product.
    const isOfTexts = columns.some(({ name: own, kind }) => kind === "text" && own !== scope?.name);
    return reference === undefined ||
      scope === undefined ||
      isOfTexts ||
      !isLink(each) ||
      ASIDE.test(wordsOf(name).join(" "))
      ? []
      : [{ ...each, reference, scope: scope.name }];
  });
}
