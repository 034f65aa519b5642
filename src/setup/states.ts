/**
 * Columns that say whether a row is public: which they are, by their names, and what to ask of them, by their types and the few
 * values that they have. A value that could mean either is left to a person.
 */
import { formatCount } from "../base/log.ts";
import { isBlob, type StoreReader } from "../extract/store.ts";
import { quoteName } from "../extract/stores/sql.ts";
import { choiceCondition } from "../extract/unconfirmed.ts";
import { wordsOf } from "./names.ts";
import { ask, type Column, type Dialect } from "./schema.ts";

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Around the words below these change nothing: `is_active`, `product_status`, `status_id`. */
const AROUND =
  words(`is be was are has flag id code value item product article track category review shop store web
  record entry row`);
const STATES = words("status state visibility approval moderation publication stage lifecycle workflow");
const YES =
  words(`active enabled published publish visible public approved listed online live available released show
  shown display displayed sellable saleable`);
const NO =
  words(`inactive disabled deleted archived trashed hidden draft private internal discontinued spam test removed
  unpublished unlisted invisible offline blocked banned rejected pending suspended hide obsolete retired expired member
  only wholesale restricted secret confidential embargoed not deactivated`);
/** Ends of names that say when. */
const WHEN = words("at on date time datetime timestamp from since until till to");
const ENDS = words("until till to");
const GONE =
  words(`deleted delete archived archive trashed removed remove disabled hidden discontinued unpublished deactivated
  retired rejected suspended blocked banned obsolete`);
const FROM =
  words(`published publish publication available released release embargo visible live active activated launch launched
  online listed approved enabled show start valid`);
const UNTIL = words("expire expired expiry expiration end ended");

/** States that are public wherever they are used. */
const PUBLIC_WORDS = words("published publish public active visible approved live enabled");

/** What of a row must be so that it is public. */
export interface Condition {
  readonly sql: string;
  /** What its lines of SQL say behind `--`; "" for nothing. */
  readonly note: string;
}

/** A value of a column, with how many rows have it. */
interface Counted {
  readonly value: string | number | null;
  readonly rows: number;
}

/** What a column holds; `values` is null where it has more than a person could choose from. */
interface Held {
  readonly values: readonly Counted[] | null;
  /** True where all that is not NULL is text. */
  readonly isText: boolean;
}

type Meaning = "gone" | "from" | "until" | "yes" | "no" | "state" | "password";

/** What a column says of its row's being public, by its name alone; null where it says nothing of it. */
export function meaningOf(name: string): Meaning | null {
  const all = wordsOf(name);
  if (all.length === 1 && (all[0] === "password" || all[0] === "passphrase")) return "password";
  const said = all.filter((word) => !AROUND.has(word));
  const [what = "", ...others] = said.filter((word) => !WHEN.has(word));
  const isMoment = said.some((word) => WHEN.has(word)) || UNTIL.has(what) || what === "embargo";
  if (isMoment && others.length === 0) {
    if (GONE.has(what)) return "gone";
    if (UNTIL.has(what)) return "until";
    if (what === "embargo" || (FROM.has(what) && !said.some((word) => ENDS.has(word)))) return "from";
    return FROM.has(what) ? "until" : null;
  }
  // `public_id` names a row, and says nothing of its state; `status_id` does.
  const isName = ["id", "code"].includes(all.at(-1) ?? "") && !said.some((word) => STATES.has(word));
  if (said.length === 0 || isName || !said.every((word) => STATES.has(word) || YES.has(word) || NO.has(word)))
    return null;
  if (said.some((word) => STATES.has(word))) return "state";
  if (said.every((word) => YES.has(word))) return "yes";
  return said.every((word) => NO.has(word)) && !said.includes("not") ? "no" : "state";
}

const NOW: Readonly<Record<Dialect, string>> = {
  sqlite: ":now",
  mysql: "@now",
  postgres: "current_setting('vitrine.now')::timestamptz",
};

/** SQL of a value; null where it would have to be escaped: nobody calls a state so. Drivers give some numbers as texts. */
function literalOf(value: string | number, kind: Column["kind"] = "any"): string | null {
  if (typeof value === "number" || (kind === "number" && /^-?\d+(?:\.\d+)?$/.test(value)))
    return String(value);
  return /^[\p{L}\p{N}][\p{L}\p{N} _.:+-]{0,39}$/u.test(value) ? `'${value}'` : null;
}

