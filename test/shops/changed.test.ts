/**
 * `changed.sql` of the shops and of the demo reads what the other files read: each column of each table, and each setting. What it
 * need not read is in a table here, with the reason. Judged by the SQL alone, as shipped and with all that `init` writes into it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withoutComments } from "../../src/base/sql-words.ts";
import { choicesOfShop, SHOP_NAMES } from "../../src/setup/shops.ts";
import { filesFromInit } from "./files-from-init.ts";

/** Columns that the shop sets whenever it saves a row: where changed.sql reads one, it need not read the others of the table. */
const SAVED = /^(?:updated_?at|date_(?:upd|modified)|post_modified_gmt)$/i;

/** What changed.sql need not read, with the reason: a table, one of its columns, or the name of a setting. */
type Exceptions = Readonly<Record<string, string>>;

const WITH_PRODUCT = "saved with the product, whose time changes";
const WITH_CATEGORY = "saved with the category, whose time changes";
const TEXT = "an edited text of a review waits for the hourly reading";
const INSTALLED = "written when the shop is installed";

const WORDPRESS: Exceptions = {
  wp_comments: `comment_count of the post shows a new one; ${TEXT}`,
  "'_thumbnail_id'": "a picture that is replaced in the media library waits for the hourly reading",
  "'_wp_attached_file'": "a picture that is replaced in the media library waits for the hourly reading",
  "wp_postmeta.meta_id": "changes with a row's value only if rows are made again, by a save",
};

const DEMO: Exceptions = {
  license_tiers: WITH_PRODUCT,
  product_media: WITH_PRODUCT,
  posts: "an edited or hidden post waits for the hourly reading",
  releases: "an edited text of a release waits for the hourly reading",
  reviews: TEXT,
  users: "a changed name of a person waits for the hourly reading",
  "threads.created_at": "never changes",
  "threads.slug": "an edited text of a thread waits for the hourly reading",
  "threads.title": "an edited text of a thread waits for the hourly reading",
};

const EXCEPTIONS: Readonly<Record<string, Exceptions>> = {
  woocommerce: {
    ...WORDPRESS,
    wp_commentmeta: "average_rating and rating_count of the product show a new one",
    "'rating'": "average_rating and rating_count of the product show a new one",
    "'verified'": "written with the review",
    "'_regular_price'": `${WITH_PRODUCT}; what plain SQL must write for a price to be shown is _price`,
    "'_sale_price'": WITH_PRODUCT,
    "'_sale_price_dates_from'": WITH_PRODUCT,
    "'_sale_price_dates_to'": WITH_PRODUCT,
    "'_children'": WITH_PRODUCT,
    "'_product_image_gallery'": WITH_PRODUCT,
    "'_yoast_wpseo_primary_product_cat'": WITH_PRODUCT,
  },
  edd: {
    ...WORDPRESS,
    "wp_commentmeta.meta_id": "written with the review",
    "'edd_review_title'": TEXT,
    "'_edd_product_type'": WITH_PRODUCT,
    "'_variable_pricing'": WITH_PRODUCT,
    "'edd_price'": WITH_PRODUCT,
    "'edd_variable_prices'": WITH_PRODUCT,
    "'_yoast_wpseo_primary_download_category'": WITH_PRODUCT,
  },
  prestashop: {
    ps_product: WITH_PRODUCT,
    ps_product_lang: WITH_PRODUCT,
    "ps_product_comment.title": TEXT,
    "ps_product_comment.content": TEXT,
    "ps_product_comment.customer_name": TEXT,
    "ps_product_comment.date_add": "never changes",
  },
  opencart: {
    oc_product_description: WITH_PRODUCT,
    oc_product_image: WITH_PRODUCT,
    oc_product_to_store: WITH_PRODUCT,
    "oc_review.author": TEXT,
    "oc_review.text": TEXT,
    "oc_review.date_added": "never changes",
  },
  magento: {
    mage_catalog_product_entity_datetime: WITH_PRODUCT,
    mage_catalog_product_entity_decimal: WITH_PRODUCT,
    mage_catalog_product_entity_int: WITH_PRODUCT,
    mage_catalog_product_entity_media_gallery: WITH_PRODUCT,
    mage_catalog_product_entity_media_gallery_value: WITH_PRODUCT,
    mage_catalog_product_entity_text: WITH_PRODUCT,
    mage_catalog_product_entity_varchar: WITH_PRODUCT,
    mage_catalog_category_entity_int: WITH_CATEGORY,
    mage_catalog_category_entity_text: WITH_CATEGORY,
    mage_catalog_category_entity_varchar: WITH_CATEGORY,
    mage_core_url_rewrite: "a new address is a new row, with a larger id",
    mage_eav_attribute: INSTALLED,
    mage_eav_entity_type: INSTALLED,
    mage_review_entity: INSTALLED,
    mage_review_detail: TEXT,
    "mage_review.created_at": "never changes",
    "mage_review.entity_id": "never changes",
  },
  medusa: { "api_key.created_at": "never changes" },
  vendure: {
    collection_closure: "a moved collection is saved, and its time changes",
    zone: "only its id is read, as chosen in init",
  },
};

