/** A shop's files as `init` writes them for a store with given tables, where each setting that changes them is on. */
import { readFileSync } from "node:fs";
import type { Schema } from "../../src/setup/schema.ts";
import { type FoundShop, filesOfShop, recogniseShops, type SqlFiles } from "../../src/setup/shops.ts";
import { dumpOf } from "../support/dump.ts";

/** The tables by which a shop is recognised: those that its own code made, or those of its seed. */
function tablesOf(name: string): Schema {
  const sql = ["opencart", "saleor"].includes(name)
    ? readFileSync(`templates/shops/${name}/seed.sql`, "utf8")
    : dumpOf(name);
  const made = /CREATE TABLE (?:public\.)?[`"]?(\w+)/g;
  return new Map(Array.from(sql.matchAll(made), ([, table = ""]) => [table, []]));
}

/** @param schema the tables of plugins, with the shop's usual prefix */
export async function filesFromInit(
  name: string,
  schema: Schema,
): Promise<{ readonly found: FoundShop; readonly files: SqlFiles }> {
  const recognised = (["mysql", "postgres"] as const)
    .flatMap((dialect) => recogniseShops(tablesOf(name), dialect))
    .find(({ shop }) => shop.name === name);
  if (recognised === undefined) throw new Error(`${name} is not recognised by its tables`);
  const found = { shop: recognised.shop, prefix: recognised.shop.prefix };
  const { files } = await filesOfShop(found, schema, async () => "1");
  return { found, files };
}
