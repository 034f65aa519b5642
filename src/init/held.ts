/** What the columns that speak of states hold, with counts: asked of the store for a proposal. */
import { isBlob, type StoreReader } from "../extract/store.ts";
import { quoteName } from "../extract/stores/sql.ts";
import { type Chosen, type HeldBy, statesOf } from "./propose.ts";
import { ask, type Column, type Dialect } from "./schema.ts";
import type { Counted, Held } from "./states.ts";

/** More values than these no person chooses from. */
const MOST_VALUES = 8;

async function readColumn(
  store: StoreReader,
  table: string,
  { name, kind }: Column,
  dialect: Dialect,
): Promise<Held> {
  const [source, column] = [quoteName(table, dialect), quoteName(name, dialect)];
  const rows = await ask(
    store,
    `SELECT ${column} AS held, COUNT(*) AS amount FROM ${source} GROUP BY ${column} ORDER BY COUNT(*) DESC LIMIT ${MOST_VALUES + 1}`,
    ["held", "amount"],
  );
  const counted: Counted[] = rows.flatMap(([value = null, amount]) =>
    isBlob(value) ? [] : [{ value, rows: Number(amount) }],
  );
  const isListed = rows.length <= MOST_VALUES && counted.length === rows.length;
  return { values: isListed ? counted : null, isText: await isText(store, source, column, kind, dialect) };
}

/** In SQLite any column may hold anything. */
async function isText(
  store: StoreReader,
  source: string,
  column: string,
  kind: Column["kind"],
  dialect: Dialect,
): Promise<boolean> {
  if (dialect !== "sqlite") return kind === "text";
  const others = `SELECT COUNT(*) AS amount FROM ${source} WHERE typeof(${column}) NOT IN ('text', 'null')`;
  const [[amount] = []] = await ask(store, others, ["amount"]);
  return amount === 0;
}

/** @throws VitrineError store_unreadable */
export async function readHeld(store: StoreReader, chosen: Chosen, dialect: Dialect): Promise<HeldBy> {
  const held = new Map<string, Held>();
  for (const table of [chosen.products, chosen.categories, chosen.reviews])
    for (const column of table === undefined ? [] : statesOf(table))
      held.set(
        JSON.stringify([table?.name, column.name]),
        await readColumn(store, table?.name ?? "", column, dialect),
      );
  return (table, column) => held.get(JSON.stringify([table, column])) ?? { values: null, isText: false };
}