/** SQL files by name. */
type Files = ReadonlyMap<string, string>;

/** A SELECT: its text without those in brackets in it. */
interface Select {
  text: string;
  readonly outer: Select | null;
}

/** All SELECTs of a text, each with the one that it is in. */
function selectsIn(sql: string): Select[] {
  let current: Select = { text: "", outer: null };
  const selects = [current];
  const begin = (outer: Select | null) => {
    current = { text: "", outer };
    selects.push(current);
  };
  const plain = withoutComments(sql).replaceAll(/'[^']*'/g, "''");
  for (const [token] of plain.matchAll(/\bUNION\b|[()]|\w+|[^()\w]+/g)) {
    if (token === "(") {
      current.text += " () ";
      begin(current);
    } else if (token === ")") current = current.outer ?? current;
    else if (token === "UNION") begin(current.outer);
    else current.text += token;
  }
  return selects;
}

/** What the SELECT names, by alias; null for one in brackets. */
function sourcesOf({ text }: Select): ReadonlyMap<string, string | null> {
  const inBrackets = Array.from(
    text.matchAll(/\(\)\s+AS\s+(\w+)/g),
    ([, alias = ""]) => [alias, null] as const,
  );
  const named = Array.from(
    text.matchAll(/\b(?:FROM|JOIN)\s+([a-z_]\w*)(?![\w.]|\s*\(\))(?:\s+(?:AS\s+)?([a-z]\w*))?/g),
    ([, source = "", alias = source]) => [alias, source] as const,
  );
  return new Map<string, string | null>([...inBrackets, ...named]);
}

