/**
 * What a shop has several of, and Vitrine shows one of: channels, languages, currencies, … Each choice is a view of the
 * shop's `_views.sql`; another candidate is written there as SQL. What each candidate shows is what the files give with it.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { counted } from "../base/log.ts";
import { didYouMean } from "../base/nearest.ts";
import type { SqlTime } from "../base/time.ts";
import { type AllowListQuery, queriesOf, readSql, VIEWS } from "../extract/allow-list.ts";
import { type StoreReader, valuesOf } from "../extract/store.ts";
import { openStore } from "../store/open.ts";
import { ask, type Dialect, dialectOf, readSchema } from "./schema.ts";
import { CHOICE_WORDS, type Choice, type ChoiceKind } from "./shop-table.ts";
import { choicesOfShop, filesOfShop, pageOfShop, recogniseShops, type SqlFiles } from "./shops.ts";

/** What a visitor sees with a candidate. Equal digests: the same ids; the same prices, too; the same titles, too. */
interface Shown {
  readonly products: number;
  readonly ids: string;
  readonly prices: string;
  readonly titles: string;
}

export interface Candidate {
  readonly code: string;
  readonly name: string;
  readonly values: readonly string[];
  /** Null: not measured, because there are too many candidates. */
  readonly shown: Shown | null;
}

/** How the candidate that the files take was found. */
type ChosenBy = "shop" | "files" | "person";

export interface FoundChoice {
  readonly kind: ChoiceKind;
  readonly candidates: readonly Candidate[];
  /** The one that the files take; null if they take another value, which a person wrote. */
  readonly taken: Candidate | null;
  /** `files`: nothing in the shop decides, and no person has chosen. */
  readonly chosenBy: ChosenBy;
  readonly because: string;
  /** What the shop itself takes, if it decides. */
  readonly own: Candidate | null;
}

/** Names or codes of candidates that a person wants. */
export type Wanted = Readonly<Partial<Record<ChoiceKind, string>>>;

/** More candidates of a choice are named, but not counted: each count reads all products. */
const MOST_COUNTED = 20;

/** A text as a literal of SQL, with the same meaning whether or not the server takes a backslash for an escape. */
export function literalOf(text: string, dialect: Dialect): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (!text.includes("\\") || dialect === "sqlite") return quoted;
  if (dialect === "postgres") return `E${quoted.replaceAll("\\", "\\\\")}`;
  return `CONVERT(X'${Buffer.from(text).toString("hex")}' USING utf8mb4)`;
}

