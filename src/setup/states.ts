/**
 * Columns that say whether a row is public: which they are, by their names, and what to ask of them, by their types and the few
 * values that they have. A value that could mean either is left to a person.
 */
import { formatCount } from "../base/log.ts";
import { choiceNote } from "../extract/allow-list.ts";
import type { StoreReader } from "../extract/store.ts";
import { quoteName } from "../store/sql.ts";
import { wordsOf } from "./names.ts";
import type { Column, Dialect } from "./schema.ts";
import { type Counted, countRows, type Held, type MomentForm, readHeld } from "./values.ts";

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Around the words below these change nothing: `is_active`, `product_status`, `status_id`. */
const AROUND =
  words(`is be was are has flag id code value item product article track category review shop store web
  record entry row individually`);
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
const UNTIL = words("expire expired expiry expiration end ended discontinue");

/** Moments that are open where nobody set them. Of others, `published_at`, NULL may well be a draft. */
const OPEN = words(`available release released embargo visible launch launched show start valid`);

/** States that are public wherever they are used, and those that are not. */
const PUBLIC_WORDS = words(
  "published publish public active visible approved live enabled available online listed",
);
const TRUE_WORDS = new Set([...PUBLIC_WORDS, ...words("y yes t true 1 on")]);
const FALSE_WORDS = new Set([...NO, ...words("n no f false 0 off")]);

