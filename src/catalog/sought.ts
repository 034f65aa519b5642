/** Finds a record, or words, in everything that a catalog or a release contains: before and after an erase. */
import { foldText, tidyText } from "../base/text.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { idOfLine } from "./record-line.ts";
import { RESOURCES, type ResourceName } from "./resources.ts";

export interface SoughtRecord {
  readonly record: ResourceName;
  readonly id: number;
}

export type Sought =
  | SoughtRecord
  /** Matches in any case, with any accents and spaces, and with HTML between. */
  | { readonly text: string };

/** `review 123`, `the words "Jane Doe"` */
export function nameOfSought(sought: Sought): string {
  return "text" in sought ? `the words ${JSON.stringify(sought.text)}` : `${sought.record} ${sought.id}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

/** Decodes the named entities that every format needs, and numeric ones; others are kept. */
export function withoutEntities(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name, ten, hex) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
      return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
    },
  );
}

const TAGS = /<[^<>]*>/g;

/** Decodes percent-encoded bytes: `J%C3%B6rg` → `Jörg` */
function withoutPercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/** The ways to read a text: as it is, as HTML, and as a part of an address. */
function readingsOf(text: string): Set<string> {
  return new Set([text, withoutEntities(text.replace(TAGS, "")), withoutPercents(text)]);
}

function folded(text: string): string {
  return foldText(tidyText(text));
}

/** Returns a function that tells if a text has one of the words in any of its readings, ignoring case, accents and spaces. */
export function textFinder(words: readonly string[]): (text: string) => boolean {
  const wanted = words.map(folded);
  return (text) => {
    for (const reading of readingsOf(text)) {
      const whole = folded(reading);
      if (wanted.some((one) => whole.includes(one))) return true;
    }
    return false;
  };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** Returns a function that tells if any text in a value, at any depth, has the words. */
function finderOf(words: string): (value: unknown) => boolean {
  const holds = textFinder([words]);
  return (value) => {
    for (const text of textsIn(value)) if (holds(text)) return true;
    return false;
  };
}

/** How many places are named. */
const MAX_PLACES = 5;

/** All content of a catalog, with its place: `review 123`, `store`. */
function* valuesOf({ db }: Catalog): Generator<{ readonly place: string; readonly value: unknown }> {
  const meta = db
    .prepare<[], string>("SELECT value FROM meta WHERE name IN ('store', 'config')")
    .pluck()
    .all();
  for (const json of meta) yield { place: "store", value: JSON.parse(json) };
  for (const { name, detail } of RESOURCES) {
    const added = detail ? `UNION ALL SELECT id, json FROM ${name}_added ` : "";
    const all = db.prepare<[], { id: number; json: string }>(`SELECT id, json FROM ${name}_list ${added}`);
    for (const { id, json } of all.iterate()) yield { place: `${name} ${id}`, value: JSON.parse(json) };
  }
}

/** Up to five places of a catalog's file that contain it: `review 123`, `store`. @throws VitrineError catalog_unreadable */
export function findInCatalog(file: string, sought: Sought): string[] {
  const catalog = openCatalog(file);
  try {
    if ("record" in sought) {
      const found = catalog.db
        .prepare<[number]>(`SELECT 1 FROM ${sought.record} WHERE id = ?`)
        .get(sought.id);
      return found === undefined ? [] : [nameOfSought(sought)];
    }
    const found = new Set<string>();
    const holds = finderOf(sought.text);
    for (const { place, value } of valuesOf(catalog))
      if (holds(value) && found.add(place).size >= MAX_PLACES) break;
    return [...found];
  } finally {
    catalog.close();
  }
}

/** A record as a line of a release (record-line.ts). */
type LineValues = Readonly<Record<string, unknown>>;

/** Returns a function that tells if a record of a release is the sought one, or has the words. */
export function recordFinder(sought: Sought): (resource: ResourceName, values: LineValues) => boolean {
  if ("text" in sought) {
    const holds = finderOf(sought.text);
    return (_, values) => holds(values);
  }
  return (resource, values) => resource === sought.record && idOfLine(values) === sought.id;
}

/** A record is recognised by at most this many of its texts, the longest, each by its beginning. */
const MAX_TEXTS = 32;
const TEXT_LETTERS = { least: 8, most: 60 } as const;
const TIME = /^\d{4}-\d\d-\d\d[ t]\d\d:/;

/** The beginning of a text's longest part without HTML: feeds cut texts, and replace tags. */
function beginningOf(text: string): string {
  let longest = "";
  for (const stretch of text.split(TAGS)) {
    const words = folded(withoutEntities(stretch));
    if (words.length > longest.length) longest = words;
  }
  return longest.slice(0, TEXT_LETTERS.most).trim();
}

/** Texts of a record in an older release: files without ids, like feeds, are recognised by them. */
export function textsOfRecord(values: LineValues): string[] {
  const texts = new Set<string>();
  for (const text of textsIn(values)) {
    const words = beginningOf(text);
    if (words.length >= TEXT_LETTERS.least && /\p{L}/u.test(words) && !TIME.test(words)) texts.add(words);
  }
  return [...texts];
}

/** Of these texts the longest that a catalog does not contain: a text that the shop also has elsewhere does not identify a deleted record. */
export function textsUnknownTo(file: string, texts: Iterable<string>): string[] {
  using catalog = openCatalog(file);
  const left = new Set(texts);
  for (const { value } of valuesOf(catalog)) {
    if (left.size === 0) break;
    for (const text of textsIn(value)) {
      const readings = [...readingsOf(text)].map(folded);
      for (const words of left) if (readings.some((reading) => reading.includes(words))) left.delete(words);
    }
  }
  return [...left].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MAX_TEXTS);
}