/** `products.name`, `view.column`: all columns that SQL names by an alias. */
function columnsIn(sql: string): Set<string> {
  const selects = selectsIn(sql);
  const sources = new Map(selects.map((select) => [select, sourcesOf(select)]));
  const columns = new Set<string>();
  for (const select of selects)
    for (const [, alias = "", column] of select.text.matchAll(/(?<![\w.'"])(\w+)\s*\.\s*["`]?(\w+)/g))
      for (let place: Select | null = select; place !== null; place = place.outer) {
        const source = sources.get(place)?.get(alias);
        if (source === undefined) continue;
        if (source !== null) columns.add(`${source}.${column}`);
        break;
      }
  return columns;
}

const tableOf = (column: string) => column.split(".")[0] ?? "";

/** Names that a text defines with WITH, each with its SQL, from its own line to the next one. */
const VIEW = /^(?=\w+ (?:\([^)]*\) )?AS (?:(?:NOT )?MATERIALIZED )?\(\n)/m;

function viewsIn(sql: string): ReadonlyMap<string, string> {
  const views = sql.replaceAll(/^WITH (?:RECURSIVE )?/gm, "").split(VIEW);
  return new Map(views.filter((text) => VIEW.test(text)).map((text) => [/^\w+/.exec(text)?.[0] ?? "", text]));
}

interface Reads {
  /** Of tables, not of views. */
  readonly columns: ReadonlySet<string>;
  /** Names of rows, such as settings and keys of metadata: 'blogname'. */
  readonly rows: ReadonlySet<string>;
}

const ROWS = /\b(?:option_name|key|path|name|meta_key|taxonomy)`?\s+(?:=\s*('[^']*')|IN\s*\(('[^)]*)\))/g;

/** What a file reads, also through the views that it uses. */
function readsOf(sql: string, views: ReadonlyMap<string, string>): Reads {
  const own = viewsIn(sql);
  const texts = [sql];
  const used = new Set<string>();
  for (const text of texts)
    for (const select of selectsIn(text))
      for (const source of sourcesOf(select).values()) {
        const view = source === null ? undefined : views.get(source);
        if (source === null || view === undefined || used.has(source)) continue;
        used.add(source);
        texts.push(view);
      }
  const columns = texts.flatMap((text) => [...columnsIn(text)]);
  const lists = texts.flatMap((text) =>
    Array.from(withoutComments(text).matchAll(ROWS), ([, one, several]) => one ?? several ?? ""),
  );
  return {
    columns: new Set(columns.filter((column) => !views.has(tableOf(column)) && !own.has(tableOf(column)))),
    rows: new Set(lists.flatMap((list) => list.match(/'[^']+'/g) ?? [])),
  };
}

/** What the other files read, and changed.sql does not. */
function missingIn(files: Files, exceptions: Exceptions): string[] {
  const views = viewsIn(withoutComments(files.get("_views.sql") ?? ""));
  const sql = files.get("changed.sql") ?? "";
  const known = readsOf(sql, views);
  const saved = new Set(
    [...known.columns].filter((column) => SAVED.test(column.split(".")[1] ?? "")).map(tableOf),
  );
  const others = [...files].filter(([file]) => file !== "changed.sql" && file !== "_views.sql");
  const reads = others.map(([, text]) => readsOf(text, views));
  // A view must be summed up whole.
  const shown = columnsIn(sql);
  const unseen = [...new Set([...shown].map(tableOf))].flatMap((view) => {
    const [, header = ""] = /^\w+ \(([^)]*)\)/.exec(views.get(view) ?? "") ?? [];
    return (header.match(/\w+/g) ?? [])
      .map((column) => `${view}.${column}`)
      .filter((column) => !shown.has(column));
  });
  const columns = reads.flatMap((read) => [...read.columns]);
  const rows = reads.flatMap((read) => [...read.rows]);
  return [
    ...unseen,
    ...columns.filter((column) => !known.columns.has(column) && !saved.has(tableOf(column))),
    ...rows.filter((row) => !known.rows.has(row)),
  ]
    .filter((name) => exceptions[name] === undefined && exceptions[tableOf(name)] === undefined)
    .filter((name, place, all) => all.indexOf(name) === place)
    .sort();
}

function filesOf(folder: string): Files {
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, "utf8")]));
}

/** Has the tables of every plugin. */
class AllTables extends Map<string, []> {
  override has(): boolean {
    return true;
  }
}

/** A shop's files with each change and each choice that `init` may write into them. */
async function changedFilesOf(name: string): Promise<Files> {
  const { found, files } = await filesFromInit(name, new AllTables());
  const views = choicesOfShop(found, new AllTables()).reduce(
    (text, { view, select }) =>
      text.replace(
        new RegExp(`^(${view} \\(\\w+\\) AS \\(\\n)[\\s\\S]*?\\n(?=\\),?$)`, "m"),
        `$1  ${select}\n`,
      ),
    files.get("_views.sql") ?? "",
  );
  return new Map(files).set("_views.sql", views);
}

describe.each(SHOP_NAMES)("changed.sql of %s reads what the other files read", (name) => {
  it("as shipped", () =>
    expect(missingIn(filesOf(`templates/shops/${name}/queries`), EXCEPTIONS[name] ?? {})).toEqual([]));

  it("with what init writes into them", async () =>
    expect(missingIn(await changedFilesOf(name), EXCEPTIONS[name] ?? {})).toEqual([]));
});

it.each(["queries", "queries-mysql", "queries-postgres"])(
  "changed.sql of the demo reads what the others of %s read",
  (name) => expect(missingIn(filesOf(`templates/${name}`), DEMO)).toEqual([]),
);