/** The flag of a choice: `priceList` → `--price-list`. */
export function flagOf(kind: ChoiceKind): string {
  return `--${kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A view of the files: what is before its SELECT, and after. Views begin and end at the beginning of a line. */
function findView(files: SqlFiles, view: string) {
  const views = files.get(VIEWS) ?? "";
  const head = String.raw`^${view} \((\w+)\) AS (?:(?:NOT )?MATERIALIZED )?\(\n`;
  const found = new RegExp(String.raw`(?<=${head})[\s\S]*?\n(?=\),?\s*$)`, "m").exec(views);
  const [, column] = new RegExp(head, "m").exec(views) ?? [];
  if (found === null || column === undefined) return null;
  return {
    column,
    before: views.slice(0, found.index),
    body: found[0],
    after: views.slice(found.index + found[0].length),
  };
}

/** The files with a candidate written into their view. */
function withCandidate(
  files: SqlFiles,
  { view, select }: Choice,
  { values }: Candidate,
  dialect: Dialect,
): SqlFiles {
  const place = findView(files, view);
  if (place === null) return files;
  const literals = values.map((value) => literalOf(value, dialect)).join(", ");
  const sql = select.replace("$1", () => literals);
  return new Map(files).set(VIEWS, `${place.before}  -- Chosen in vitrine init.\n  ${sql}\n${place.after}`);
}

/** The values of a view; null if the files do not have it. */
async function valuesOfView(store: StoreReader, files: SqlFiles, view: string): Promise<string[] | null> {
  const place = findView(files, view);
  if (place === null) return null;
  const rows = await askBehind(store, files, `SELECT v.${place.column} AS held FROM ${view} AS v`, ["held"]);
  return rows.map(([value]) => String(value));
}

/** Runs SQL that may use the views of the files. */
function askBehind(store: StoreReader, files: SqlFiles, sql: string, columns: readonly string[]) {
  return ask(store, queriesOf(new Map(files).set("choice.sql", sql))("choice.sql").sql, columns);
}

async function readCandidates(store: StoreReader, files: SqlFiles, choice: Choice): Promise<Candidate[]> {
  const byCode = new Map<string, Candidate & { readonly values: string[] }>();
  for (const row of await askBehind(store, files, choice.candidates, ["code", "name", "value"])) {
    const [code = "", name = "", value = ""] = row.map(String);
    const known = byCode.get(code);
    if (known === undefined) byCode.set(code, { code, name, values: [value], shown: null });
    else known.values.push(value);
  }
  return [...byCode.values()];
}

function candidateWith(candidates: readonly Candidate[], values: readonly string[] | null): Candidate | null {
  const sorted = JSON.stringify(values?.toSorted());
  return candidates.find((each) => JSON.stringify(each.values.toSorted()) === sorted) ?? null;
}

/** Reads what the files would publish, without making a record. */
async function readShown(store: StoreReader, files: SqlFiles): Promise<Shown> {
  const query: AllowListQuery = queriesOf(files)("products.sql");
  const given = await store.columns(query);
  const prices = given.filter((column) => /^(?:currency$|(?:sale_|preorder_|extended_)?price)/.test(column));
  const titles = given.filter((column) => column.startsWith("title"));
  const digests = [createHash("sha256"), createHash("sha256"), createHash("sha256")] as const;
  let products = 0;
  for await (const rows of store.batches({ ...query, columns: ["id", ...prices, ...titles] }))
    for (const row of rows) {
      const [id, ...rest] = valuesOf(row);
      digests[0].update(JSON.stringify([id]));
      digests[1].update(JSON.stringify([id, ...rest.slice(0, prices.length)]));
      digests[2].update(JSON.stringify([id, ...rest.slice(prices.length)]));
      products += 1;
    }
  const [ids, priced, titled] = digests.map((digest) => digest.digest("hex"));
  return { products, ids: ids ?? "", prices: priced ?? "", titles: titled ?? "" };
}

/** The candidate that a person named, by its code or its name. @throws VitrineError usage */
function named(title: string, kind: ChoiceKind, candidates: readonly Candidate[], wanted: string): Candidate {
  const isSame = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const found = [
    candidates.filter(({ code }) => code === wanted),
    candidates.filter(({ name }) => name === wanted),
    candidates.filter(({ code, name }) => isSame(code) || isSame(name)),
  ].find(({ length }) => length > 0);
  const [first, second] = found ?? [];
  if (first !== undefined && second === undefined) return first;
  const [one, several] = CHOICE_WORDS[kind];
  const codes = candidates.map(({ code }) => code);
  if (found !== undefined)
    throw new VitrineError(
      "usage",
      `${title} has several ${several} named ${wanted} here: name one by its code, ${found.map(({ code }) => code).join(" or ")}.`,
    );
  const names = [...new Set([...candidates.map(({ name }) => name), ...codes])];
  const known =
    codes.length === 0 ? `It has no ${several}.` : didYouMean(wanted, candidates.length > 8 ? codes : names);
  throw new VitrineError("usage", `${title} has no ${one} ${wanted} here. ${known}`);
}

interface ChoicesOfShop {
  /** The shop's name for messages. */
  readonly title: string;
  readonly dialect: Dialect;
  readonly choices: readonly Choice[];
  /** The shop's files as shipped, with its table prefix. */
  readonly shipped: SqlFiles;
}

/**
 * Finds what was or will be chosen. `files`: those that are built from, the shipped ones or a folder's own; `wanted` is written
 * into them. Choices with a single candidate are left out, and so are those whose view a person has removed.
 * @throws VitrineError usage if a candidate is unknown
 */
export async function readChoices(
  store: StoreReader,
  { title, dialect, choices, shipped }: ChoicesOfShop,
  files: SqlFiles,
  wanted: Wanted = {},
): Promise<{ readonly choices: readonly FoundChoice[]; readonly files: SqlFiles }> {
  for (const kind of Object.keys(wanted) as ChoiceKind[])
    if (wanted[kind] !== undefined && !choices.some((choice) => choice.kind === kind))
      throw new VitrineError("usage", `${flagOf(kind)}: ${title} has no choice of ${CHOICE_WORDS[kind][1]}.`);
  let chosenFiles = files;
  // The shipped files for what the choices before take: a channel has its own languages.
  let basis = shipped;
  const found: FoundChoice[] = [];
  for (const choice of choices) {
    const { kind, view, because } = choice;
    const listed = await readCandidates(store, basis, choice);
    const want = wanted[kind];
    const wish = want === undefined ? null : named(title, kind, listed, want);
    const before = chosenFiles;
    if (wish !== null) chosenFiles = withCandidate(before, choice, wish, dialect);
    const values = await valuesOfView(store, chosenFiles, view);
    if (listed.length < 2 || values === null) continue;
    const candidates: Candidate[] = [];
    for (const [at, candidate] of listed.entries()) {
      const isTaken = candidateWith([candidate], values) !== null;
      const withIt = isTaken ? chosenFiles : withCandidate(before, choice, candidate, dialect);
      const shown = at < MOST_COUNTED || isTaken ? await readShown(store, withIt) : null;
      candidates.push({ ...candidate, shown });
    }
    const taken = candidateWith(candidates, values);
    const isDecided =
      choice.decided === undefined || (await askBehind(store, basis, choice.decided, ["held"])).length > 0;
    const own = isDecided ? candidateWith(candidates, await valuesOfView(store, basis, view)) : null;
    const isShipped = findView(chosenFiles, view)?.body === findView(shipped, view)?.body;
    const chosenBy: ChosenBy = !isShipped ? "person" : isDecided ? "shop" : "files";
    found.push({ kind, candidates, taken, chosenBy, because, own });
    if (taken !== null && taken !== own) basis = withCandidate(basis, choice, taken, dialect);
  }
  return { choices: found, files: chosenFiles };
}

/** The codes of what a folder's own files take, where it is another candidate than the shipped files take. */
export async function chosenCodes(store: StoreReader, shop: ChoicesOfShop, own: SqlFiles): Promise<Wanted> {
  const wanted: Partial<Record<ChoiceKind, string>> = {};
  let basis = shop.shipped;
  for (const choice of shop.choices) {
    const { kind, view } = choice;
    if (findView(own, view)?.body === findView(shop.shipped, view)?.body) continue;
    const candidates = await readCandidates(store, basis, choice);
    const taken = candidateWith(candidates, await valuesOfView(store, own, view));
    if (taken === null) continue;
    wanted[kind] = taken.code;
    basis = withCandidate(basis, choice, taken, shop.dialect);
  }
  return wanted;
}

/** The SQL files of a folder as they are; none if there is no such folder. */
export function readSqlFiles(folder: string): SqlFiles {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return new Map();
  const names = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return new Map(names.map((file) => [file, readSql(join(folder, file))]));
}

/**
 * What the SQL files of a folder take, for a shop that Vitrine knows and files that have its views.
 * @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function readChosen(
  place: string,
  folder: string,
  now: SqlTime,
): Promise<readonly FoundChoice[]> {
  const own = readSqlFiles(folder);
  if (!own.has("products.sql")) return [];
  const dialect = dialectOf(place);
  const store = await openStore(place, now);
  try {
    const schema = await readSchema(store, dialect);
    const page = join(folder, "README.md");
    const about = existsSync(page) ? readFileSync(page, "utf8") : "";
    const shops = recogniseShops(schema, dialect).filter(({ shop }) =>
      shop.choices?.some(({ view }) => findView(own, view) !== null),
    );
    // One WordPress may be two shops, whose views have the same names: the page says for which the files were written.
    const found = shops.find((shop) => pageOfShop(shop) === about) ?? shops[0];
    if (found === undefined) return [];
    const held = async (sql: string) => String((await ask(store, sql, ["held"]))[0]?.[0] ?? "") || null;
    const { files: shipped } = await filesOfShop(found, schema, held);
    const choices = choicesOfShop(found, schema);
    const { title } = found.shop;
    return (await readChoices(store, { title, dialect, choices, shipped }, own)).choices;
  } finally {
    await store.close();
  }
}

/** A word of a command line: in quotes if a shell would read it otherwise. */
function shellWord(text: string): string {
  return /^[\w.,:@%+][\w.,:@%+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What to type for a candidate: `--channel Webshop`. Its code if the name is not unique or cannot be typed. */
function flagFor({ kind, candidates }: FoundChoice, { code, name }: Candidate): string {
  const isUnique = candidates.filter((each) => each.name === name).length === 1;
  const typed = isUnique && /^[^\p{C}-][^\p{C}]*$/u.test(name) ? name : code;
  return `${flagOf(kind)} ${shellWord(typed)}`;
}

/** In which way a candidate shows something else than the one that is taken; "" if it does not, or that is not known. */
function differenceOf({ shown }: Candidate, taken: Candidate | null): string {
  const ours = taken?.shown ?? null;
  if (shown === null || ours === null) return "";
  if (shown.ids !== ours.ids) return "other products";
  if (shown.prices !== ours.prices) return "other prices";
  return shown.titles === ours.titles ? "" : "other titles";
}

/** True if visitors would see the same with a candidate, as far as it was compared. */
export function seemsSame(candidate: Candidate, taken: Candidate | null): boolean {
  return taken !== null && candidate.shown !== null && differenceOf(candidate, taken) === "";
}

/** `Webshop (34 products)`; another one than is taken: `Trade (34 products, other prices)` */
export function labelOf({ candidates, taken }: FoundChoice, candidate: Candidate): string {
  const { code, name, shown } = candidate;
  const label = candidates.filter((each) => each.name === name).length === 1 ? name : `${name} ${code}`;
  if (shown === null) return label;
  const isCounted = shown.products !== taken?.shown?.products;
  const difference = isCounted ? "" : differenceOf(candidate, taken);
  return `${label} (${counted(shown.products, ["product"])}${difference === "" ? "" : `, ${difference}`})`;
}

/** At most this many candidates are named in a sentence. */
const MOST_NAMED = 8;

function othersOf(found: FoundChoice): readonly Candidate[] {
  return found.candidates.filter((candidate) => candidate !== found.taken);
}

/** `Trade (12 products), Outlet (3 products) and 2 more` */
function listed(found: FoundChoice, candidates: readonly Candidate[]): string {
  const named = candidates.slice(0, MOST_NAMED).map((each) => labelOf(found, each));
  const more = candidates.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `The channel is Webshop (34 products): …. Others: Trade (12 products).` */
export function choiceSentence(found: FoundChoice): string {
  const { kind, taken, chosenBy, because } = found;
  const [one] = CHOICE_WORDS[kind];
  const others = `Others: ${listed(found, othersOf(found))}; to publish one, name it with ${flagOf(kind)} in an empty folder.`;
  if (taken === null) return `The ${one} is the one that _views.sql names. ${others}`;
  const why = { shop: because, files: "nothing in the shop says which is public", person: "it was chosen" };
  return `The ${one} is ${labelOf(found, taken)}: ${why[chosenBy]}. ${others}`;
}

/** Why the files take something else than the shop itself; null if they do not, or the shop does not decide. */
export function divergedReason(found: FoundChoice): string | null {
  const { kind, own, taken, because } = found;
  if (own === null || own === taken) return null;
  const [one] = CHOICE_WORDS[kind];
  return `The SQL files are for ${taken === null ? `another ${one}` : `the ${one} ${labelOf(found, taken)}`}; the shop itself shows ${labelOf(found, own)}: ${because}`;
}

/**
 * Why a person must choose, and what to type; null if that is not necessary: the shop decides, a person has decided, or all candidates
 * show the same products.
 */
export function undecidedReason(found: FoundChoice): string | null {
  const { kind, candidates, taken, chosenBy } = found;
  if (chosenBy === "person" || taken === null) return null;
  const isOther = ({ shown }: Candidate) => shown !== null && shown.ids !== taken.shown?.ids;
  const others = candidates.filter((each) => isOther(each) && each.shown?.products !== 0);
  const isEmpty = taken.shown?.products === 0;
  if (others.length === 0 || (chosenBy === "shop" && !isEmpty)) return null;
  const [one, several] = CHOICE_WORDS[kind];
  const offered = [...(isEmpty ? [] : [taken]), ...others];
  const flags = offered.slice(0, 3).map((candidate) => flagFor(found, candidate));
  const what =
    chosenBy === "shop"
      ? `The ${one} that the shop takes, ${labelOf(found, taken)}, shows no product; others do: ${listed(found, others)}.`
      : `The shop has several ${several} that show different products, and nothing in it says which is public: ${listed(found, candidates)}.`;
  return `${what} Choose with ${flags.join(" or ")}.`;
}
