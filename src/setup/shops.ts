/** The shops of shop-table.ts in a store: which one it is, its SQL files, and what of it can be chosen. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { templateFolder } from "../package.ts";
import type { Dialect, Schema } from "./schema.ts";
import { type Choice, type ChoiceKind, type Setting, SHOPS, type Shop } from "./shop-table.ts";

export const SHOP_NAMES: readonly string[] = SHOPS.map(({ name }) => name);

/** The kinds of choices that shops have: `init` has a flag for each. */
export const CHOICE_KINDS: readonly ChoiceKind[] = [
  ...new Set(SHOPS.flatMap(({ choices = [] }) => choices.map(({ kind }) => kind))),
];

/** Texts of SQL files by name, without the folder. */
export type SqlFiles = ReadonlyMap<string, string>;

export interface FoundShop {
  readonly shop: Shop;
  readonly prefix: string;
}

/** All shops that a store may be: one WordPress may have several. */
export function recogniseShops(schema: Schema, dialect: Dialect): readonly FoundShop[] {
  return shopsWithTables(schema).filter(({ shop }) => shop.dialect === dialect);
}

function shopsWithTables(schema: Schema): readonly FoundShop[] {
  return SHOPS.flatMap((shop) => {
    const [mark = "", ...others] = shop.tables;
    const prefixes = [...schema.keys()]
      .filter((table) => table.endsWith(mark) && (shop.prefix !== "" || table === mark))
      .map((table) => table.slice(0, -mark.length));
    return prefixes
      .filter((prefix) => others.every((table) => schema.has(prefix + table)))
      .map((prefix) => ({ shop, prefix }));
  });
}

/**
 * The shop's SQL files by name, with its prefix, changed by its settings; and notes about the settings.
 * `held` asks the store for a setting: null if it is off.
 */
export async function filesOfShop(
  found: FoundShop,
  schema: Schema,
  held: (sql: string) => Promise<string | null>,
): Promise<{ readonly files: SqlFiles; readonly notes: string[] }> {
  const { shop, prefix } = found;
  const changes: NonNullable<Setting["change"]>[] = [];
  const notes: string[] = [];
  for (const { table, sql, change, note } of shop.settings ?? []) {
    if (table !== undefined && !schema.has(prefix + table)) continue;
    const value = await held(prefixed(found, sql));
    if (value === null) continue;
    if (change !== undefined) changes.push({ from: change.from, to: prefixed(found, change.to) });
    if (note !== undefined) notes.push(note.replace("$1", () => value));
  }
  const folder = join(templateFolder("shops"), shop.name, "queries");
  const files = readdirSync(folder).map((file) => {
    const sql = prefixed(found, readFileSync(join(folder, file), "utf8"));
    return [file, changes.reduce((text, { from, to }) => text.replaceAll(from, () => to), sql)] as const;
  });
  return { files: new Map(files), notes };
}

/** SQL with the tables' names of a shop that has another prefix, which may have dollar signs: `a$$_`. */
function prefixed({ shop, prefix }: FoundShop, sql: string): string {
  return shop.prefix === "" ? sql : sql.replace(new RegExp(`\\b${shop.prefix}(?=[a-z])`, "g"), () => prefix);
}

/** The shop's choices, for its prefix; those whose tables are missing are left out. */
export function choicesOfShop(found: FoundShop, schema: Schema): readonly Choice[] {
  return (found.shop.choices ?? [])
    .filter(({ tables = [] }) => tables.every((table) => schema.has(found.prefix + table)))
    .map((choice) => ({
      ...choice,
      candidates: prefixed(found, choice.candidates),
      select: prefixed(found, choice.select),
      ...(choice.decided === undefined ? {} : { decided: prefixed(found, choice.decided) }),
    }));
}

/** The shop's page: what becomes public and why, what is left out, what to check. */
export function pageOfShop({ shop }: FoundShop): string {
  return readFileSync(join(templateFolder("shops"), shop.name, "README.md"), "utf8");
}

/** What to say if a store has the tables of a shop that is known in another database only; null if it has not. */
export function otherDatabaseNote(schema: Schema, dialect: Dialect, name?: string): string | null {
  const [found] = shopsWithTables(schema).filter(
    ({ shop }) => shop.dialect !== dialect && (name === undefined || shop.name === name),
  );
  if (found === undefined) return null;
  const { title, dialect: known } = found.shop;
  const here = dialect === "mysql" ? "MariaDB or MySQL" : DATABASES[dialect];
  return (
    `This has the tables of ${title}, in ${here}. Vitrine has SQL files for ${title} in ${DATABASES[known]} only, and those would not ` +
    "run here: move the shop's database there, or write your own files as for any other store; queries of templates/shops/" +
    `${found.shop.name} say what must be public.`
  );
}

const DATABASES: Readonly<Record<Dialect, string>> = {
  sqlite: "SQLite",
  postgres: "PostgreSQL",
  mysql: "MariaDB and MySQL",
};

/** A note if a store without a known shop is a WordPress: it has many posts and comments, but no products. */
export function wordPressNote(schema: Schema): string | null {
  const isThere = [...schema.keys()].some(
    (table) =>
      table.endsWith("options") &&
      ["posts", "postmeta", "term_taxonomy", "comments"].every((each) =>
        schema.has(table.slice(0, -"options".length) + each),
      ),
  );
  return isThere
    ? "This is a WordPress without a shop: it has no tables of WooCommerce or Easy Digital Downloads."
    : null;
}