/** What of a row must be so that it is public. */
export interface Condition {
  /** The column that says so. */
  readonly name: string;
  readonly sql: string;
  /** Why, for a comment behind its SQL. */
  readonly note: string;
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

/** What stands for a condition that a person has to choose: it selects nothing. */
export const UNCHOSEN = "1 = 0";

interface Choice {
  readonly offers: readonly Offer[];
  /** True where the second takes all that the first does, and rows that say nothing. */
  readonly isWider?: boolean;
  readonly why: string;
}

/** What a column makes of a row: a condition with why, or conditions of which a person chooses one. */
type Decision = { readonly sql: string; readonly why: string; readonly leftOut?: string } | Choice;

interface Offer {
  readonly sql: string;
  /** How many rows it takes, where that is known. */
  readonly rows?: number;
}

/** The column of a decision. */
interface Asked {
  readonly name: string;
  /** As the SQL names it. */
  readonly column: string;
  readonly kind: Column["kind"];
  readonly held: Held;
  readonly dialect: Dialect;
}

/** The moment of the build in the form of a column, and the column in a form that can be compared with it. */
function momentOf(form: MomentForm, column: string, dialect: Dialect): readonly [string, string] {
  const factor = form === "milliseconds" ? " * 1000" : "";
  const now = { sqlite: ":now", mysql: "@now", postgres: "current_setting('vitrine.now')::timestamptz" }[
    dialect
  ];
  if (form === "seconds" || form === "milliseconds") {
    const seconds = {
      sqlite: `CAST(strftime('%s', ${now}) AS INTEGER)`,
      mysql: `UNIX_TIMESTAMP(${now})`,
      postgres: `EXTRACT(EPOCH FROM ${now})`,
    }[dialect];
    return [column, `${seconds}${factor}`];
  }
  if (dialect === "sqlite") return [`datetime(${column})`, now];
  if (form === "time") return [column, now];
  const text = {
    mysql: `DATE_FORMAT(${now}, '%Y-%m-%d %H:%i:%s')`,
    postgres: `to_char(${now} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`,
  }[dialect];
  return [`REPLACE(SUBSTR(${column}, 1, 19), 'T', ' ')`, text];
}

/** SQL of a value; null where it would have to be escaped: nobody calls a state so. Drivers give some numbers as texts. */
function literalOf(value: Counted["value"], kind: Column["kind"] = "any"): string | null {
  if (value === null) return null;
  if (typeof value === "number" || (kind === "number" && /^-?\d+(?:\.\d+)?$/.test(value)))
    return String(value);
  return /^[\p{L}\p{N}][\p{L}\p{N} _.:+-]{0,39}$/u.test(value) ? `'${value}'` : null;
}

/** Of a column that means one of several things: what a person may write. */
export function valueOffers({
  column,
  kind,
  held: { values },
}: Pick<Asked, "column" | "kind" | "held">): readonly Offer[] {
  return (values ?? []).flatMap(({ value, rows }) => {
    if (value === null) return [{ sql: `${column} IS NULL`, rows }];
    if (kind === "boolean") return [{ sql: value === 1 ? column : `NOT ${column}`, rows }];
    const literal = literalOf(value, kind);
    return literal === null ? [] : [{ sql: `${column} = ${literal}`, rows }];
  });
}

function choice(asked: Asked, why = ""): Choice {
  return { offers: valueOffers(asked), why };
}

/** What stands for nothing in a column: NULL, and an empty text or 0 where there are such values. */
function emptyOf({ column, kind, held, dialect }: Asked): string {
  const isZeroDate = dialect === "mysql" && kind === "time";
  return [
    `${column} IS NULL`,
    ...(held.blanks > 0 ? [`${column} = ''`] : []),
    ...(held.zeros > 0 || isZeroDate ? [`${column} = 0`] : []),
  ].join(" OR ");
}

function byTime(meaning: "gone" | "from" | "until", asked: Asked): Decision {
  const { name, column, held, dialect } = asked;
  const empty = emptyOf(asked);
  const orEmpty = (sql: string) => `(${empty} OR ${sql})`;
  if (meaning === "gone") {
    const isPlain = !empty.includes(" OR ");
    return { sql: isPlain ? empty : `(${empty})`, why: `${name} is empty` };
  }
  const filled = held.rows - held.nulls - held.blanks - held.zeros;
  if (held.moments === null)
    return filled === 0 && held.rows > 0
      ? { offers: [{ sql: empty }], why: "nothing stands there yet" }
      : choice(asked);
  const [moment, now] = momentOf(held.moments, column, dialect);
  if (meaning === "until") return { sql: orEmpty(`${moment} > ${now}`), why: `${name} is to come, or empty` };
  const isSet = held.zeros > 0 ? `${column} <> 0 AND ${moment} <= ${now}` : `${moment} <= ${now}`;
  const said = wordsOf(name);
  if (said.some((word) => OPEN.has(word)))
    return { sql: orEmpty(`${moment} <= ${now}`), why: `${name} is past, or empty` };
  if (filled === held.rows || held.rows === 0) return { sql: isSet, why: `${name} is past` };
  return {
    offers: [{ sql: isSet }, { sql: orEmpty(`${moment} <= ${now}`) }],
    ...{ isWider: true, why: `whether an empty ${name} is public only you know` },
  };
}

/** Of a column that says yes or no: which of its values mean that a row is public. Null where one cannot be told. */
function publicValues(
  meaning: "yes" | "no" | "state",
  { kind, held }: Asked,
): readonly Counted["value"][] | null {
  const known = (held.values ?? []).filter(({ value }) => value !== null && value !== "");
  const isFlag =
    (kind === "number" || known.length > 0) && known.every(({ value }) => value === 0 || value === 1);
  if (meaning !== "state" && isFlag) return [meaning === "yes" ? 1 : 0];
  if (!held.isText && kind !== "any") return null;
  if (known.some(({ value }) => typeof value !== "string")) return null;
  const lower = (value: Counted["value"]) => String(value).toLowerCase();
  if (meaning === "state") {
    const found = known.filter(({ value }) => PUBLIC_WORDS.has(lower(value)));
    return held.isText && found.length > 0 ? found.map(({ value }) => value) : null;
  }
  const isTold = known.every(({ value }) => TRUE_WORDS.has(lower(value)) || FALSE_WORDS.has(lower(value)));
  const wanted = meaning === "yes" ? TRUE_WORDS : FALSE_WORDS;
  const found = known.filter(({ value }) => wanted.has(lower(value)));
  return isTold && found.length > 0 ? found.map(({ value }) => value) : null;
}

/** What is left out beside the values that are taken. */
function leftOutWords({ values }: Held, taken: readonly Counted["value"][], isEmptyTaken: boolean): string {
  const isTaken = ({ value }: Counted) =>
    value === null || value === "" ? isEmptyTaken : taken.includes(value);
  const others = (values ?? []).filter((each) => !isTaken(each));
  const shown = others.map(
    ({ value, rows }) => `${value === null ? "NULL" : (literalOf(value) ?? "another")} ${formatCount(rows)}`,
  );
  return shown.length === 0 ? "" : `; left out: ${shown.join(", ")}`;
}

function byValues(meaning: "yes" | "no" | "state", asked: Asked): Decision {
  const { name, column, kind, held } = asked;
  if (held.values === null) return choice(asked, "it has too many values to list them");
  const found = publicValues(meaning, asked);
  const literals = (found ?? []).flatMap((value) => literalOf(value, kind) ?? []);
  if (found === null || literals.length !== found.length) return choice(asked);
  const isIn = literals.length === 1 ? `= ${literals[0]}` : `IN (${literals.join(", ")})`;
  const empties = held.nulls + held.blanks;
  const taking = (sql: string, isEmptyTaken: boolean) => ({
    ...{ sql, why: `${name} ${isIn}${isEmptyTaken ? " or empty" : ""}` },
    leftOut: leftOutWords(held, found, isEmptyTaken),
  });
  // A flag against a row that nobody set says nothing against it.
  const orEmpty = `(${column} IS NULL OR ${held.blanks > 0 ? `${column} = '' OR ` : ""}${column} ${isIn})`;
  if (meaning === "no" && empties > 0) return taking(orEmpty, true);
  const isOnlyEmpty = held.values.every(
    ({ value }) => value === null || value === "" || found.includes(value),
  );
  if (meaning !== "no" && empties > 0 && isOnlyEmpty)
    return {
      offers: [{ sql: `${column} ${isIn}` }, { sql: orEmpty }],
      ...{ isWider: true, why: `whether an empty ${name} is public only you know` },
    };
  return taking(`${column} ${isIn}`, false);
}

function byBoolean(meaning: "yes" | "no" | "state", asked: Asked): Decision {
  const { name, column, held } = asked;
  if (meaning === "state") return choice(asked);
  if (meaning === "yes") return { sql: column, why: `${name}` };
  return { sql: held.nulls > 0 ? `${column} IS NOT TRUE` : `NOT ${column}`, why: `not ${name}` };
}

/** The condition that a column makes; null where it says nothing of a row's being public. */
function decide(asked: Asked): Decision | null {
  const { name, column, kind, held } = asked;
  const said = meaningOf(name);
  if (said === null) return null;
  // `published DATETIME`
  const isMoment = held.moments !== null && (kind === "time" || held.moments === "text");
  const meaning = isMoment ? (({ yes: "from", no: "gone" } as const)[said as "yes"] ?? said) : said;
  if (meaning === "password")
    return held.isText ? { sql: `COALESCE(${column}, '') = ''`, why: `no ${name}` } : choice(asked);
  if (meaning === "gone" || meaning === "from" || meaning === "until") return byTime(meaning, asked);
  return kind === "boolean" ? byBoolean(meaning, asked) : byValues(meaning, asked);
}

function rowsWords(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? "row" : "rows"}`;
}

/** A choice as SQL has it, with how many rows each offer takes. */
export async function chosenBy(
  store: StoreReader,
  source: string,
  name: string,
  { offers, why }: Choice,
): Promise<Condition> {
  const told: string[] = [];
  for (const { sql, rows } of offers)
    told.push(`${sql} (${rowsWords(rows ?? (await countRows(store, source, sql)))})`);
  const reason = why === "" ? "" : `; ${why}`;
  const none = `a condition on ${name}${reason === "" ? "; it has no rows to tell by, or none that can be listed" : reason}`;
  const note = choiceNote(UNCHOSEN, told.length > 0 ? `${told.join(" or ")}${reason}` : none);
  return { name, sql: UNCHOSEN, note: note.replace(/\p{C}/gu, " ") };
}

/** What of a row of a table, which the SQL calls `t`, must be so that it is public, as its columns say. @throws VitrineError store_unreadable */
export async function conditionsOf(
  store: StoreReader,
  { name: table, columns }: { readonly name: string; readonly columns: readonly Column[] },
  dialect: Dialect,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const choices: (Choice & { readonly name: string })[] = [];
  const source = quoteName(table, dialect);
  for (const each of columns) {
    const { name, kind } = each;
    if (meaningOf(name) === null) continue;
    const quoted = quoteName(name, dialect);
    const held = await readHeld(store, source, quoted, each, dialect);
    const asked = { name, column: `t.${quoted}`, kind, held, dialect };
    const decision = decide(asked);
    if (decision === null) continue;
    if ("offers" in decision) {
      choices.push({ name, ...decision });
      continue;
    }
    const { sql, why, leftOut = "" } = decision;
    const rows = await countRows(store, source, sql);
    const note = `${why}: ${formatCount(rows)} of ${formatCount(held.rows)}${leftOut}`;
    // A condition that leaves nothing is not what the shop means.
    if (rows === 0 && held.rows > 0) choices.push({ name, ...choice(asked, `no row has ${why}`) });
    else conditions.push({ name, sql, note: note.replace(/\p{C}/gu, " ") });
  }
  const decided = conditions.map(({ sql }) => sql);
  for (const { name, ...each } of choices) {
    const [narrow, wide] = each.offers.map(({ sql }) => [...decided, sql].join(" AND "));
    const isDecided =
      each.isWider === true &&
      (await countRows(store, source, narrow)) === (await countRows(store, source, wide));
    const note = "the other conditions leave out all rows where it is empty";
    conditions.push(
      isDecided
        ? { name, sql: each.offers[0]?.sql ?? UNCHOSEN, note }
        : await chosenBy(store, source, name, each),
    );
  }
  return conditions;
}