function rowsOf(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? "row" : "rows"}`;
}

/** Of a column that means one of two things: what a person may write. */
function choice(column: string, kind: Column["kind"], { values }: Held): Condition {
  const offers = (values ?? []).flatMap(({ value, rows }) => {
    if (value === null) return [`${column} IS NULL (${rowsOf(rows)})`];
    const literal = literalOf(value, kind);
    return literal === null ? [] : [`${column} = ${literal} (${rowsOf(rows)})`];
  });
  const why =
    values === null
      ? "it has too many values to list them"
      : "it has no rows to tell by, or none that can be listed";
  return {
    sql: choiceCondition(offers.length > 0 ? offers.join(" or ") : `a condition on ${column}; ${why}`),
    note: "",
  };
}

/** What is taken and what is left out, with counts. */
function taken(values: readonly Counted[], isTaken: (value: Counted["value"]) => boolean): string {
  const shown = ({ value, rows }: Counted) =>
    `${value === null ? "NULL" : (literalOf(value) ?? "another")} (${rowsOf(rows)})`;
  const all = values.filter(({ value }) => !isTaken(value)).map(shown);
  const count = values.filter(({ value }) => isTaken(value)).reduce((sum, { rows }) => sum + rows, 0);
  return `${rowsOf(count)}${all.length === 0 ? "" : `; left out: ${all.join(", ")}`}`;
}

function byTime(meaning: Meaning, column: string, dialect: Dialect, isTime: boolean): Condition | null {
  if (meaning === "gone") return { sql: `${column} IS NULL`, note: "" };
  if (!isTime) return null;
  const moment = dialect === "sqlite" ? `datetime(${column})` : column;
  const now = NOW[dialect];
  if (meaning === "from") return { sql: `${moment} <= ${now}`, note: "" };
  return { sql: `(${column} IS NULL OR ${moment} > ${now})`, note: "" };
}

function byValues(meaning: Meaning, kind: Column["kind"], column: string, held: Held): Condition {
  const { values } = held;
  if (values === null) return choice(column, kind, held);
  const known = values.filter(({ value }) => value !== null);
  const isFlag =
    (kind === "number" || known.length > 0) && known.every(({ value }) => value === 0 || value === 1);
  if (meaning !== "state" && isFlag) {
    const wanted = meaning === "yes" ? 1 : 0;
    return { sql: `${column} = ${wanted}`, note: taken(values, (value) => value === wanted) };
  }
  const isPublic = (value: Counted["value"]) =>
    typeof value === "string" && PUBLIC_WORDS.has(value.toLowerCase()) && literalOf(value) !== null;
  const literals = known.flatMap(({ value }) => (isPublic(value) ? [`'${value}'`] : []));
  if (meaning === "no" || literals.length === 0 || !held.isText) return choice(column, kind, held);
  return { sql: `${column} IN (${literals.join(", ")})`, note: taken(values, isPublic) };
}

/**
 * The condition that a column makes; null where it says nothing of a row's being public.
 * @param column as the SQL names it
 * @param held what it holds
 */
function conditionOf(
  { name, kind }: Pick<Column, "name" | "kind">,
  column: string,
  held: Held,
  dialect: Dialect,
): Condition | null {
  const said = meaningOf(name);
  if (said === null) return null;
  // `published DATETIME`
  const meaning = kind === "time" ? (({ yes: "from", no: "gone" } as const)[said as "yes"] ?? said) : said;
  if (meaning === "password")
    return held.isText ? { sql: `COALESCE(${column}, '') = ''`, note: "" } : choice(column, kind, held);
  if (meaning === "gone" || meaning === "from" || meaning === "until") {
    const isTime = dialect === "sqlite" ? held.isText : kind === "time";
    return byTime(meaning, column, dialect, isTime) ?? choice(column, kind, held);
  }
  if (kind === "boolean") {
    if (meaning === "yes") return { sql: column, note: "" };
    if (meaning === "no") return { sql: `NOT ${column}`, note: "" };
    const counted = (held.values ?? []).map(
      ({ value, rows }) =>
        `${value === null ? `${column} IS NULL` : value === 1 ? column : `NOT ${column}`} (${rowsOf(rows)})`,
    );
    return { sql: choiceCondition(counted.join(" or ") || `${column} or NOT ${column}`), note: "" };
  }
  return byValues(meaning, kind, column, held);
}

/** More values than these no person chooses from. */
const MOST_VALUES = 8;

/** What a column holds. @param source,column as the SQL names them */
async function readHeld(
  store: StoreReader,
  source: string,
  column: string,
  kind: Column["kind"],
  dialect: Dialect,
): Promise<Held> {
  const counting = `SELECT ${column} AS held, COUNT(*) AS amount FROM ${source} GROUP BY ${column}`;
  const most = `ORDER BY COUNT(*) DESC LIMIT ${MOST_VALUES + 1}`;
  const rows = await ask(store, `${counting} ${most}`, ["held", "amount"]);
  const counted = rows.flatMap(([value = null, amount]) =>
    isBlob(value) ? [] : [{ value, rows: Number(amount) }],
  );
  const isListed = rows.length <= MOST_VALUES && counted.length === rows.length;
  const values = isListed ? counted : null;
  if (dialect !== "sqlite") return { values, isText: kind === "text" };
  // In SQLite any column may hold anything.
  const others = `SELECT COUNT(*) AS amount FROM ${source} WHERE typeof(${column}) NOT IN ('text', 'null')`;
  const [[amount] = []] = await ask(store, others, ["amount"]);
  return { values, isText: amount === 0 };
}

/** What of a row of a table, which the SQL calls `t`, must be so that it is public, as its columns say. @throws VitrineError store_unreadable */
export async function conditionsOf(
  store: StoreReader,
  { name: table, columns }: { readonly name: string; readonly columns: readonly Column[] },
  dialect: Dialect,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const column of columns) {
    if (meaningOf(column.name) === null) continue;
    const [source, quoted] = [quoteName(table, dialect), quoteName(column.name, dialect)];
    const held = await readHeld(store, source, quoted, column.kind, dialect);
    const condition = conditionOf(column, `t.${quoted}`, held, dialect);
    if (condition !== null) conditions.push(condition);
  }
  return conditions;
}
